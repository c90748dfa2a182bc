//! The real window, driven through WebDriver: what a person does, sees, and must not be able to do
//! by mistake. Each test is named after the promise that it checks.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic fails the test"
)]

mod access;
mod adequacy;
mod agents;
mod areas;
mod asking;
mod bytes;
mod crashing;
mod eyes;
mod handing;
mod hostile;
mod job;
mod keyboard;
mod modelled;
mod opening;
mod reviews;
mod routes;
mod rules;
mod storm;
mod talking;
mod trouble;
mod views;
mod wrong_clicks;
