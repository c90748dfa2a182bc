//! Parses the output of `git status --porcelain=v2 --branch -z`.

use super::{DirtyFile, DirtyStatus, GitState, MAX_DIRTY};

/// Parses the output of `git status`. `prefix` is the workspace's folder inside the repository,
/// ending with `/`, or empty. A truncated last entry is left out.
pub(super) fn parse(listing: &[u8], prefix: &[u8]) -> GitState {
    let mut state = GitState {
        branch: None,
        head: None,
        dirty: Vec::new(),
        dirty_total: 0,
    };
    let whole = listing.iter().rposition(|byte| *byte == 0).unwrap_or(0);
    for entry in listing[..whole].split(|byte| *byte == 0) {
        if let Some(head) = entry.strip_prefix(b"# branch.oid ") {
            state.head = (head != b"(initial)").then(|| text(head));
        } else if let Some(branch) = entry.strip_prefix(b"# branch.head ") {
            state.branch = (branch != b"(detached)").then(|| text(branch));
        } else if let Some((path, status)) = change(entry) {
            state.dirty_total += 1;
            if state.dirty.len() < MAX_DIRTY {
                let path = text(path.strip_prefix(prefix).unwrap_or(path));
                state.dirty.push(DirtyFile { path, status });
            }
        }
    }
    state
}

/// Reads the path and status of a changed file; `None` for other entries. Before the path, an entry
/// has its kind, the states of index and file, and more words, depending on the kind.
fn change(entry: &[u8]) -> Option<(&[u8], DirtyStatus)> {
    let words_before_path = match entry.first()? {
        b'?' => 1,
        b'1' => 8,
        b'u' => 10,
        _ => return None,
    };
    let mut words = entry.splitn(words_before_path + 1, |byte| *byte == b' ');
    let kind = words.next()?;
    let status = match kind {
        b"?" => return words.next().map(|path| (path, DirtyStatus::Untracked)),
        b"u" => DirtyStatus::Conflicted,
        _ => match words.next()? {
            [_, b'D'] | [b'D', b'.'] => DirtyStatus::Deleted,
            [b'A', _] | [_, b'A'] => DirtyStatus::Added,
            [b'T', _] | [_, b'T'] => DirtyStatus::TypeChanged,
            _ => DirtyStatus::Modified,
        },
    };
    words.last().map(|path| (path, status))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HASH: &str = "0123456789012345678901234567890123456789";

    #[test]
    fn a_cut_list_loses_only_its_last_entry_and_a_long_one_is_counted() {
        let mut listing = format!("# branch.oid {HASH}\0# branch.head main\0").into_bytes();
        for n in 0..1_200 {
            listing.extend(format!("? sub/new {n}\0").bytes());
        }
        listing.extend(b"? sub/cut o");
        let state = parse(&listing, b"sub/");
        assert_eq!((state.dirty.len(), state.dirty_total), (MAX_DIRTY, 1_200));
        assert_eq!(state.dirty[7].path, "new 7");
        assert_eq!(state.head.as_deref(), Some(HASH));
    }

    #[test]
    fn each_kind_of_entry_is_read() {
        let rest = format!("N... 100644 100644 100644 {HASH} {HASH}");
        let merge = format!("N... 100644 100644 100644 100644 {HASH} {HASH} {HASH}");
        let entries = [
            (format!("1 .M {rest} a b"), DirtyStatus::Modified),
            (format!("1 MM {rest} a"), DirtyStatus::Modified),
            (format!("1 A. {rest} a"), DirtyStatus::Added),
            (format!("1 .A {rest} a"), DirtyStatus::Added),
            (format!("1 D. {rest} a"), DirtyStatus::Deleted),
            (format!("1 AD {rest} a"), DirtyStatus::Deleted),
            (format!("1 .T {rest} a"), DirtyStatus::TypeChanged),
            (format!("u UU {merge} a"), DirtyStatus::Conflicted),
            ("? a".to_owned(), DirtyStatus::Untracked),
        ];
        for (entry, status) in entries {
            let (path, read) = change(entry.as_bytes()).unwrap();
            assert_eq!(read, status, "{entry}");
            let expected = if entry.ends_with("a b") { "a b" } else { "a" };
            assert_eq!(text(path), expected);
        }
    }

    proptest! {
        #[test]
        fn whatever_it_is_given_it_does_not_fail(listing: Vec<u8>) {
            parse(&listing, b"x/");
        }
    }
}
