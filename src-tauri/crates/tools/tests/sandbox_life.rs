//! Cleanup after a command whose app or helper is killed.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]
#![allow(
    clippy::print_stdout,
    reason = "reports the tiers that this machine lacks"
)]

#[path = "sandbox_support/mod.rs"]
mod support;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::inotify;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};
use support::{Place, every_tier, sealed_tiers};
use tools::sandbox::{
    CancelToken, CommandSpec, Exit, Mode, Tier, Wanted, kill_leftovers, read_outcome_record,
};

const AS_APP: &str = "PLANWRIGHT_TEST_APP";

/// Not a real test, but the process that the other tests kill. It runs one command and echoes its
/// output.
#[test]
fn acts_as_an_app_when_asked() {
    let Ok(words) = std::env::var(AS_APP) else {
        return;
    };
    let words: Vec<_> = words.split('\n').collect();
    let [tier, home, data, workspace, marker, line] = words[..] else {
        panic!("{words:?}")
    };
    let place = Place::at(Path::new(home), Path::new(data), Path::new(workspace));
    let sandbox = place.probe(wanted(tier));
    let line = plan::CommandLine::Shell(line.to_owned());
    let mut spec = CommandSpec::new(line, workspace.into(), Mode::Exec, marker.to_owned());
    spec.outcome_record = Some(Path::new(data).join("outcome.json"));
    let _ = sandbox.run(
        &support::permits::for_command(&spec),
        &spec,
        &CancelToken::new().unwrap(),
        &mut |chunk| {
            std::io::stdout().write_all(&chunk.bytes).unwrap();
            std::io::stdout().flush().unwrap();
        },
    );
}

fn wanted(tier: &str) -> Wanted {
    match tier {
        "bubblewrap" => Wanted::Bubblewrap,
        "landlock" => Wanted::Landlock,
        _ => Wanted::None,
    }
}

