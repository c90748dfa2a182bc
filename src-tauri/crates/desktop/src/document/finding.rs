//! Searching files and tasks for pickers.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use plan::Task;
use tools::listing;

use super::parsed::ListedFiles;
use super::rows::reference;
use crate::wire::TaskRef;
use crate::{Desktop, Shared, lock};
use workbench::error::Result;

/// Maximum files and folders of a workspace to scan.
const MAX_ENTRIES: usize = 50_000;

/// Maximum results.
const MAX_FOUND: usize = 50;

/// How long a file list is reused while the user types.
const FRESH: Duration = Duration::from_secs(5);

impl Desktop {
    /// Files in the workspace whose path contains all the words, best match first, at most 50;
    /// excludes files that Git ignores.
    ///
    /// # Errors
    /// [`workbench::Code::Workspace`] if the folder can't be read.
    pub fn find_files(&self, workspace: &str, words: &str) -> Result<Vec<String>> {
        let files = self.shared.files(workspace)?;
        let words = lowered(words);
        let mut found: Vec<(usize, usize, &String)> = files
            .iter()
            .filter_map(|path| Some((rank(path, &words)?, path.len(), path)))
            .collect();
        found.sort_unstable();
        let found = found.into_iter().take(MAX_FOUND);
        Ok(found.map(|(_, _, path)| path.clone()).collect())
    }

    /// Tasks whose id or title contains all the words, at most 50, for the dependency picker. Those
    /// whose id starts with the first word come first; otherwise in file order.
    pub fn find_tasks(&self, plan: &str, revision: &str, words: &str) -> Result<Vec<TaskRef>> {
        let parsed = self.shared.parsed_at(plan, revision)?;
        let words = lowered(words);
        let mut first = Vec::new();
        let mut found = Vec::new();
        for task in &parsed.plan.tasks {
            if !has(task, &words) {
                continue;
            }
            let list = match words.first() {
                Some(word) if task.id.as_str().to_lowercase().starts_with(word) => &mut first,
                _ => &mut found,
            };
            if list.len() < MAX_FOUND {
                list.push(reference(task));
            }
        }
        first.append(&mut found);
        first.truncate(MAX_FOUND);
        Ok(first)
    }
}

impl Shared {
    pub(crate) fn files(&self, workspace: &str) -> Result<Arc<Vec<String>>> {
        if let Some(listed) = &lock(&self.parsed).files
            && listed.workspace == workspace
            && listed.at.elapsed() < FRESH
        {
            return Ok(Arc::clone(&listed.files));
        }
        let opened = self.workbench().open_workspace(Path::new(workspace))?;
        let listing = listing::files_below(&opened, "", "", MAX_ENTRIES)?;
        let files = Arc::new(listing.files);
        lock(&self.parsed).files = Some(ListedFiles {
            workspace: workspace.to_owned(),
            at: Instant::now(),
            files: Arc::clone(&files),
        });
        Ok(files)
    }
}

pub(super) fn lowered(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_lowercase).collect()
}

/// Ranks a match, lower is better; `None` if it doesn't match.
fn rank(path: &str, words: &[String]) -> Option<usize> {
    let path = path.to_lowercase();
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    words
        .iter()
        .map(|word| match word {
            word if name == word || path == *word => Some(0),
            word if stem == word => Some(1),
            word if name.starts_with(word.as_str()) => Some(2),
            word if name.contains(word.as_str()) => Some(3),
            word if path.contains(word.as_str()) => Some(4),
            _ => None,
        })
        .sum()
}

/// Whether a task's id or title contains all the words, which are in lower case.
pub(super) fn has(task: &Task, words: &[String]) -> bool {
    let (id, title) = (task.id.as_str().to_lowercase(), task.title.to_lowercase());
    let mut words = words.iter();
    words.all(|word| id.contains(word) || title.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_is_meant_comes_first() {
        let words = lowered("Main");
        let ranks = [
            "src/main.rs",
            "src/domain.rs",
            "main/lib.rs",
            "src/mainly.rs",
            "x.rs",
        ];
        let ranks = ranks.map(|path| rank(path, &words));
        assert_eq!(ranks, [Some(1), Some(3), Some(4), Some(2), None]);
        assert_eq!(rank("a/b.rs", &[]), Some(0));
    }
}
