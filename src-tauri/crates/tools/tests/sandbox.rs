//! Commands in each tier that this machine supports: escapes, how commands end, limits and the
//! durable outcome.
//!
//! A tier that the machine lacks is reported by its own test and skipped by the others.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]
#![allow(
    clippy::print_stdout,
    reason = "reports the tiers that this machine lacks"
)]

#[path = "sandbox_support/mod.rs"]
mod support;

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use support::{Place, every_tier, sealed_tiers};
use tools::sandbox::{
    CancelToken, CommandSpec, Exit, Mode, Sandbox, SandboxError, Tier, Wanted, read_outcome_record,
};

#[test]
fn the_probe_refuses_every_escape_in_each_tier_it_offers() {
    for (place, sandbox) in sealed_tiers() {
        let report = sandbox.report();
        let names: Vec<_> = report
            .attempts
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        for name in [
            "open",
            "truncate",
            "chmod",
            "utime",
            "xattr",
            "symlink_swap",
            "hard_link",
            "tcp",
            "udp",
            "unix_socket",
            "datagram_pair",
            "plan_datagram_pair",
            "setsid_child",
            "git_hooks",
            "plan_chmod",
            "plan_fifo",
            "plan_private_file",
            "git_commondir",
            "git_moved_head",
            "git_nested",
            "kernel_settings",
            "limits_of_another",
            "sysv_shared_memory",
            "read_unlisted",
        ] {
            assert!(
                names.contains(&name),
                "{name} was tried in {:?}",
                report.tier
            );
        }
        for attempt in &report.attempts {
            assert!(attempt.refused, "{:?}: {attempt:?}", report.tier);
            println!("{:?} {attempt:?}", report.tier);
        }
        let left = fs::read_dir(&place.data).unwrap().flatten();
        let mut left = left.map(|entry| entry.file_name().into_string().unwrap());
        assert!(
            left.all(|name| name.ends_with(".json")),
            "the trial leaves nothing but its proof"
        );
    }
}

#[test]
fn a_probe_is_quick_enough_for_the_start_of_a_run() {
    let place = Place::new();
    let begun = Instant::now();
    let sandbox = place.probe(Wanted::Auto);
    let took = begun.elapsed();
    println!("{:?} in {took:?}", sandbox.tier());
    assert!(
        took < Duration::from_millis(1500),
        "{took:?}, with slack for a busy machine"
    );
}

#[test]
fn without_a_sandbox_plan_mode_runs_nothing_and_says_why() {
    let place = Place::new();
    let sandbox = place.probe(Wanted::None);
    assert_eq!(sandbox.tier(), Tier::None);
    assert_eq!(sandbox.report().unavailable.len(), 2);
    let refused = place
        .run(&sandbox, &place.shell("touch x", Mode::Plan))
        .unwrap_err();
    assert!(
        matches!(refused, SandboxError::PlanNeedsSandbox { .. }),
        "{refused}"
    );
    assert!(!place.workspace.join("x").exists());
}

#[test]
fn exit_codes_signals_and_both_streams_arrive() {
    for (place, sandbox) in every_tier() {
        let tier = sandbox.tier();
        let outcome = place.sh(&sandbox, "echo out; echo err >&2; exit 7");
        assert_eq!(outcome.exit, Exit::Exited(7), "{tier:?}");
        assert!(outcome.text().contains("out\n") && outcome.text().contains("err\n"));
        assert_eq!((outcome.bytes, outcome.tier), (8, tier));
        let outcome = place.sh(&sandbox, "kill -KILL $$");
        assert_eq!(outcome.exit, Exit::Signaled(9), "{tier:?}");
        assert!(
            place
                .sh(&sandbox, "echo x > src/new; test -z \"$(cat)\"")
                .exit
                .is_success()
        );
        assert_eq!(
            fs::read_to_string(place.workspace.join("src/new")).unwrap(),
            "x\n"
        );
    }
}

