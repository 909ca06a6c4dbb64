"""The appliance's hands: small ports in `ports`, one driver a file beside it."""
