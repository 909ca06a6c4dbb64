"""The commissioner's phone: pages that the director serves on the venue network."""
