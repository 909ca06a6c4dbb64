"""The league's copy of every stream, how it comes in, and what the league sends back down."""
