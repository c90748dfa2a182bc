//! File names for lists and pickers, without those that Git ignores. `plans` finds possible plans;
//! `path_state` inspects a single path.

mod path_state;
mod plans;

use rustix::fs::FileType;

use crate::error::ToolError;
use crate::walk::{Step, walk};
use crate::workspace::Workspace;

pub use path_state::path_state;

pub use plans::{FoundPlan, PlanFiles, PlanSearch, Stamp, is_plan, known_plans, plan_files};

/// The result of a listing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Regular files, relative to the workspace, with `/`; folder by folder, sorted by name.
    pub files: Vec<String>,
    /// Whether the listing is incomplete.
    pub is_cut: bool,
}

/// The regular files below `start` (empty: everything) whose names end with `ending`, ignoring
/// ASCII case. Looks at no more than `limit` files and folders. Links are not followed, names that
/// are not UTF-8 are left out, and a missing `start` counts as an empty folder.
///
/// # Errors
/// If the path is refused, or if `start` can't be read; unreadable folders in it are left out.
pub fn files_below(
    workspace: &Workspace,
    start: &str,
    ending: &str,
    limit: usize,
) -> Result<Listing, ToolError> {
    let mut listing = Listing::default();
    let mut looked_at = 0;
    let walked = walk(workspace, start, &mut |entry| {
        if entry.ignored {
            return Ok(Step::Over);
        }
        if looked_at == limit {
            listing.is_cut = true;
            return Ok(Step::Stop);
        }
        looked_at += 1;
        if entry.kind() == FileType::RegularFile
            && let Some(path) = entry.path.to_str()
            && ends_with(path, ending)
        {
            listing.files.push(path.to_owned());
        }
        Ok(Step::On)
    });
    match walked {
        Ok(_) => Ok(listing),
        Err(ToolError::NotFound { .. }) => Ok(Listing::default()),
        Err(error) => Err(error),
    }
}

fn ends_with(path: &str, ending: &str) -> bool {
    let at = path.len().checked_sub(ending.len());
    at.and_then(|at| path.get(at..))
        .is_some_and(|end| end.eq_ignore_ascii_case(ending))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a panic fails the test")]

    use super::*;

    #[test]
    fn files_are_listed_without_what_git_ignores_and_never_without_end() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(".gitignore", "target\n");
        write("target/x.md", "");
        write("plans/a.md", "");
        write("plans/deep/b.MD", "");
        write("plans/c.txt", "");
        std::os::unix::fs::symlink("/etc", folder.path().join("plans/etc")).unwrap();
        let workspace = Workspace::open(folder.path()).unwrap();
        let found = |start: &str, limit| files_below(&workspace, start, ".md", limit).unwrap();
        assert_eq!(found("", 100).files, ["plans/a.md", "plans/deep/b.MD"]);
        assert_eq!(found("plans", 100).files, ["plans/a.md", "plans/deep/b.MD"]);
        assert_eq!(found("nowhere", 100), Listing::default());
        let cut = found("plans", 1);
        assert_eq!((cut.files.len(), cut.is_cut), (1, true));
    }
}
