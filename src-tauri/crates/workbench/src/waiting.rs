//! Waiting on a thread of this crate for work of the async side. The one place where both meet: what is
//! waited for gets a token, and a look at what else happened is taken every so often.
//!
//! Never starts work of its own, never keeps a thread.

use std::time::Duration;

use model::CancellationToken;

use crate::error::{Code, Error, Result};

/// What async work runs on: the calling thread alone.
/// Fails with [`Code::Failed`] when the system refuses what it needs.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::from_cause(Code::Failed, error))
}

/// Waits for `work`. Every `pace`, `look` is called; once it answers true the work's token is cancelled,
/// and the work then ends by itself.
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
