//! The file name of a plan that a session will write.

use std::path::{Path, PathBuf};

use store::SessionRow;

use crate::error::Result;
use crate::{Workbench, new_plan};

impl Workbench {
    /// A name for a new plan that no file has and no other active session will use.
    pub(super) fn free_name(&self, root: &Path, folder: &str, goal: &str) -> Result<PathBuf> {
        /// Maximum number of characters of the name, which ends at a word boundary.
        const MAX_NAME_LENGTH: usize = 48;
        let mut words = String::new();
        for word in goal.split_whitespace() {
            if !words.is_empty() && words.chars().count() + word.chars().count() > MAX_NAME_LENGTH {
                break;
            }
            words.push_str(word);
            words.push(' ');
        }
        let slug = new_plan::slug(&words);
        for number in 1..1000_u32 {
            let name = match number {
                1 => format!("{folder}/{slug}.md"),
                number => format!("{folder}/{slug}-{number}.md"),
            };
            let path = root.join(name);
            let key = path.display().to_string();
            let is_wanted = |row: &SessionRow| matches!(row.state.as_str(), "working" | "waiting");
            let is_free = path.symlink_metadata().is_err()
                && !self.store.sessions().of_plan(&key)?.iter().any(is_wanted);
            if is_free {
                return Ok(path);
            }
        }
        Err(
            err!(Workspace: "{folder}/ already has too many plans named {slug}; delete or rename some"),
        )
    }
}
