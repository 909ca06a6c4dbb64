"""The programs and subcommands: wiring only, one module each."""
