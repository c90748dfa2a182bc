//! The evaluation of weak models, bounded: what the simulator and the scorer promise, and a few seeds.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on must fail"
)]

mod baseline;
