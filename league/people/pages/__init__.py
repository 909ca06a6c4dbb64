"""The office's pages about participants."""
