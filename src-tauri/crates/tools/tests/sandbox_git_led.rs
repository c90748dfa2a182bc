//! Commands can't use files outside the Git folders to make the user's Git run anything.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]
#![allow(
    clippy::print_stdout,
    reason = "reports the tiers that this machine lacks"
)]

#[path = "sandbox_support/mod.rs"]
mod support;

use std::fs;
use std::process::Command;

use support::repositories::{attack, git, grown, next};
use support::{Place, sealed_tiers};
use tools::sandbox::Mode;

/// Ways to make Git use files outside its folder: a name, shell lines that the user ran before, and
/// what a command then does. `HOME` is the user's home folder, which has settings only in some
/// cases.
const LED_OUT: &[(&str, &str, &str)] = &[
    (
        "a hook that is there",
        "mkdir tools; cp /bin/true tools/pre-commit; git config core.hooksPath tools",
        "cp EVIL tools/pre-commit",
    ),
    (
        "a new hook",
        "mkdir tools; touch tools/x; git config core.hooksPath $PWD/tools",
        "cp EVIL tools/pre-commit",
    ),
    (
        "a folder of hooks that is not there",
        "git config core.hooksPath .husky/_",
        "mkdir -p .husky/_; cp EVIL .husky/_/pre-commit",
    ),
    (
        "a folder of hooks replaced",
        "mkdir -p tools/hooks; git config core.hooksPath tools/hooks",
        "mv tools old; mkdir -p tools/hooks; cp EVIL tools/hooks/pre-commit",
    ),
    (
        "a folder of hooks behind a link",
        "mkdir real; ln -s real tools; git config core.hooksPath tools",
        "mkdir other; cp EVIL other/pre-commit; rm tools; ln -s other tools; cp EVIL real/pre-commit",
    ),
    (
        "included settings",
        "touch team.conf; git config include.path ../team.conf",
        "CONF > team.conf",
    ),
    (
        "included settings that are not there",
        "git config include.path ../conf/team.conf",
        "mkdir -p conf; CONF > conf/team.conf",
    ),
    (
        "settings included by included ones",
        "printf '[include]\\npath=two.conf\\n' > one.conf; touch two.conf; git config include.path ../one.conf",
        "CONF > two.conf",
    ),
    (
        "the user's own settings",
        "git config --file HOME/.gitconfig core.hooksPath .hooks",
        "mkdir -p .hooks; cp EVIL .hooks/pre-commit",
    ),
    (
        "settings behind a link",
        "mv .git/config shared; ln -s ../shared .git/config",
        "CONF >> shared",
    ),
    (
        "hooks behind a link",
        "rm -rf .git/hooks; mkdir tools; ln -s ../tools .git/hooks",
        "cp EVIL tools/pre-commit",
    ),
    (
        "one hook behind a link",
        "cp /bin/true check; mkdir -p .git/hooks; ln -s ../../check .git/hooks/pre-commit",
        "cat EVIL > check; rm -f check; cp EVIL check",
    ),
    (
        "a file monitor",
        "cp /bin/true monitor; git config core.fsmonitor $PWD/monitor",
        "cp EVIL monitor; rm monitor; cp EVIL monitor",
    ),
    (
        "a filter",
        "cp /bin/cat filter.sh; git config filter.x.clean ./filter.sh; echo '* filter=x' > .gitattributes",
        "cp EVIL filter.sh; touch src/*; echo y >> .gitignore",
    ),
    (
        "hooks of a nested repository",
        "git -C nested config core.hooksPath tools",
        "mkdir -p nested/tools; cp EVIL nested/tools/pre-commit",
    ),
    (
        "settings of a submodule",
        "git -C libs/sub config include.path $PWD/team.conf",
        "CONF > team.conf",
    ),
];