#[test]
fn what_a_command_is_given_to_read_and_what_it_was_granted_reach_it_and_no_other() {
    for (place, sandbox) in every_tier() {
        let tier = sandbox.tier();
        let mut spec = place.shell("cat; echo key=$OTHER_KEY", Mode::Exec);
        spec.stdin = Some("the brief\n".repeat(20_000));
        spec.granted = vec![("OTHER_KEY".to_owned(), "s3".to_owned())];
        let outcome = place.run(&sandbox, &spec).unwrap();
        assert!(outcome.text().starts_with("the brief\n"), "{tier:?}");
        assert!(outcome.text().ends_with("key=s3\n"), "{tier:?}");
        assert_eq!(outcome.bytes, 200_007, "{tier:?}");
        let outcome = place.sh(&sandbox, "cat; echo key=$OTHER_KEY");
        assert_eq!(outcome.text(), "key=\n", "{tier:?}");
    }
}

#[test]
fn the_network_is_granted_by_namespaces_and_refused_where_it_cannot_be() {
    for (place, sandbox) in every_tier() {
        let mut spec = place.shell("grep -c : /proc/net/dev", Mode::Exec);
        spec.network = true;
        match (sandbox.tier(), place.run(&sandbox, &spec)) {
            (Tier::Landlock, outcome) => {
                assert!(
                    matches!(outcome, Err(SandboxError::Setup { .. })),
                    "{outcome:?}"
                );
            }
            (_, outcome) => assert!(outcome.unwrap().exit.is_success()),
        }
    }
}

#[test]
fn a_missing_program_one_that_may_not_run_and_a_missing_workspace_are_told_apart() {
    for (place, sandbox) in every_tier() {
        let missing = place.run(&sandbox, &place.argv("no-such-program-here", Mode::Exec));
        assert!(
            matches!(missing, Err(SandboxError::ProgramNotFound { .. })),
            "{missing:?}"
        );
        fs::write(place.workspace.join("x.sh"), "#!/bin/sh\n").unwrap();
        let closed = place.run(&sandbox, &place.argv("./x.sh", Mode::Exec));
        let said = closed.unwrap_err().to_string();
        assert!(said.contains("Run `chmod +x ./x.sh`"), "{said}");
        let mut spec = place.shell("true", Mode::Exec);
        spec.workspace = place.workspace.join("gone");
        let gone = place.run(&sandbox, &spec);
        assert!(
            matches!(gone, Err(SandboxError::WorkspaceGone { .. })),
            "{gone:?}"
        );
    }
}

#[test]
fn plan_mode_changes_nothing_but_has_a_temporary_folder() {
    for (place, sandbox) in sealed_tiers() {
        let before = place.fingerprint();
        let line = "echo x > \"$TMPDIR/t\" && cat \"$TMPDIR/t\"; touch src/a; touch src/main.txt; \
                    chmod 600 src/main.txt; rm -rf src; mkdir new; git status; exit 3";
        let outcome = place.run(&sandbox, &place.shell(line, Mode::Plan)).unwrap();
        assert_eq!(outcome.exit, Exit::Exited(3), "{}", outcome.text());
        assert!(outcome.text().starts_with("x\n"), "{}", outcome.text());
        assert_eq!(place.fingerprint(), before, "{:?}", sandbox.tier());
    }
}

#[test]
fn protected_names_cannot_be_written_made_or_moved_away() {
    for (place, sandbox) in sealed_tiers() {
        let before = place.fingerprint();
        for line in [
            "echo x > .git/hooks/pre-commit",
            "echo x >> .git/config",
            "mv .git away",
            "mv .git src/away; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit",
            "rm -rf .git/hooks .git/config",
            "mkdir .planwright",
            "mkdir -p .planwright/templates && echo x > .planwright/settings.json",
            "rmdir .planwright; ln -s src .planwright",
            "echo x >> plans/plan.md",
            "mv plans src/plans",
            "rm plans/plan.md",
            "ln -sf ../src/main.txt plans/plan.md",
            "echo x > absent-plan.md",
            "echo src > .git/commondir",
            "echo x > .git/config.worktree",
        ] {
            let mut spec = place.shell(line, Mode::Exec);
            spec.protected = vec![
                place.workspace.join("plans/plan.md"),
                "absent-plan.md".into(),
            ];
            let outcome = place.run(&sandbox, &spec).unwrap();
            let tier = sandbox.tier();
            assert!(
                !outcome.exit.is_success(),
                "{tier:?}: {line}: {}",
                outcome.text()
            );
            assert_eq!(place.fingerprint(), before, "{tier:?}: {line}");
        }
    }
}

