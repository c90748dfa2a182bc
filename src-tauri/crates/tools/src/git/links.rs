//! Finds the links in a path.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Maximum number of links to follow in one path, as in Linux.
const MAX_LINKS: usize = 40;

/// Every link on the way along a path, then the place that the path leads to, existing or not.
pub(super) fn trail(path: &Path) -> Vec<PathBuf> {
    let parts = |path: &Path| -> VecDeque<OsString> {
        let parts = path.components().filter(|part| *part != Component::CurDir);
        parts.map(|part| part.as_os_str().to_owned()).collect()
    };
    let (mut at, mut rest, mut all) = (PathBuf::new(), parts(path), Vec::new());
    while let Some(part) = rest.pop_front() {
        if part == ".." {
            at.pop();
            continue;
        }
        // An absolute target replaces everything before it.
        let next = at.join(part);
        match fs::read_link(&next) {
            Ok(target) if all.len() < MAX_LINKS => {
                all.push(next);
                let mut way = parts(&target);
                way.append(&mut rest);
                rest = way;
            }
            _ => at = next,
        }
    }
    all.push(at);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_on_the_way_is_named() {
        let root = tempfile::tempdir().unwrap();
        let top = root.path().canonicalize().unwrap();
        fs::create_dir_all(top.join("real")).unwrap();
        std::os::unix::fs::symlink("real", top.join("second")).unwrap();
        std::os::unix::fs::symlink(top.join("second"), top.join("first")).unwrap();
        let all = trail(&top.join("first/absent"));
        assert_eq!(
            all,
            ["first", "second", "real/absent"].map(|name| top.join(name))
        );
    }
}
