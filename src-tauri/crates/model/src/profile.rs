//! What a model can be trusted with.