#[test]
fn a_confined_command_writes_where_it_may_and_nowhere_else() {
    for (place, sandbox) in sealed_tiers() {
        let tier = sandbox.tier();
        fs::create_dir_all(place.workspace.join("own/deep")).unwrap();
        fs::write(place.workspace.join("one.txt"), "1").unwrap();
        std::os::unix::fs::symlink("src", place.workspace.join("link")).unwrap();
        let before = place.fingerprint();
        let confined = |line: &str| {
            let mut spec = place.shell(line, Mode::Exec);
            let names = ["own", "one.txt", "absent", "link"];
            spec.writable = Some(names.iter().map(PathBuf::from).collect());
            place.run(&sandbox, &spec).unwrap()
        };
        for line in [
            "echo x > src/main.txt",
            "echo x > link/main.txt",
            "echo x > new",
            "echo x > absent",
            "mv own away",
            "mkdir .git/hooks/x",
            "git commit --allow-empty -m x",
        ] {
            let outcome = confined(line);
            assert!(!outcome.exit.is_success(), "{tier:?}: {line}");
            assert_eq!(place.fingerprint(), before, "{tier:?}: {line}");
        }
        let outcome = confined(
            "echo x > own/new && mv own/new own/deep/ && echo 2 > one.txt && cat src/main.txt",
        );
        assert!(outcome.exit.is_success(), "{tier:?}: {}", outcome.text());
        let made = fs::read_to_string(place.workspace.join("own/deep/new"));
        assert_eq!(made.unwrap(), "x\n");
        let written = fs::read_to_string(place.workspace.join("one.txt"));
        assert_eq!(written.unwrap(), "2\n");
    }
}

#[test]
fn secrets_data_and_keys_are_out_of_sight() {
    for (place, sandbox) in sealed_tiers() {
        fs::create_dir_all(place.home.join(".ssh")).unwrap();
        fs::write(place.home.join(".ssh/id"), "hidden words").unwrap();
        fs::write(place.home.join(".netrc"), "hidden words").unwrap();
        fs::write(place.data.join("planwright.db"), "hidden words").unwrap();
        let line = format!(
            "cat {0}/.ssh/id {0}/.netrc {1}/planwright.db; env; \
             cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -c ^CARGO_MANIFEST_DIR",
            place.home.display(),
            place.data.display()
        );
        let mut spec = place.shell(&line, Mode::Exec);
        spec.env = vec![
            ("MY_API_KEY".into(), "hidden words".into()),
            ("PLAIN".into(), "plain words".into()),
        ];
        let text = place.run(&sandbox, &spec).unwrap().text();
        assert!(
            !text.contains("hidden words"),
            "{:?}: {text}",
            sandbox.tier()
        );
        assert!(
            text.contains("PLAIN=plain words") && text.contains("TERM=dumb"),
            "{text}"
        );
        assert!(text.contains("PLANWRIGHT_RUN="), "{text}");
        // The command must not be able to read the test runner's own environment.
        assert!(text.contains("\n0\n"), "{text}");
    }
}

#[test]
fn no_power_of_root_is_left_inside() {
    for (place, sandbox) in sealed_tiers() {
        let outcome = place.sh(
            &sandbox,
            "grep -E '^(Cap(Eff|Prm|Bnd)|NoNewPrivs|Seccomp):' /proc/self/status",
        );
        let text = outcome.text();
        if text.contains("CapEff") {
            assert!(
                text.contains("CapEff:\t0000000000000000"),
                "{:?} {text}",
                sandbox.tier()
            );
            assert!(
                text.contains("CapPrm:\t0000000000000000"),
                "{:?} {text}",
                sandbox.tier()
            );
            assert!(
                text.contains("NoNewPrivs:\t1") && text.contains("Seccomp:\t2"),
                "{text}"
            );
        }
        let refused = "mknod src/device b 254 0 || unshare -r true || mount -t tmpfs none src";
        assert!(
            !place.sh(&sandbox, refused).exit.is_success(),
            "{:?}",
            sandbox.tier()
        );
    }
}