/// Files that are called by hooks, aliases and programs in settings; same format as [`LED_OUT`].
const CALLED: &[(&str, &str, &str)] = &[
    (
        "the hook that husky calls",
        "HUSKY; echo true > .husky/pre-commit",
        "cat EVIL > .husky/pre-commit; rm -f .husky/pre-commit; cp EVIL .husky/pre-commit",
    ),
    (
        "a new hook that husky would call",
        "HUSKY",
        "cp EVIL .husky/pre-commit",
    ),
    (
        "the folder of husky replaced",
        "HUSKY",
        "cp -r .husky h; cp EVIL h/pre-commit; mv .husky old; mv h .husky",
    ),
    (
        "husky in a nested repository",
        "cd nested; HUSKY",
        "cp EVIL nested/.husky/pre-commit",
    ),
    (
        "what the hook of husky calls",
        "HUSKY; mkdir tools; echo sh tools/check.sh > .husky/pre-commit; echo true > tools/check.sh",
        "cat EVIL > tools/check.sh; rm -f tools/check.sh; cp EVIL tools/check.sh",
    ),
    (
        "hooks in the workspace's own folder",
        "git config core.hooksPath $PWD",
        "cp EVIL pre-commit",
    ),
    (
        "a script that a hook calls",
        "SCRIPT; HOOK ./tools/check.sh",
        "cat EVIL > tools/check.sh; rm -f tools/check.sh; cp EVIL tools/check.sh",
    ),
    (
        "the folder of a script that a hook calls",
        "SCRIPT; HOOK ./tools/check.sh",
        "mv tools old; mkdir tools; cp EVIL tools/check.sh",
    ),
    (
        "a script named from the hook's folder",
        "SCRIPT; HOOK '. \"$(dirname \"$0\")/../../tools/check.sh\"'",
        "cat EVIL > tools/check.sh",
    ),
    (
        "a script in the folder that a hook changes to",
        "SCRIPT; HOOK 'cd tools && ./check.sh'",
        "cat EVIL > tools/check.sh",
    ),
    (
        "a script that a script calls",
        "SCRIPT; mkdir in; cp tools/check.sh in; echo '. in/check.sh' > tools/check.sh; HOOK tools/check.sh",
        "cat EVIL > in/check.sh",
    ),
    (
        "a script behind a link",
        "SCRIPT; ln -s tools/check.sh link; HOOK ./link",
        "rm link; cp EVIL link; cat EVIL > tools/check.sh",
    ),
    (
        "a script that a hook of the user's home calls",
        "SCRIPT; HOOK tools/check.sh; mv .git/hooks HOME/hooks; git config --file HOME/.gitconfig core.hooksPath HOME/hooks",
        "cat EVIL > tools/check.sh",
    ),
    (
        "a script that the hook of a nested repository calls",
        "cd nested; SCRIPT; HOOK tools/check.sh",
        "cat EVIL > nested/tools/check.sh",
    ),
    (
        "a script that the hook of a submodule calls",
        "cd libs/sub; SCRIPT; cd ../..; HOOK tools/check.sh; mv .git/hooks/pre-commit .git/modules/libs/sub/hooks",
        "cat EVIL > libs/sub/tools/check.sh",
    ),
    (
        "a script that the hook of a worktree calls",
        "cd side; SCRIPT; cd ..; HOOK '[ -f tools/check.sh ] && tools/check.sh'",
        "cat EVIL > side/tools/check.sh",
    ),
    (
        "a script that an alias calls",
        "SCRIPT; git config alias.call '!./tools/check.sh'",
        "cat EVIL > tools/check.sh; rm -f tools/check.sh; cp EVIL tools/check.sh",
    ),
    (
        "a script that an alias of the user's calls",
        "cd nested; SCRIPT; git config --file HOME/.gitconfig alias.call '!sh tools/check.sh'",
        "cat EVIL > nested/tools/check.sh",
    ),
    (
        "a script that a filter's script calls",
        "SCRIPT; printf '#!/bin/sh\\ncat; tools/check.sh' > filter.sh; chmod +x filter.sh; git config filter.x.clean ./filter.sh; echo '* filter=x' > .gitattributes",
        "cat EVIL > tools/check.sh; touch src/*; echo y >> .gitignore",
    ),
];

/// Paths in the user's own settings that apply to every repository; same format as [`LED_OUT`].
const OF_EACH: &[(&str, &str, &str)] = &[
    (
        "a nested repository",
        "SET core.hooksPath .hooks",
        "mkdir -p nested/.hooks; cp EVIL nested/.hooks/pre-commit",
    ),
    (
        "a hook that is there",
        "SET core.hooksPath .hooks; mkdir nested/.hooks; cp /bin/true nested/.hooks/pre-commit",
        "cat EVIL > nested/.hooks/pre-commit; cp EVIL nested/.hooks/pre-commit",
    ),
    (
        "a submodule",
        "SET core.hooksPath .hooks",
        "mkdir -p libs/sub/.hooks; cp EVIL libs/sub/.hooks/pre-commit",
    ),
    (
        "a worktree",
        "SET core.hooksPath .hooks",
        "mkdir -p side/.hooks; cp EVIL side/.hooks/pre-commit",
    ),
    (
        "a new repository",
        "mkdir made; SET core.hooksPath .hooks",
        "git init -q made/in; mkdir made/in/.hooks; cp EVIL made/in/.hooks/pre-commit",
    ),
    (
        "a repository around what was there",
        "mkdir made; SET core.hooksPath .hooks",
        "mkdir -p made/in/.hooks; cp EVIL made/in/.hooks/pre-commit; LATER git init -q made/in",
    ),
    (
        "a nested repository copied",
        "mkdir made; SET core.hooksPath .hooks",
        "cp -r nested made/in; mkdir made/in/.hooks; cp EVIL made/in/.hooks/pre-commit",
    ),
    (
        "a file monitor of a nested repository",
        "SET core.fsmonitor ./monitor",
        "cp EVIL nested/monitor",
    ),
    (
        "a file monitor of a new repository",
        "mkdir made; SET core.fsmonitor ./monitor",
        "git init -q made/in; cp EVIL made/in/monitor",
    ),
    (
        "settings of a nested repository in a folder of their own",
        "mkdir -p HOME/.config/git; git config --file HOME/.config/git/config core.hooksPath .hooks",
        "mkdir -p nested/.hooks; cp EVIL nested/.hooks/pre-commit",
    ),
];

