"""Measurements, as ratios with a floor or a peer of the same run. Only ratios can fail; figures are printed."""
