"""What people see: state → frozen view → draw list → glass.

`view` holds the frozen views, `from_round` builds them from the game's state, `layout` turns a view into a draw
list (a tuple of frozen operations, `ops`), `window` puts a draw list on the glass and redraws only what changed.
Everything but `window`, `fonts` and `raster` is pure.
"""
