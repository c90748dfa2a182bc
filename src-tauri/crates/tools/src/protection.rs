//! The files that no tool may write, and the private ones that none may show.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Stat, statat};

use crate::error::ToolError;
use crate::git::control_paths;
use crate::logins;
use crate::walk::{Step, walk};
use crate::workspace::Workspace;

impl Workspace {
    /// Why no tool may write to this path (relative, links resolved); `None` if tools may. The
    /// files that Git itself reads are checked by [`control_paths`].
    pub(crate) fn protection(&self, rel: &Path) -> Option<&'static str> {
        let is = |name: &OsStr, word: &str| name.eq_ignore_ascii_case(word);
        if rel.iter().any(|name| is(name, ".git")) {
            return Some("Git's hooks and configuration can run programs");
        }
        // A nested `.planwright` would make the folder that contains it a workspace.
        if rel.iter().any(|name| is(name, ".planwright")) {
            return Some("it contains a workspace's Planwright settings");
        }
        let is_plan = self.is_plan(rel);
        is_plan.then_some("plans are edited in Planwright")
    }
}

/// Refuses to write to a protected path (relative, links resolved).
pub(crate) fn check_writable(workspace: &Workspace, rel: &Path) -> Result<(), ToolError> {
    let mut why = workspace.protection(rel);
    let root = workspace.path();
    if why.is_none() && control_paths::covers(root, &root.join(rel))? {
        why = Some(control_paths::WHY_PROTECTED);
    }
    let path = rel.display().to_string();
    why.map_or(Ok(()), |why| Err(ToolError::Protected { path, why }))
}

/// Hard links to private files. The workspace is scanned only when a file with several hard links
/// is checked.
#[derive(Debug, Default)]
pub(crate) struct PrivateLinks(OnceCell<BTreeSet<(u64, u64)>>);

impl PrivateLinks {
    /// Whether a file is a private one under another name.
    pub(crate) fn lead_to_private(&self, workspace: &Workspace, stat: &Stat) -> bool {
        let is_file = FileType::from_raw_mode(stat.st_mode).is_file();
        if !is_file || stat.st_nlink < 2 {
            return false;
        }
        let files = self.0.get_or_init(|| {
            let mut files = BTreeSet::new();
            let walked = walk(workspace, "", &mut |entry| {
                let is_private = workspace.is_private(&entry.path);
                if is_private && entry.kind().is_file() {
                    files.insert((entry.stat.st_dev, entry.stat.st_ino));
                }
                Ok(match entry.ignored && !is_private {
                    true => Step::Over,
                    false => Step::On,
                })
            });
            if let Err(error) = walked {
                tracing::info!(%error, "couldn't list all private files in the workspace");
            }
            files
        });
        files.contains(&(stat.st_dev, stat.st_ino))
    }
}

/// Refuses to show a file that is private under any of its names, or repository settings that
/// contain a login. `rel` is its path without links.
pub(crate) fn check_visible(
    workspace: &Workspace,
    rel: &Path,
    path: &str,
) -> Result<(), ToolError> {
    let is_link = || {
        let stat = statat(workspace.dir(), rel, AtFlags::SYMLINK_NOFOLLOW);
        stat.is_ok_and(|stat| PrivateLinks::default().lead_to_private(workspace, &stat))
    };
    let is_login = || {
        let mut parts = rel.components();
        parts.any(|part| part.as_os_str().eq_ignore_ascii_case(".git"))
            && logins::contains_login(&workspace.path().join(rel))
    };
    match workspace.is_private(rel) || is_link() || is_login() {
        true => Err(ToolError::Private {
            path: path.to_owned(),
        }),
        false => Ok(()),
    }
}
