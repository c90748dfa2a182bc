//! Files that a command leaves behind must not run in the user's next Git call.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]
#![allow(
    clippy::print_stdout,
    reason = "reports the tiers that this machine lacks"
)]

#[path = "sandbox_support/mod.rs"]
mod support;

use std::fs;

use support::repositories::{attack, git, grown, next, nothing_runs, prepared};
use support::sealed_tiers;
use tools::sandbox::{Mode, Tier};

/// Attacks with their commands, one per line, which run one after the other. `EVIL` is the path of
/// a program, and `CONF` is a configuration that names it.
const ATTACKS: &[(&str, &[&str])] = &[
    (
        "moved HEAD, then commondir",
        &[
            "mv .git/HEAD src/HEAD",
            "mkdir -p src/g/refs src/g/objects; CONF > src/g/config; echo $PWD/src/g > .git/commondir",
            "mv src/HEAD .git/HEAD",
        ],
    ),
    (
        "moved HEAD in one command",
        &[
            "mv .git/HEAD h; mkdir -p src/g/refs src/g/objects; CONF > src/g/config; echo $PWD/src/g > .git/commondir; mv h .git/HEAD",
        ],
    ),
    (
        "the folder of a worktree",
        &[
            "mkdir -p src/g/refs src/g/objects; CONF > src/g/config; echo $PWD/src/g > .git/worktrees/side/commondir",
        ],
    ),
    (
        "the link of a worktree",
        &[
            "mkdir -p src/g/refs src/g/objects; cp .git/HEAD src/g; CONF > src/g/config; echo gitdir: $PWD/src/g > side/.git",
        ],
    ),
    (
        "a new worktree's settings",
        &["git config extensions.worktreeConfig true; CONF > .git/worktrees/side/config.worktree"],
    ),
    (
        "a submodule's settings",
        &["CONF >> .git/modules/libs/sub/config"],
    ),
    (
        "a submodule's hooks",
        &["cp EVIL .git/modules/libs/sub/hooks/pre-commit"],
    ),
    (
        "a submodule's link",
        &[
            "cp -r .git/modules/libs/sub src/g; CONF >> src/g/config; echo gitdir: $PWD/src/g > libs/sub/.git",
        ],
    ),
    (
        "a nested repository's settings",
        &["CONF >> nested/.git/config"],
    ),
    (
        "a nested repository's hooks",
        &["cp EVIL nested/.git/hooks/pre-commit"],
    ),
    (
        "a nested repository moved",
        &["mv nested made; CONF >> made/.git/config"],
    ),
    (
        "a nested repository copied",
        &["cp -r nested made; CONF >> made/.git/config"],
    ),
    (
        "a folder above it moved",
        &["mkdir made; mv nested made/in; CONF >> made/in/.git/config"],
    ),
    (
        "a bare repository's settings",
        &[
            "CONF >> bare/config; git -C bare config core.bare false; git -C bare config core.worktree $PWD/src",
        ],
    ),
    (
        "a new repository's settings",
        &["mkdir -p made; git init -q made; CONF >> made/.git/config"],
    ),
    (
        "a new repository's hooks",
        &[
            "mkdir -p src/in; git init -q src/in; cp EVIL src/in/.git/hooks/pre-commit; mkdir -p made; cp -r src/in made/in",
        ],
    ),
    (
        "a new bare repository",
        &[
            "git init -q --bare src/b; git -C src/b config core.bare false; git -C src/b config core.worktree $PWD; CONF >> src/b/config; mkdir -p made; echo gitdir: $PWD/src/b > made/.git",
        ],
    ),
    (
        "a repository in the source folder",
        &["git init -q src; CONF >> src/.git/config"],
    ),
    (
        "a folder nobody may list",
        &["mkdir -p made/in; git init -q made/in; CONF >> made/in/.git/config; chmod 300 made"],
    ),
    (
        "a commondir of its own",
        &[
            "git init -q made; mkdir -p src/c; cp -r made/.git/objects made/.git/refs src/c; CONF > src/c/config; echo $PWD/src/c > made/.git/commondir",
        ],
    ),
    (
        "a Git folder in a Git folder",
        &[
            "git init -q made; git init -q --bare made/.git/x; CONF >> made/.git/x/config; mkdir made/in; echo gitdir: ../.git/x > made/in/.git",
        ],
    ),
    (
        "the whole folder replaced",
        &["mv .git src/old; git init -q .; CONF >> .git/config"],
    ),
    (
        "a link in its place",
        &["git init -q src/x; CONF >> src/x/.git/config; rm -rf .git; ln -s src/x/.git .git"],
    ),
    (
        "settings through a mode",
        &["chmod -R u+w .git; CONF >> .git/config; cp EVIL .git/hooks/pre-commit"],
    ),
    (
        "info attributes and a filter",
        &["echo '* filter=x' > .git/info/attributes; git config filter.x.clean EVIL"],
    ),
];

