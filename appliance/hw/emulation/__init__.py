"""Devices without hardware that speak the real wire protocols, for rehearsals and tests over the real drivers."""