/// Starts an app in another process, and waits until its command has printed `ready`.
fn app(place: &Place, tier: Tier, marker: &str, line: &str) -> Child {
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    let words = [
        tier.as_str().to_owned(),
        path(&place.home),
        path(&place.data),
        path(&place.workspace),
        marker.to_owned(),
        line.to_owned(),
    ];
    let mut app = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "acts_as_an_app_when_asked", "--nocapture"])
        .env(AS_APP, words.join("\n"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(app.stdout.as_mut().unwrap()).lines();
    let ready = output.any(|line| line.is_ok_and(|line| line.ends_with("ready")));
    assert!(ready, "the command started");
    app
}

fn pid(child: &Child) -> Pid {
    Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap()
}

fn handles(marker: &str) -> Vec<OwnedFd> {
    support::pids_of(marker).into_iter().map(handle).collect()
}

fn handle(pid: i32) -> OwnedFd {
    pidfd_open(Pid::from_raw(pid).unwrap(), PidfdFlags::empty()).unwrap()
}

/// Waits until every process has ended; the timeout is for failing tests.
fn wait_for_ends(handles: &[OwnedFd]) {
    for handle in handles {
        let bound = Timespec {
            tv_sec: 20,
            tv_nsec: 0,
        };
        let ended = poll(&mut [PollFd::new(handle, PollFlags::IN)], Some(&bound)).unwrap();
        assert_eq!(ended, 1, "a process lives on");
    }
}

#[test]
fn an_app_killed_without_warning_leaves_no_process_and_no_outcome() {
    for (place, sandbox) in every_tier() {
        let tier = sandbox.tier();
        let marker = format!("killed-{}-{}", tier.as_str(), std::process::id());
        let mut app = app(&place, tier, &marker, support::NEVER_ENDS);
        let mut processes = handles(&marker);
        assert!(
            processes.len() >= 2,
            "{tier:?}: the command and its children run"
        );
        // The helper ends last, after all of its processes.
        processes.extend(support::children_of(app.id()).into_iter().map(handle));
        app.kill().unwrap();
        app.wait().unwrap();
        let ended = kill_leftovers(&marker).unwrap();
        assert_eq!(
            ended, 0,
            "{tier:?}: the helper ended them all, and was waited for"
        );
        wait_for_ends(&processes);
        assert_eq!(support::left_of(&marker), 0, "{tier:?}");
        let record = read_outcome_record(&place.data.join("outcome.json")).unwrap();
        assert_eq!(record, None, "{tier:?}: nobody knows how far it came");
    }
}

#[test]
fn an_outcome_outlives_an_app_that_never_heard_of_it() {
    for (place, sandbox) in every_tier() {
        let tier = sandbox.tier();
        let marker = format!("stopped-{}-{}", tier.as_str(), std::process::id());
        let fifo = place.workspace.join("src/go");
        assert!(
            Command::new("mkfifo")
                .arg(&fifo)
                .status()
                .unwrap()
                .success()
        );
        let line = "echo ready; read word < src/go; echo $word; exit 6";
        let mut app = app(&place, tier, &marker, line);
        // Start watching only now, because the app's proof of the sandbox is written to the same
        // folder.
        let watch = inotify::init(inotify::CreateFlags::CLOEXEC).unwrap();
        inotify::add_watch(&watch, &place.data, inotify::WatchFlags::MOVED_TO).unwrap();
        kill_process(pid(&app), Signal::STOP).unwrap();
        fs::write(&fifo, "on\n").unwrap();
        let bound = Timespec {
            tv_sec: 20,
            tv_nsec: 0,
        };
        assert_eq!(
            poll(&mut [PollFd::new(&watch, PollFlags::IN)], Some(&bound)).unwrap(),
            1
        );
        app.kill().unwrap();
        app.wait().unwrap();
        let record = read_outcome_record(&place.data.join("outcome.json"))
            .unwrap()
            .unwrap();
        assert_eq!(record.marker, marker, "{tier:?}");
        assert_eq!(record.outcome.exit, Exit::Exited(6), "{tier:?}");
        assert_eq!(record.outcome.text(), "ready\non\n", "{tier:?}");
    }
}

#[test]
fn what_a_killed_helper_leaves_is_found_by_its_marker() {
    for (place, sandbox) in every_tier() {
        let tier = sandbox.tier();
        let marker = format!("helper-{}-{}", tier.as_str(), std::process::id());
        let mut app = app(&place, tier, &marker, support::NEVER_ENDS);
        let processes = handles(&marker);
        for helper in support::children_of(app.id()) {
            kill_process(Pid::from_raw(helper).unwrap(), Signal::KILL).unwrap();
        }
        app.wait().unwrap();
        let ended = kill_leftovers(&marker).unwrap();
        wait_for_ends(&processes);
        assert_eq!(support::left_of(&marker), 0, "{tier:?}");
        println!("{tier:?}: {ended} were left");
        assert_eq!(kill_leftovers(&marker).unwrap(), 0);
        assert_eq!(kill_leftovers("").unwrap(), 0, "no marker means nobody");
        // The next command removes what the killed helper could not.
        assert!(place.sh(&sandbox, "true").exit.is_success());
        assert!(!place.workspace.join(".planwright").exists());
    }
}

#[test]
fn a_plan_that_an_editor_replaces_while_a_command_starts_does_not_fail_it() {
    for (place, sandbox) in sealed_tiers() {
        let plan = place.workspace.join("plans/plan.md");
        let new = place.workspace.join("plans/.plan.swp");
        let is_over = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                    fs::write(&new, "whole\n").unwrap();
                    fs::rename(&new, &plan).unwrap();
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
            let mut spec =
                place.shell("echo one >> src/main.txt; echo bwrap: said >&2", Mode::Exec);
            spec.protected = vec![plan.clone()];
            let permit = support::permits::for_command(&spec);
            let cancel = CancelToken::new().unwrap();
            let mut shown = Vec::new();
            let mut on_output =
                |piece: tools::sandbox::OutputChunk| shown.extend_from_slice(&piece.bytes);
            let ran: Vec<_> = (0..20)
                .map(|_| sandbox.run(&permit, &spec, &cancel, &mut on_output))
                .collect();
            is_over.store(true, std::sync::atomic::Ordering::Relaxed);
            for outcome in ran {
                assert_eq!(outcome.unwrap().text(), "bwrap: said\n");
            }
            let shown = String::from_utf8(shown).unwrap();
            assert_eq!(shown, "bwrap: said\n".repeat(20));
        });
        let text = fs::read_to_string(place.workspace.join("src/main.txt")).unwrap();
        assert_eq!(text.matches("one").count(), 20, "{:?}", sandbox.tier());
    }
}
