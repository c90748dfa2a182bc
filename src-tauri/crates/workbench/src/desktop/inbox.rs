//! What waits for a person, of all plans.

use crate::desktop::Desktop;
use crate::error::{Result, unbuilt};
use crate::wire::window::InboxItem;

impl Desktop {
    /// Everything that waits, the oldest first.
    ///
    /// # Errors
    /// See [`crate::Code`].
    pub fn inbox(&self) -> Result<Vec<InboxItem>> {
        Err(unbuilt(&()))
    }
}
