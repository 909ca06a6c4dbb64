"""The office's pages about rounds."""
