//! Finds the files at a path or matching a pattern, so that a person can be told what a command
//! would destroy. Read-only; never leaves the workspace.

use std::io::ErrorKind;
use std::path::Path;

use gate::destructive::PathState;
use ignore::gitignore::GitignoreBuilder;
use rustix::fs::FileType;

use crate::error::ToolError;
use crate::walk::{Step, walk};
use crate::workspace::Workspace;

/// Maximum number of files and folders to look at for one path.
const MAX_ENTRIES: usize = 20_000;

/// Maximum number of paths to list for one pattern.
const MAX_MATCHES: usize = 200;

/// Inspects one path, or the matches of a pattern with `*`, `?` or `[`.
///
/// # Errors
/// On an I/O error.
pub fn path_state(workspace: &Workspace, path: &str) -> Result<PathState, ToolError> {
    workspace.ensure_present()?;
    let path = Path::new(path);
    let rel = if path.is_absolute() {
        match path.strip_prefix(workspace.path()) {
            Ok(rel) => rel,
            Err(_) => return Ok(PathState::Outside),
        }
    } else {
        path
    };
    let Some(text) = rel.to_str() else {
        return Ok(PathState::Missing);
    };
    let named = if text.is_empty() { "." } else { text };
    let dir = workspace.dir();
    // A link that is dangling or leads outside counts as an entry itself.
    let found = dir.metadata(named).or_else(|_| dir.symlink_metadata(named));
    match found {
        Ok(found) if found.is_dir() => Ok(PathState::Folder {
            files: files_in(workspace, text)?,
        }),
        Ok(found) => Ok(PathState::File { bytes: found.len() }),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(PathState::Outside),
        Err(_) if text.contains(['*', '?', '[']) => matches(workspace, text),
        Err(_) => Ok(PathState::Missing),
    }
}

fn files_in(workspace: &Workspace, start: &str) -> Result<u32, ToolError> {
    let (mut files, mut looked_at) = (0_u32, 0_usize);
    walk(workspace, start, &mut |entry| {
        looked_at += 1;
        if looked_at > MAX_ENTRIES {
            return Ok(Step::Stop);
        }
        files += u32::from(entry.kind() != FileType::Directory);
        Ok(Step::On)
    })?;
    Ok(files)
}

/// The matches of a pattern as in a shell: `*` stops at `/` and skips hidden names.
fn matches(workspace: &Workspace, pattern: &str) -> Result<PathState, ToolError> {
    let mut rules = GitignoreBuilder::new("");
    let rules = match rules.add_line(None, &format!("/{pattern}")) {
        Ok(rules) => rules.build(),
        Err(error) => Err(error),
    };
    // An invalid pattern matches nothing.
    let Ok(rules) = rules else {
        return Ok(PathState::Several(Vec::new()));
    };
    let parts = pattern.split('/').filter(|part| !part.is_empty()).count();
    let shows_hidden = pattern.split('/').any(|part| part.starts_with('.'));
    let (mut found, mut looked_at) = (Vec::new(), 0_usize);
    walk(workspace, "", &mut |entry| {
        looked_at += 1;
        if looked_at > MAX_ENTRIES || found.len() == MAX_MATCHES {
            return Ok(Step::Stop);
        }
        let is_folder = entry.kind() == FileType::Directory;
        let is_hidden = entry.name.as_encoded_bytes().starts_with(b".");
        if is_hidden && !shows_hidden {
            return Ok(Step::Over);
        }
        if entry.depth == parts
            && rules.matched(&entry.path, is_folder).is_ignore()
            && let Some(path) = entry.path.to_str()
        {
            found.push(format!("{path}{}", if is_folder { "/" } else { "" }));
        }
        Ok(if entry.depth < parts {
            Step::On
        } else {
            Step::Over
        })
    })?;
    Ok(PathState::Several(found))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a panic fails the test")]

    use super::*;

    #[test]
    fn path_states_cover_files_folders_and_patterns_but_nothing_outside() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(".gitignore", "build\n");
        write("build/a", "1");
        write("build/deep/b", "2");
        write("x.log", "123");
        write("sub/y.log", "");
        write(".hidden.log", "");
        std::fs::create_dir(folder.path().join("old.log")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("out")).unwrap();
        let workspace = Workspace::open(folder.path()).unwrap();
        let at = |path: &str| path_state(&workspace, path).unwrap();
        assert_eq!(
            at("build"),
            PathState::Folder { files: 2 },
            "ignored files count"
        );
        assert_eq!(at("x.log"), PathState::File { bytes: 3 });
        assert_eq!(at("nothing"), PathState::Missing);
        assert_eq!(at("nothing/below"), PathState::Missing);
        assert_eq!(at("/etc/passwd"), PathState::Outside);
        assert_eq!(at("../x"), PathState::Outside);
        assert!(
            matches!(at("out"), PathState::File { .. }),
            "the link itself"
        );
        let inside = folder.path().canonicalize().unwrap().join("x.log");
        assert_eq!(at(inside.to_str().unwrap()), PathState::File { bytes: 3 });
        let several = |names: &[&str]| {
            PathState::Several(names.iter().map(|name| (*name).to_owned()).collect())
        };
        assert_eq!(at("*.log"), several(&["old.log/", "x.log"]));
        assert_eq!(at("sub/*"), several(&["sub/y.log"]));
        assert_eq!(at("*.none"), several(&[]));
        assert_eq!(at("["), several(&[]));
    }
}
