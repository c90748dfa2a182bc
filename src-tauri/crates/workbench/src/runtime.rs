//! Blocks a thread on async work. Sync and async code meet only here: the work gets a cancel token,
//! and a callback is called at intervals in the meantime.
//!
//! Starts no work and no threads.

use std::time::Duration;

use model::CancellationToken;

use crate::error::{Code, Error, Result};

/// An async runtime on the current thread. Fails with [`Code::Failed`] if the system lacks
/// resources.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::from_cause(Code::Failed, error))
}

/// Waits for `work`, calling `look` at every interval of `pace`. When `look` returns true, the
/// work's token is cancelled; the work then ends on its own.
pub(crate) fn wait_for<T>(
    runtime: &tokio::runtime::Runtime,
    pace: Duration,
    work: impl AsyncFnOnce(&CancellationToken) -> T,
    mut look: impl FnMut() -> bool,
) -> T {
    let token = CancellationToken::new();
    runtime.block_on(async {
        let mut work = std::pin::pin!(work(&token));
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                () = tokio::time::sleep(pace) => {
                    if look() {
                        token.cancel();
                    }
                }
            }
        }
    })
}
