"""The models that turn texts into vectors, each behind the port `Embedder`; named by the wiring alone."""
