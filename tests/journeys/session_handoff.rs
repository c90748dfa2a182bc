//! The hand-off from plan mode to exec mode, on the requests that a model got.
