"""What may be wrong with a device: one check a file, each finding with a remedy."""
