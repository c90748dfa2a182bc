//! Interference by other programs, and crashes at every point of a replacement.

use std::fs;

use tempfile::TempDir;

use super::*;

const TEMP: &str = ".planwright-test.tmp";

fn workspace(files: &[(&str, &str)]) -> (TempDir, Workspace) {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    let workspace = Workspace::open(folder.path()).unwrap();
    (folder, workspace)
}

fn permit(path: &str) -> Permit {
    let path = path.to_owned();
    gate::own_act(gate::Bearer::App, Act::WriteDocument { path })
}

fn hash(text: &str) -> Option<ContentHash> {
    Some(ContentHash::of(text.as_bytes()))
}

fn names(folder: &TempDir) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

/// Replaces `a` with "new" while another program acts at the worst moment.
fn interrupted_put(folder: &TempDir, expected: Option<&str>, meanwhile: impl Fn()) -> ToolError {
    let workspace = Workspace::open(folder.path()).unwrap();
    let place = workspace.place("a").unwrap();
    let new = NewContent {
        expected: expected.and_then(hash),
        bytes: b"new",
        mode: None,
        temp_name: TEMP,
    };
    put_with(&place, &new, &mut || meanwhile()).unwrap_err()
}

#[test]
fn a_write_in_between_survives_and_is_reported_with_its_content() {
    let (folder, _) = workspace(&[("a", "old")]);
    let path = folder.path().join("a");
    let error = interrupted_put(&folder, Some("old"), || fs::write(&path, "theirs").unwrap());
    let other = Some(b"theirs".to_vec());
    assert_eq!(
        error,
        ToolError::ChangedMeanwhile {
            path: "a".into(),
            other
        }
    );
    assert_eq!(read(&folder, "a"), "theirs");
    assert_eq!(names(&folder), ["a"], "nothing hidden is left");
}

#[test]
fn a_rename_over_the_file_in_between_survives() {
    let (folder, _) = workspace(&[("a", "old"), ("b", "theirs")]);
    let (from, to) = (folder.path().join("b"), folder.path().join("a"));
    interrupted_put(&folder, Some("old"), || fs::rename(&from, &to).unwrap());
    assert_eq!(
        (read(&folder, "a").as_str(), names(&folder)),
        ("theirs", vec!["a".to_owned()])
    );
}

#[test]
fn a_file_deleted_in_between_stays_deleted() {
    let (folder, _) = workspace(&[("a", "old")]);
    let path = folder.path().join("a");
    let error = interrupted_put(&folder, Some("old"), || fs::remove_file(&path).unwrap());
    assert_eq!(
        error,
        ToolError::ChangedMeanwhile {
            path: "a".into(),
            other: None
        }
    );
    assert!(names(&folder).is_empty());
}

#[test]
fn a_file_created_in_between_is_not_overwritten() {
    let (folder, _) = workspace(&[]);
    let path = folder.path().join("a");
    interrupted_put(&folder, None, || fs::write(&path, "theirs").unwrap());
    assert_eq!(
        (read(&folder, "a").as_str(), names(&folder)),
        ("theirs", vec!["a".to_owned()])
    );
}

#[test]
fn a_folder_or_link_put_in_between_is_not_touched() {
    let (folder, _) = workspace(&[("a", "old"), ("b", "")]);
    let path = folder.path().join("a");
    interrupted_put(&folder, Some("old"), || {
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
    });
    assert!(path.is_dir());
    fs::remove_dir(&path).unwrap();
    fs::write(&path, "old").unwrap();
    interrupted_put(&folder, Some("old"), || {
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("b", &path).unwrap();
    });
    assert_eq!(fs::read_link(&path).unwrap().to_str(), Some("b"));
    assert_eq!((read(&folder, "b").as_str(), names(&folder).len()), ("", 2));
}

