//! Protected names are safe, and stand-ins leave no traces.

use super::*;

fn workspace() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    (folder, path)
}

fn paths(root: &Path, names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(|name| root.join(name)).collect()
}

#[test]
fn names_are_relative_clean_and_none_lies_in_another() {
    let (_keep, root) = workspace();
    let listed = [
        root.join("plans/a.md"),
        "./b.md".into(),
        ".planwright/plans/c.md".into(),
        "../outside.md".into(),
        "/etc/passwd".into(),
    ];
    let names = names(&root, &listed, &[]);
    let names: Vec<_> = names.iter().map(|name| name.to_str().unwrap()).collect();
    assert_eq!(names, [".git", ".planwright", "b.md", "plans/a.md"]);
}

#[test]
fn every_repository_is_protected_as_a_whole_and_a_bare_workspace_by_its_control_files() {
    let (_keep, root) = workspace();
    let found = paths(&root, &[".git", "libs/a/.git", "bare"]);
    let all = names(&root, &[], &found);
    assert_eq!(
        all,
        [".git", ".planwright", "bare", "libs/a/.git"].map(PathBuf::from)
    );
    let bare = names(&root, &[], std::slice::from_ref(&root));
    for name in ["HEAD", "commondir", "hooks", "modules"] {
        assert!(bare.contains(&PathBuf::from(name)), "{name} in {bare:?}");
    }
    let mut protection = Protection::prepare(&root, &bare, &[]).unwrap();
    assert!(root.join("hooks").is_dir() && root.join("commondir").is_file());
    protection.remove_stand_ins();
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
}

#[test]
fn absent_names_get_stand_ins_that_leave_no_trace() {
    let (_keep, root) = workspace();
    fs::create_dir(root.join("plans")).unwrap();
    let names = names(&root, &["plans/p.md".into(), "new/deep/q.md".into()], &[]);
    let mut protection = Protection::prepare(&root, &names, &[]).unwrap();
    assert_eq!(protection.held, paths(&root, &["plans"]));
    assert_eq!(
        protection.read_only,
        paths(&root, &[".git", ".planwright", "new", "plans/p.md"])
    );
    assert!(root.join("new").is_dir() && root.join("plans/p.md").is_file());
    protection.remove_stand_ins();
    for gone in paths(&root, &[".git", ".planwright", "new", "plans/p.md"]) {
        assert!(!gone.exists(), "{} stays", gone.display());
    }
}

#[test]
fn a_stand_in_of_a_killed_helper_goes_with_the_next_command() {
    let (_keep, root) = workspace();
    let names = names(&root, &[], &[]);
    drop(Protection::prepare(&root, &names, &[]).unwrap());
    assert!(
        root.join(".planwright").is_dir(),
        "dropped without removal, as by SIGKILL"
    );
    Protection::prepare(&root, &names, &[])
        .unwrap()
        .remove_stand_ins();
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
}

#[test]
fn the_last_of_two_commands_removes_the_stand_ins() {
    let (_keep, root) = workspace();
    let names = names(&root, &[], &[]);
    let mut first = Protection::prepare(&root, &names, &[]).unwrap();
    let mut second = Protection::prepare(&root, &names, &[]).unwrap();
    first.remove_stand_ins();
    assert!(
        root.join(".planwright").is_dir(),
        "the second command still needs it"
    );
    second.remove_stand_ins();
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
}

#[test]
fn a_file_or_folder_of_the_user_is_never_removed() {
    let (_keep, root) = workspace();
    fs::create_dir_all(root.join(".git/hooks")).unwrap();
    fs::create_dir(root.join(".planwright")).unwrap();
    fs::write(root.join(".git/config"), "").unwrap();
    let names = names(&root, &[], &[]);
    Protection::prepare(&root, &names, &[])
        .unwrap()
        .remove_stand_ins();
    assert!(root.join(".git/hooks").is_dir() && root.join(".git/config").is_file());
    assert!(root.join(".planwright").is_dir());
}

#[test]
fn a_link_in_place_of_a_protected_name_is_refused_and_nothing_stays() {
    let (_keep, root) = workspace();
    std::os::unix::fs::symlink("/nowhere", root.join("plan.md")).unwrap();
    let names = names(&root, &["plan.md".into()], &[]);
    let refused = Protection::prepare(&root, &names, &[]).unwrap_err();
    assert_eq!(refused, Failure::ProtectedLink(root.join("plan.md")));
    assert_eq!(fs::read_dir(&root).unwrap().count(), 1, "the link alone");
}
