//! Journey support.