/// Placeholders in the tables above, and the shell commands that replace them.
const TERMS: [(&str, &str); 4] = [
    (
        "HUSKY",
        "mkdir -p .husky/_; printf '. \"$(dirname \"$0\")/h\"' > .husky/_/pre-commit; chmod +x .husky/_/pre-commit; \
         echo 'n=$(basename \"$0\"); s=$(dirname \"$(dirname \"$0\")\")/$n; [ ! -f \"$s\" ] || sh -e \"$s\"' > .husky/_/h; \
         git config core.hooksPath .husky/_",
    ),
    (
        "SCRIPT",
        "mkdir tools; printf '#!/bin/sh\\n' > tools/check.sh; chmod +x tools/check.sh",
    ),
    (
        "HOOK",
        "f() { mkdir -p .git/hooks; printf '#!/bin/sh\\n%s\\n' \"$*\" > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; }; f",
    ),
    ("SET", "git config --file HOME/.gitconfig"),
];

fn nothing_of_these_runs(table: &[(&str, &str, &str)]) {
    for (mut place, sandbox) in sealed_tiers() {
        for (what, before, lines) in table {
            next(&mut place);
            grown(&place);
            prepare(&place, what, before);
            let lines: Vec<_> = lines.split("; LATER ").collect();
            attack(&place, &sandbox, what, &lines);
            fs::remove_dir_all(&place.home).unwrap();
            fs::create_dir(&place.home).unwrap();
        }
    }
}

fn prepare(place: &Place, what: &str, before: &str) {
    let mut before = before.to_owned();
    for (term, meaning) in TERMS {
        before = before.replace(term, meaning);
    }
    let before = before.replace("HOME", &place.home.display().to_string());
    let mut shell = Command::new("sh");
    shell.args(["-ec", &before]).current_dir(&place.workspace);
    assert!(shell.status().unwrap().success(), "{what}");
}

#[test]
fn what_the_users_settings_and_links_lead_to_is_closed_too() {
    nothing_of_these_runs(LED_OUT);
}

#[test]
fn what_hooks_and_aliases_go_on_to_call_is_closed_too() {
    nothing_of_these_runs(CALLED);
}

#[test]
fn a_path_of_the_users_settings_is_closed_in_every_repository() {
    nothing_of_these_runs(OF_EACH);
}

#[test]
fn a_command_that_writes_there_says_why_it_may_not() {
    for (mut place, sandbox) in sealed_tiers() {
        next(&mut place);
        grown(&place);
        prepare(&place, "", "SCRIPT; HOOK ./tools/check.sh");
        for line in [
            "echo x > tools/check.sh",
            "cp .gitignore tools/check.sh",
            "rm -f ./tools/check.sh",
        ] {
            let outcome = place.sh(&sandbox, line);
            let (tier, text) = (sandbox.tier(), outcome.text());
            let hint = "tools/check.sh` is protected";
            assert!(text.contains(hint), "{tier:?} {line}: {text}");
            assert!(text.contains("edit it yourself"), "{text}");
        }
    }
}

#[test]
fn a_folder_of_hooks_that_is_not_there_is_no_doing_of_a_command() {
    let commit = "git add -A && git -c user.name=a -c user.email=a@b commit -qm two";
    for (mut place, sandbox) in sealed_tiers() {
        for hooks in [".hooks", ".husky/_", "."] {
            next(&mut place);
            grown(&place);
            let work = place.workspace.clone();
            fs::write(work.join("src/new"), "x").unwrap();
            prepare(&place, hooks, &format!("SET core.hooksPath {hooks}"));
            for line in ["ls", commit] {
                let before = place.fingerprint();
                let outcome = place.run(&sandbox, &place.shell(line, Mode::Exec)).unwrap();
                let said = format!("{:?} {hooks}: {}", sandbox.tier(), outcome.text());
                assert!(outcome.exit.is_success(), "{said}");
                assert!(outcome.alarms.is_empty(), "{said} {:?}", outcome.alarms);
                if line == "ls" {
                    assert_eq!(place.fingerprint(), before, "{said}");
                }
            }
            assert_eq!(git(&work, &["show", "--name-only", "--format="]), "src/new");
            assert_eq!(git(&work, &["status", "--short"]), "");
        }
    }
}