#[test]
fn no_command_makes_the_next_git_of_the_user_run_anything() {
    for (mut place, sandbox) in sealed_tiers() {
        for (what, lines) in ATTACKS {
            next(&mut place);
            grown(&place);
            attack(&place, &sandbox, what, lines);
        }
    }
}

#[test]
fn a_step_approved_to_commit_commits_in_every_kind_of_repository() {
    let commit = "git add -A && git -c user.name=a -c user.email=a@b commit -qm two";
    for (mut place, sandbox) in sealed_tiers() {
        for folder in ["", "side", "libs/sub", "nested", "detached"] {
            next(&mut place);
            grown(&place);
            git(
                &place.workspace,
                &["worktree", "add", "-q", "--detach", "detached"],
            );
            place.workspace = place.workspace.join(folder);
            let (tier, work) = (sandbox.tier(), place.workspace.clone());
            fs::create_dir_all(work.join("src")).unwrap();
            fs::write(work.join("src/new"), "x").unwrap();
            let outcome = place
                .run(&sandbox, &place.shell(commit, Mode::Exec))
                .unwrap();
            let said = format!("{tier:?} in {folder:?}: {}", outcome.text());
            assert!(
                outcome.exit.is_success() && outcome.alarms.is_empty(),
                "{said}"
            );
            assert!(git(&work, &["log", "--oneline"]).contains("two"), "{said}");
            assert_eq!(git(&work, &["status", "--short"]), "", "{said}");
            assert!(git(&work, &["reflog"]).lines().count() >= 2, "{said}");
            assert_eq!(git(&work, &["fsck"]), "", "{said}");
            // Reading changes nothing, and Git commands other than commits have no effect.
            for line in ["git status --short", "git diff HEAD~1", "git log -1"] {
                let looked = place.run(&sandbox, &place.shell(line, Mode::Exec)).unwrap();
                assert!(looked.exit.is_success(), "{said} {line} {}", looked.text());
            }
            let refused = place.shell("git add -A && git switch -qc other", Mode::Exec);
            place.run(&sandbox, &refused).unwrap();
            assert!(!git(&work, &["branch"]).contains("* other"), "{said}");
        }
    }
}

#[test]
fn what_is_approved_to_commit_gets_no_more_than_that() {
    let commit = "git -c user.name=a -c user.email=a@b commit -qm two --allow-empty";
    let attacks = [
        ("settings", "CONF >> .git/config"),
        ("hooks", "cp EVIL .git/hooks/pre-commit"),
        ("commondir", "echo $PWD/src > .git/commondir"),
        (
            "a log that leads elsewhere",
            "rm .git/logs/HEAD; ln -s $PWD/../home/profile .git/logs/HEAD",
        ),
        (
            "a worktree",
            "echo $PWD/src > .git/worktrees/side/commondir",
        ),
        (
            "the desk's settings",
            "CONF > $GIT_DIR/config; CONF > $GIT_DIR/config.worktree",
        ),
        (
            "the desk's hooks",
            "mkdir -p $GIT_DIR/hooks; cp EVIL $GIT_DIR/hooks/pre-commit",
        ),
    ];
    for (mut place, sandbox) in sealed_tiers() {
        for (what, line) in attacks {
            next(&mut place);
            grown(&place);
            if sandbox.tier() == Tier::Landlock {
                // In this tier, a line with a commit is refused if the workspace contains other
                // repositories.
                for folder in ["nested", "bare", "side", "libs"] {
                    fs::remove_dir_all(place.workspace.join(folder)).unwrap();
                }
            }
            let (evil, conf) = prepared(&place);
            let line = line.replace("CONF", &conf).replace("EVIL", &evil);
            let line = format!("{line}; {commit}");
            place
                .run(&sandbox, &place.shell(&line, Mode::Exec))
                .unwrap();
            nothing_runs(&place, &format!("{:?}: {what}", sandbox.tier()));
            let profile = place.home.join("profile");
            assert!(!profile.exists(), "{:?}: {what}", sandbox.tier());
        }
    }
}