/// Each row: the contents of `a`, the temp file and the part file after a crash, then the expected
/// situation and content of `a`.
#[test]
fn after_a_crash_the_situation_is_told_and_the_leftovers_are_gone() {
    use Situation::{Done, Neither, NotDone};
    type Case<'a> = (
        Option<&'a str>,
        Option<&'a str>,
        Option<&'a str>,
        Situation,
        Option<&'a str>,
    );
    let modify: &[Case<'_>] = &[
        (Some("old"), None, None, NotDone, Some("old")),
        (Some("old"), None, Some("ne"), NotDone, Some("old")),
        (Some("old"), Some("new"), None, NotDone, Some("old")),
        (Some("new"), Some("old"), None, Done, Some("new")),
        (Some("new"), None, None, Done, Some("new")),
        (Some("new"), Some("theirs"), None, Neither, Some("theirs")),
        (Some("theirs"), Some("new"), None, Neither, Some("theirs")),
        (None, Some("new"), None, Neither, None),
    ];
    let create: &[Case<'_>] = &[
        (None, None, Some("n"), NotDone, None),
        (None, Some("new"), None, NotDone, None),
        (Some("new"), None, None, Done, Some("new")),
        (Some("theirs"), Some("new"), None, Neither, Some("theirs")),
    ];
    let delete: &[Case<'_>] = &[
        (Some("old"), None, None, NotDone, Some("old")),
        (None, Some("old"), None, Done, None),
        (None, None, None, Done, None),
        (None, Some("theirs"), None, Neither, Some("theirs")),
    ];
    let all = [
        (Some("old"), Some("new"), modify),
        (None, Some("new"), create),
        (Some("old"), None, delete),
    ];
    for (before, after, cases) in all {
        for &(now, temp, part, situation, then) in cases {
            let (folder, workspace) = workspace(&[]);
            let part_file = format!("{TEMP}.part");
            for (name, content) in [("a", now), (TEMP, temp), (part_file.as_str(), part)] {
                if let Some(content) = content {
                    fs::write(folder.path().join(name), content).unwrap();
                }
            }
            let case = format!("{before:?} → {after:?}, found {now:?} {temp:?} {part:?}");
            let (before, after) = (before.and_then(hash), after.and_then(hash));
            let told = settle(&workspace, "a", before, after, TEMP).unwrap();
            assert_eq!(told, situation, "{case}");
            assert_eq!(
                fs::read_to_string(folder.path().join("a")).ok().as_deref(),
                then,
                "{case}"
            );
            assert!(names(&folder).iter().all(|name| name == "a"), "{case}");
        }
    }
}

#[test]
fn of_two_foreign_versions_both_are_kept() {
    let (folder, workspace) = workspace(&[("a", "newer"), (TEMP, "older")]);
    let told = settle(&workspace, "a", hash("old"), hash("new"), TEMP).unwrap();
    assert_eq!(told, Situation::Neither);
    assert_eq!(read(&folder, "a"), "newer");
    assert_eq!(read(&folder, "a.rescued-planwright-test.tmp"), "older");
}

#[test]
fn a_leftover_of_an_earlier_crash_does_not_stop_the_same_change() {
    let (folder, workspace) = workspace(&[("a", "old"), (TEMP, "new")]);
    replace(&permit("a"), &workspace, "a", hash("old"), b"new", TEMP).unwrap();
    assert_eq!(
        (read(&folder, "a").as_str(), names(&folder)),
        ("new", vec!["a".to_owned()])
    );
}

#[test]
fn the_mode_stays() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, workspace) = workspace(&[("a", "old")]);
    let path = folder.path().join("a");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o751)).unwrap();
    replace(&permit("a"), &workspace, "a", hash("old"), b"new", TEMP).unwrap();
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o7777,
        0o751
    );
}

#[test]
fn a_link_inside_stays_a_link() {
    let (folder, workspace) = workspace(&[("a", "old")]);
    std::os::unix::fs::symlink("a", folder.path().join("link")).unwrap();
    replace(
        &permit("link"),
        &workspace,
        "link",
        hash("old"),
        b"new",
        TEMP,
    )
    .unwrap();
    assert_eq!(read(&folder, "a"), "new");
    assert_eq!(
        fs::read_link(folder.path().join("link")).unwrap().to_str(),
        Some("a")
    );
}

#[test]
fn content_of_the_same_size_never_has_the_second_of_what_it_replaces() {
    let (folder, workspace) = workspace(&[("a", "10")]);
    let path = folder.path().join("a");
    let second = |path: &std::path::Path| {
        let time = fs::metadata(path).unwrap().modified().unwrap();
        time.duration_since(UNIX_EPOCH).unwrap().as_secs()
    };
    let mut seen = vec![second(&path)];
    for (before, after) in [("10", "11"), ("11", "12"), ("12", "13")] {
        let permit = permit("a");
        replace(
            &permit,
            &workspace,
            "a",
            hash(before),
            after.as_bytes(),
            TEMP,
        )
        .unwrap();
        seen.push(second(&path));
    }
    assert!(seen.windows(2).all(|pair| pair[0] < pair[1]), "{seen:?}");
}
