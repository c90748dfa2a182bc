//! The user's folders: their location, their permissions, and the errors for unusable ones.

use std::ffi::OsStr;
use std::os::unix::fs::{PermissionsExt, symlink};

use tempfile::TempDir;

use super::*;

fn at(root: impl AsRef<OsStr>) -> Result<Home> {
    let root = root.as_ref().to_owned();
    Home::locate(move |name| (name == "PLANWRIGHT_HOME").then(|| root.clone()))
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

fn chmod(path: &Path, mode: u32) {
    std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
}

#[test]
fn planwright_home_moves_all_of_it_and_is_private() {
    let folder = TempDir::new().unwrap();
    let root = folder.path().join("not/there/yet");
    let home = at(&root).unwrap();
    for path in [
        &home.data,
        &home.settings_file,
        &home.blobs,
        &home.outcomes,
        &home.logs,
    ] {
        assert!(path.starts_with(&root), "{} lies elsewhere", path.display());
    }
    assert_eq!(home.settings_file, root.join("settings.json"));
    for made in [root.as_path(), &home.data, &home.blobs, &home.outcomes] {
        assert_eq!(mode(made), 0o700, "{}", made.display());
    }
    assert_eq!(at(&root).unwrap(), home, "finding it again changes nothing");
}

#[test]
fn an_existing_home_keeps_its_mode_and_what_lies_in_it_becomes_private() {
    let folder = TempDir::new().unwrap();
    chmod(folder.path(), 0o755);
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    chmod(&data, 0o755);
    let home = at(folder.path()).unwrap();
    assert_eq!(mode(folder.path()), 0o755);
    assert_eq!(mode(&home.data), 0o700);
}

#[test]
fn without_the_variable_the_platforms_folders_are_used() {
    // The paths are only computed, since tests must not touch the user's data.
    if let Ok(home) = Home::default_location() {
        assert!(home.data.is_absolute() && home.logs.is_absolute());
        assert!(home.settings_file.ends_with("planwright/settings.json"));
        assert!(home.data.to_string_lossy().contains("planwright"));
    }
}

#[test]
fn what_cannot_be_used_is_named_with_what_to_do() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let open = folder.path().join("open");
    std::fs::create_dir(&open).unwrap();
    chmod(&open, 0o777);
    let cases = [
        (
            "relative/home".into(),
            "must be an absolute path, not “relative/home”",
        ),
        (PathBuf::new(), "must be an absolute path, not “”"),
        (file.clone(), "is not a folder; move or rename it"),
        (file.join("below"), "below private (Not a directory"),
        (open.clone(), "other users can write to"),
    ];
    for (root, expected) in cases {
        let message = at(&root).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
        assert!(message.contains("PLANWRIGHT_HOME"), "{message}");
    }
    assert_eq!(
        mode(&open),
        0o777,
        "a folder that is refused is not changed"
    );
}

#[test]
fn a_file_in_the_place_of_the_data_is_named() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("data"), "").unwrap();
    let message = at(folder.path()).unwrap_err().to_string();
    assert!(message.contains("data is not a folder"), "{message}");
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folder = TempDir::new().unwrap();
    let inner = folder.path().join("mine");
    std::fs::create_dir(&inner).unwrap();
    chmod(&inner, 0o500);
    // Permissions don't stop root, but not even root can create files in `/proc`.
    let root = if rustix::process::geteuid().is_root() {
        PathBuf::from("/proc")
    } else {
        inner
    };
    let message = at(&root).unwrap_err().to_string();
    assert!(
        message.contains("set PLANWRIGHT_HOME to another"),
        "{message}"
    );
}

#[test]
fn a_home_behind_a_symlink_is_followed() {
    let folder = TempDir::new().unwrap();
    let real = folder.path().join("real");
    std::fs::create_dir(&real).unwrap();
    chmod(&real, 0o700);
    let link = folder.path().join("link");
    symlink(&real, &link).unwrap();
    at(&link).unwrap();
    assert!(real.join("data/blobs").is_dir());
}