#[test]
fn without_that_approval_nothing_of_git_is_written() {
    for (place, sandbox) in sealed_tiers() {
        grown(&place);
        let before = git(&place.workspace, &["rev-parse", "HEAD"]);
        let line = "sh -c 'git -c user.name=a -c user.email=a@b commit --allow-empty -m x'";
        let mut spec = place.argv(line, Mode::Exec);
        spec.commits = false;
        assert!(!place.run(&sandbox, &spec).unwrap().exit.is_success());
        assert_eq!(git(&place.workspace, &["rev-parse", "HEAD"]), before);
    }
}

#[test]
fn a_step_commits_in_the_workspaces_own_repository_and_in_no_other() {
    let commit = "git add -A && git -c user.name=a -c user.email=a@b commit -qm two";
    let lines = [
        ("", format!("bash -c 'cd nested && {commit}'")),
        ("", format!("{commit} && git -C nested commit -m x")),
        ("", format!("sh src/nested.sh && {commit}")),
        ("src", commit.to_owned()),
    ];
    for (mut place, sandbox) in sealed_tiers() {
        for (folder, line) in &lines {
            next(&mut place);
            grown(&place);
            let work = place.workspace.clone();
            for file in ["nested/new", "new", "src/new"] {
                fs::write(work.join(file), "x").unwrap();
            }
            let script = format!("cd nested && {commit}\n");
            fs::write(work.join("src/nested.sh"), script).unwrap();
            place.workspace = work.join(folder);
            let ran = place.run(&sandbox, &place.shell(line, Mode::Exec));
            let said = format!("{:?} {line}: {ran:?}", sandbox.tier());
            assert_eq!(git(&work, &["log", "--format=%s"]), "one", "{said}");
            let nested = git(&work.join("nested"), &["log", "--format=%s"]);
            assert_eq!(nested, "one", "{said}");
            assert!(!ran.is_ok_and(|ran| ran.exit.is_success()), "{said}");
        }
    }
}

#[test]
fn a_commit_leaves_a_split_index_whole() {
    for (mut place, sandbox) in sealed_tiers() {
        next(&mut place);
        grown(&place);
        let work = &place.workspace;
        git(work, &["config", "core.splitIndex", "true"]);
        git(work, &["update-index", "--split-index"]);
        for name in ["one", "two"] {
            fs::write(work.join(name), "x").unwrap();
            let line = "git add -A && git -c user.name=a -c user.email=a@b commit -qm next";
            let outcome = place.sh(&sandbox, line);
            let said = format!("{:?}: {}", sandbox.tier(), outcome.text());
            assert!(outcome.exit.is_success(), "{said}");
            assert!(outcome.alarms.is_empty(), "{said} {:?}", outcome.alarms);
            assert_eq!(git(work, &["status", "--short"]), "", "{said}");
            assert!(git(work, &["log", "--stat", "-1"]).contains(name), "{said}");
        }
    }
}

#[test]
fn a_commit_in_a_nested_repository_or_submodule_says_where_it_can_be_made() {
    for (mut place, sandbox) in sealed_tiers() {
        for folder in ["nested", "libs/sub"] {
            next(&mut place);
            grown(&place);
            for line in [
                format!("git -C {folder} commit -qam x"),
                format!("cd {folder} && git add -A && git commit -qm x"),
            ] {
                fs::write(place.workspace.join(folder).join("new"), "x").unwrap();
                let outcome = place.sh(&sandbox, &line);
                let root = place.workspace.join(folder);
                let hint = format!("run a plan with `--workspace {}`", root.display());
                let text = outcome.text();
                assert!(text.contains(&hint), "{:?} {line}: {text}", sandbox.tier());
                assert!(!outcome.exit.is_success());
            }
        }
    }
}
