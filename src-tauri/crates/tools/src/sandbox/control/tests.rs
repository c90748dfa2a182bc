//! Changes that could run something are reverted or disarmed; harmless ones stay.

use super::*;

const PLAIN: &str = "[core]\n\trepositoryformatversion = 0\n";
const EVIL: &str = "[core]\n\tfsmonitor = ./evil\n";

fn repository() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let git = folder.path().canonicalize().unwrap().join(".git");
    made(&git);
    (folder, git)
}

fn made(git: &Path) {
    for name in [
        "hooks",
        "info",
        "objects",
        "refs",
        "worktrees/side",
        "modules/a/b",
    ] {
        fs::create_dir_all(git.join(name)).unwrap();
    }
    for name in ["", "worktrees/side", "modules/a/b"] {
        fs::write(git.join(name).join("HEAD"), "ref: refs/heads/main\n").unwrap();
        fs::write(git.join(name).join("config"), PLAIN).unwrap();
    }
    fs::write(git.join("worktrees/side/commondir"), "../..\n").unwrap();
    fs::write(git.join("hooks/a.sample"), "x").unwrap();
}

fn settle(git: &Path, change: impl FnOnce()) -> Vec<String> {
    let control = Control::take([git.to_owned()], Vec::new());
    change();
    let aside = git.parent().unwrap().join("aside");
    control.restore(&[git.to_owned()], &aside)
}

#[test]
fn what_decides_what_git_runs_is_put_back_and_kept_aside() {
    for name in [
        "config",
        "worktrees/side/commondir",
        "worktrees/side/config",
        "modules/a/b/config",
    ] {
        let (_keep, git) = repository();
        let before = fs::read(git.join(name)).unwrap();
        let alarms = settle(&git, || fs::write(git.join(name), EVIL).unwrap());
        assert_eq!(alarms.len(), 1, "{name}: {alarms:?}");
        assert_eq!(fs::read(git.join(name)).unwrap(), before, "{name}");
        let aside = fs::read_dir(git.parent().unwrap().join("aside"));
        assert_eq!(aside.unwrap().count(), 1, "{name}");
    }
    let (_keep, git) = repository();
    let alarms = settle(&git, || fs::remove_file(git.join("HEAD")).unwrap());
    assert!(
        git.join("HEAD").is_file() && alarms.len() == 1,
        "{alarms:?}"
    );
}

#[test]
fn what_is_new_is_left_only_what_can_run_nothing() {
    for name in [
        "commondir",
        "hooks/pre-commit",
        "modules/a/b/hooks/x",
        "worktrees/side/hooks/y",
    ] {
        let (_keep, git) = repository();
        let alarms = settle(&git, || {
            fs::create_dir_all(git.join(name).parent().unwrap()).unwrap();
            fs::write(git.join(name), "/elsewhere").unwrap();
        });
        assert_eq!(alarms.len(), 1, "{name}: {alarms:?}");
        assert!(!git.join(name).exists(), "{name}");
    }
    let (_keep, git) = repository();
    let alarms = settle(&git, || {
        fs::write(git.join("config.worktree"), EVIL).unwrap()
    });
    assert_eq!(alarms.len(), 1, "{alarms:?}");
    assert!(
        !fs::read_to_string(git.join("config.worktree"))
            .unwrap()
            .contains("evil")
    );
}

#[test]
fn the_users_own_work_with_git_meanwhile_stays() {
    let (_keep, git) = repository();
    let mine = format!("{PLAIN}[user]\n\tname = Me\n[branch \"b\"]\n\tremote = origin\n");
    let alarms = settle(&git, || {
        fs::write(git.join("HEAD"), "ref: refs/heads/other\n").unwrap();
        fs::write(git.join("config"), &mine).unwrap();
        fs::write(git.join("info/exclude"), "x").unwrap();
        fs::create_dir(git.join("worktrees/new")).unwrap();
        fs::write(git.join("worktrees/new/HEAD"), "ref: refs/heads/new\n").unwrap();
        fs::write(git.join("worktrees/new/commondir"), "../..\n").unwrap();
        fs::remove_dir_all(git.join("worktrees/side")).unwrap();
    });
    assert_eq!(alarms, Vec::<String>::new());
    assert_eq!(fs::read_to_string(git.join("config")).unwrap(), mine);
    assert!(git.join("worktrees/new/commondir").exists());
}

#[test]
fn a_new_repository_as_git_makes_it_stays_as_it_is() {
    let (_keep, git) = repository();
    let control = Control::take([git.clone()], Vec::new());
    let new = git.parent().unwrap().join("new/.git");
    made(&new);
    let found = [git.clone(), new.clone()];
    let aside = git.parent().unwrap().join("aside");
    assert_eq!(control.restore(&found, &aside), Vec::<String>::new());
    assert!(!aside.exists());
}

#[test]
fn what_is_moved_away_in_two_steps_is_all_kept() {
    let (_keep, git) = repository();
    let control = Control::take([git.clone()], Vec::new());
    let top = git.parent().unwrap();
    let (new, aside) = (top.join("new/.git"), top.join("aside"));
    made(&new);
    fs::create_dir(top.join("new/hooks")).unwrap();
    for folder in ["new/.git/hooks", "new/hooks"] {
        fs::write(top.join(folder).join("pre-commit"), folder).unwrap();
    }
    let found = [git.clone(), new.clone()];
    assert_eq!(control.restore(&found, &aside).len(), 1);
    let places = [top.join("new/hooks"), new.join("config"), git.join("hooks")];
    let alarms = control.close(places.into_iter(), &[new], &aside);
    assert!(
        alarms[0].contains("would run in a repository"),
        "{alarms:?}"
    );
    assert_eq!(alarms.len(), 1, "{alarms:?}");
    let kept = fs::read_dir(&aside).unwrap().flatten();
    let mut kept: Vec<_> = kept
        .map(|entry| fs::read_to_string(entry.path()).unwrap())
        .collect();
    kept.sort();
    assert_eq!(kept, ["new/.git/hooks", "new/hooks"]);
}
