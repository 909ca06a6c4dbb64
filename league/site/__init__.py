"""The public pages and their JSON."""