#[test]
fn no_open_file_of_the_app_or_the_helper_reaches_the_command() {
    for (place, sandbox) in every_tier() {
        let kept = fs::File::open(place.workspace.join("src/main.txt")).unwrap();
        // Let the command inherit the file descriptor, as from a program that leaks it.
        rustix::io::fcntl_setfd(&kept, rustix::io::FdFlags::empty()).unwrap();
        let outcome = place.sh(
            &sandbox,
            "for f in 3 4 5 6 7 8 9; do true <&$f && echo $f; done",
        );
        let open: Vec<_> = outcome
            .text()
            .lines()
            .filter(|line| line.len() == 1)
            .map(str::to_owned)
            .collect();
        assert!(open.is_empty(), "{:?} {open:?}", sandbox.tier());
    }
}

#[test]
fn a_gigabyte_of_output_is_counted_and_bounded() {
    for (place, sandbox) in every_tier() {
        const GIGABYTE: u64 = 1_000_000_000;
        let mut spec = place.shell(
            "echo first; head -c 1000000000 /dev/zero; echo last >&2",
            Mode::Exec,
        );
        spec.output_limit = 1_000_000;
        let mut heard = 0;
        let cancel = CancelToken::new().unwrap();
        let outcome = sandbox
            .run(
                &support::permits::for_command(&spec),
                &spec,
                &cancel,
                &mut |chunk| heard += chunk.bytes.len() as u64,
            )
            .unwrap();
        assert_eq!(outcome.bytes, GIGABYTE + 11, "{:?}", sandbox.tier());
        assert_eq!(heard, spec.output_limit);
        assert!(outcome.head.starts_with("first\n"));
        assert!(outcome.tail.contains("last\n") && outcome.text().len() < 24_000);
    }
}

#[test]
fn a_command_that_never_ends_is_ended_with_all_it_started() {
    for (place, sandbox) in every_tier() {
        let mut spec = place.shell(support::NEVER_ENDS, Mode::Exec);
        spec.timeout = Duration::from_millis(300);
        let outcome = place.run(&sandbox, &spec).unwrap();
        assert_eq!(outcome.exit, Exit::TimedOut);
        assert!(
            outcome.elapsed_ms >= 300 && outcome.elapsed_ms < 5000,
            "{outcome:?}"
        );
        assert_eq!(support::left_of(&spec.marker), 0, "{:?}", sandbox.tier());
    }
}

#[test]
fn a_cancel_from_another_thread_ends_everything() {
    for (place, sandbox) in every_tier() {
        let spec = place.shell(support::NEVER_ENDS, Mode::Exec);
        let cancel = CancelToken::new().unwrap();
        let outcome = sandbox.run(
            &support::permits::for_command(&spec),
            &spec,
            &cancel,
            &mut |_| {
                let cancel = cancel.clone();
                std::thread::spawn(move || cancel.cancel());
            },
        );
        assert_eq!(outcome.unwrap().exit, Exit::Cancelled);
        assert_eq!(support::left_of(&spec.marker), 0, "{:?}", sandbox.tier());
        let outcome = sandbox
            .run(
                &support::permits::for_command(&spec),
                &spec,
                &cancel,
                &mut |_| (),
            )
            .unwrap();
        assert_eq!(
            (outcome.exit, outcome.bytes),
            (Exit::Cancelled, 0),
            "cancelled before start"
        );
    }
}

#[test]
fn a_child_that_leaves_its_session_ends_with_the_command() {
    for (place, sandbox) in every_tier() {
        // Forks twice and keeps the output open: a naive implementation would wait forever.
        let line = "setsid sh -c 'sleep 1000 & echo started; sleep 1000' & sleep 0.2; exit 4";
        let spec = place.shell(line, Mode::Exec);
        let outcome = place.run(&sandbox, &spec).unwrap();
        assert_eq!(
            outcome.exit,
            Exit::Exited(4),
            "{:?} {}",
            sandbox.tier(),
            outcome.text()
        );
        assert_eq!(support::left_of(&spec.marker), 0, "{:?}", sandbox.tier());
    }
}

#[test]
fn the_outcome_is_on_disk_and_belongs_to_its_command() {
    for (place, sandbox) in every_tier() {
        let mut spec = place.shell("echo done; exit 5", Mode::Exec);
        spec.outcome_record = Some(place.data.join("outcome.json"));
        let outcome = place.run(&sandbox, &spec).unwrap();
        let record = read_outcome_record(&place.data.join("outcome.json"))
            .unwrap()
            .unwrap();
        assert_eq!(
            (record.marker, record.outcome),
            (spec.marker.clone(), outcome)
        );
        let data = fs::metadata(place.data.join("outcome.json")).unwrap();
        assert_eq!(data.mode() & 0o777, 0o600);
        spec.outcome_record = Some(place.workspace.join("outcome.json"));
        assert!(
            place.run(&sandbox, &spec).is_err(),
            "a command could forge it there"
        );
    }
}

