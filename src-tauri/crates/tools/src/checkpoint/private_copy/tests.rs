//! A private copy contains only what the agent may see.

use super::*;

struct Site {
    _base: tempfile::TempDir,
    workspace: Workspace,
    blobs: Blobs,
    below: PathBuf,
}

fn site() -> Site {
    let base = tempfile::tempdir().unwrap();
    let root = base.path().join("w");
    fs::create_dir_all(root.join("src")).unwrap();
    fs::create_dir_all(root.join("node_modules/p")).unwrap();
    fs::write(root.join(".gitignore"), "node_modules/\n*.log\n").unwrap();
    fs::write(root.join("src/a.txt"), "one\n").unwrap();
    fs::write(root.join(".env"), "KEY=secret\n").unwrap();
    fs::write(root.join("node_modules/p/i.js"), "x\n").unwrap();
    let below = base.path().join("copies");
    fs::create_dir_all(&below).unwrap();
    Site {
        workspace: Workspace::open(&root).unwrap(),
        blobs: Blobs::open(&base.path().join("blobs")).unwrap(),
        below,
        _base: base,
    }
}

fn copy(site: &Site) -> PrivateCopy {
    PrivateCopy::make(&site.workspace, &site.below, &site.blobs).unwrap()
}

#[test]
fn private_files_are_not_copied_and_ignored_folders_are_only_named() {
    let site = site();
    let root = site.workspace.path();
    fs::hard_link(root.join(".env"), root.join("src/other.txt")).unwrap();
    let copy = copy(&site);
    assert!(copy.folder().join("src/a.txt").exists());
    assert!(!copy.folder().join(".env").exists());
    assert!(!copy.folder().join("src/other.txt").exists());
    assert!(!copy.folder().join("node_modules/p").exists());
    assert_eq!(copy.shared(), [PathBuf::from("node_modules")]);
    assert_eq!(copy.differences(&site.blobs).unwrap(), []);
}

#[test]
fn each_difference_is_listed_and_aligning_removes_it() {
    let site = site();
    let copy = copy(&site);
    fs::write(copy.folder().join("src/a.txt"), "two\n").unwrap();
    fs::write(copy.folder().join("new.txt"), "new\n").unwrap();
    fs::write(copy.folder().join("noise.log"), "ignored\n").unwrap();
    fs::write(copy.folder().join("b.bin"), [0xff, 0xfe]).unwrap();
    symlink("/etc/passwd", copy.folder().join("link")).unwrap();
    fs::remove_file(copy.folder().join(".gitignore")).unwrap();
    let found = copy.differences(&site.blobs).unwrap();
    let shown: Vec<(&str, &Now)> = found
        .iter()
        .map(|one| (one.path.as_str(), &one.now))
        .collect();
    let text = |text: &str| Now::Text(text.to_owned());
    assert!(shown.contains(&(".gitignore", &Now::Gone)));
    assert!(shown.contains(&("src/a.txt", &text("two\n"))));
    assert!(shown.contains(&("new.txt", &text("new\n"))));
    assert!(shown.contains(&("b.bin", &Now::Unfit("it isn’t text"))));
    assert!(shown.contains(&("link", &Now::Unfit("it is a link"))));
    for one in &found {
        copy.align(&site.workspace, &one.path, false).unwrap();
    }
    assert_eq!(copy.differences(&site.blobs).unwrap(), []);
    let kept = fs::read_to_string(site.workspace.path().join("src/a.txt")).unwrap();
    assert_eq!(kept, "one\n");
}

#[test]
fn aligning_shows_nothing_that_the_agent_did_not_know() {
    let site = site();
    let root = site.workspace.path();
    fs::create_dir_all(root.join(".planwright")).unwrap();
    for path in ["key.pem", "debug.log", ".planwright/settings.json"] {
        fs::write(root.join(path), "secret\n").unwrap();
    }
    let mut copy = copy(&site);
    fs::remove_file(copy.folder().join("debug.log")).ok();
    // Git no longer ignores anything in the copy.
    fs::write(copy.folder().join(".gitignore"), "").unwrap();
    fs::write(root.join("later.txt"), "secret\n").unwrap();
    fs::create_dir_all(copy.folder().join(".planwright")).unwrap();
    for _turn in 0..2 {
        for path in [".env", "key.pem", ".planwright/settings.json", "later.txt"] {
            let own = copy.folder().join(path);
            fs::write(&own, "mine\n").unwrap();
            copy.align(&site.workspace, path, false).unwrap();
            assert!(!own.exists(), "{path}");
        }
        copy.rebase(&site.blobs).unwrap();
    }
    // The agent may keep what it wrote itself.
    for path in [".env", "new.txt"] {
        fs::write(copy.folder().join(path), "mine\n").unwrap();
        fs::write(root.join(path), "mine\n").unwrap();
        copy.align(&site.workspace, path, true).unwrap();
        let kept = fs::read_to_string(copy.folder().join(path)).unwrap();
        assert_eq!(kept, "mine\n");
    }
}

#[test]
fn what_became_another_kind_of_thing_is_put_back() {
    let site = site();
    let outside = site.below.join("outside");
    fs::create_dir_all(&outside).unwrap();
    let root = site.workspace.path();
    fs::create_dir_all(root.join("deep/er")).unwrap();
    fs::write(root.join("deep/er/b.txt"), "two\n").unwrap();
    fs::write(root.join("c.txt"), "three\n").unwrap();
    symlink("c.txt", root.join("link")).unwrap();
    let change = |kind: &str, at: &Path| match kind {
        "file" => fs::write(at, "mine\n").unwrap(),
        "folder" => {
            fs::create_dir(at).unwrap();
            fs::write(at.join("mine.txt"), "mine\n").unwrap();
        }
        "link" => symlink(&outside, at).unwrap(),
        _ => {}
    };
    for kind in ["file", "folder", "link", "nothing"] {
        for path in ["src", "src/a.txt", "deep", "deep/er", "c.txt"] {
            let copy = copy(&site);
            let own = copy.folder().join(path);
            let removed = match own.is_dir() {
                true => fs::remove_dir_all(&own),
                false => fs::remove_file(&own),
            };
            removed.unwrap();
            change(kind, &own);
            let found = copy.differences(&site.blobs).unwrap();
            for one in found.iter().chain(found.iter().rev()) {
                let aligned = copy.align(&site.workspace, &one.path, false);
                aligned.unwrap_or_else(|error| panic!("{path} {kind} {}: {error}", one.path));
            }
            let left = copy.differences(&site.blobs).unwrap();
            assert_eq!(left, [], "{path} {kind}");
            assert!(fs::read_dir(&outside).unwrap().next().is_none());
        }
    }
}

#[test]
fn a_copy_is_removed_with_its_owner() {
    let site = site();
    let copy = copy(&site);
    let folder = copy.folder().to_owned();
    drop(copy);
    assert!(!folder.exists());
}