#[test]
fn two_commands_at_once_do_not_disturb_each_other() {
    for (place, sandbox) in sealed_tiers() {
        let line = "for i in 1 2 3 4 5 6 7 8; do echo x > .planwright/s && exit 9; done; exit 0";
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    for _ in 0..5 {
                        let outcome = place.sh(&sandbox, line);
                        assert_eq!(outcome.exit, Exit::Exited(0), "{}", outcome.text());
                    }
                });
            }
        });
        assert!(
            !place.workspace.join(".planwright").exists(),
            "{:?}",
            sandbox.tier()
        );
    }
}

#[test]
fn a_linked_plan_is_refused_because_it_cannot_be_protected() {
    let place = Place::new();
    let sandbox = place.probe(Wanted::Bubblewrap);
    if sandbox.tier() != Tier::Bubblewrap {
        return;
    }
    std::os::unix::fs::symlink("plans/plan.md", place.workspace.join("link.md")).unwrap();
    let mut spec = place.shell("true", Mode::Exec);
    spec.protected = vec!["link.md".into()];
    let refused = place.run(&sandbox, &spec);
    assert!(
        matches!(refused, Err(SandboxError::ProtectedLink { .. })),
        "{refused:?}"
    );
}

#[test]
fn a_probe_names_the_reason_when_the_helper_is_not_one() {
    let place = Place::new();
    let mut config = place.config(Wanted::Auto);
    config.helper = "/bin/true".into();
    let sandbox = Sandbox::probe(&config);
    assert_eq!(sandbox.tier(), Tier::None);
    assert!(
        sandbox
            .report()
            .unavailable
            .iter()
            .all(|tier| !tier.reason.is_empty())
    );
}

#[test]
fn a_permit_for_something_else_runs_nothing() {
    let place = Place::new();
    let sandbox = place.probe(Wanted::None);
    let cancel = CancelToken::new().unwrap();
    let wanted = place.shell("touch here", Mode::Exec);
    let reading = place.shell("touch here", Mode::Plan);
    let online = CommandSpec {
        network: true,
        ..wanted.clone()
    };
    for (permitted, spec) in [
        (place.shell("true", Mode::Exec), &wanted),
        (reading, &wanted),
        (wanted.clone(), &online),
    ] {
        let permit = support::permits::for_command(&permitted);
        let ran = sandbox.run(&permit, spec, &cancel, &mut |_| ());
        assert!(matches!(ran, Err(SandboxError::NotPermitted(_))), "{ran:?}");
        assert!(!place.workspace.join("here").exists());
    }
}

#[test]
fn a_proof_holds_until_what_it_rests_on_changes() {
    let place = Place::new();
    let first = place.probe(Wanted::Auto);
    if first.tier() == Tier::None {
        return;
    }
    let file = place.data.join("sandbox-auto.json");
    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o600);
    let begun = Instant::now();
    let again = Sandbox::proved(&place.config(Wanted::Auto));
    println!("recalled in {:?}", begun.elapsed());
    assert_eq!(again.report(), first.report());
    assert!(place.sh(&again, "echo x > src/x").exit.is_success());
    // A forged file that claims more than was proved is rejected when anything else changes.
    let forged = fs::read_to_string(&file)
        .unwrap()
        .replace("\"refused\":true", "\"refused\":false");
    fs::write(&file, &forged).unwrap();
    let mut other = place.config(Wanted::Auto);
    other.home = place.data.clone();
    for attempt in &Sandbox::proved(&other).report().attempts {
        assert!(attempt.refused, "{attempt:?}");
    }
    fs::write(&file, &forged).unwrap();
    fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o666)).unwrap();
    for attempt in &place_again(&place).report().attempts {
        assert!(attempt.refused, "{attempt:?}");
    }
}

fn place_again(place: &Place) -> Sandbox {
    Sandbox::proved(&place.config(Wanted::Auto))
}
