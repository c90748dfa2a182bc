//! Several processes using the same data folder.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that fails here has found something"
)]

mod support;

use std::fs;
use std::io::{Read, Write};
use std::process::Command;

use store::{Acquired, Holder, Store, StoreError};
use support::{PLAN, RUN, child, database, entries, given_folder, open, run};

/// Helper, not a test by itself: waits for the signal, then opens the store.
#[test]
fn opens_when_told() {
    let Some(folder) = given_folder() else {
        return;
    };
    println!("ready");
    let mut word = Vec::new();
    std::io::stdin().read_to_end(&mut word).unwrap();
    let (store, report) = Store::open(&folder, 0).unwrap();
    assert_eq!(report.damaged, None);
    println!("created {}", report.created);
    assert!(store.runs().list().unwrap().is_empty());
}

#[test]
fn processes_that_open_at_once_make_one_database() {
    for _ in 0..3 {
        let folder = tempfile::tempdir().unwrap();
        let mut openers: Vec<_> = (0..4)
            .map(|_| child("opens_when_told", folder.path()))
            .collect();
        // Wait until all of them are ready before signaling any; closing the input is the signal.
        let mut outputs = Vec::new();
        for opener in &mut openers {
            let mut output = opener.stdout.take().unwrap();
            let mut said = String::new();
            while !said.contains("ready") {
                let mut byte = [0];
                output.read_exact(&mut byte).unwrap();
                said.push(char::from(byte[0]));
            }
            outputs.push(output);
        }
        for opener in &mut openers {
            drop(opener.stdin.take());
        }
        let mut creators = 0;
        for (opener, output) in openers.iter_mut().zip(&mut outputs) {
            let mut said = String::new();
            output.read_to_string(&mut said).unwrap();
            assert!(opener.wait().unwrap().success(), "{said}");
            creators += usize::from(said.contains("created true"));
        }
        assert_eq!(creators, 1);
        run(&open(folder.path()), 1);
    }
}

#[test]
fn a_database_that_somebody_holds_is_waited_for_and_then_named() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    run(&store, 1);
    let holder = rusqlite::Connection::open(database(folder.path())).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = store.journal().append(RUN, 2, &[("a", "1")], 0);
    assert!(matches!(refused, Err(StoreError::Locked)), "{refused:?}");
    assert!(refused.unwrap_err().to_string().contains("close the other"));
    holder.execute_batch("ROLLBACK").unwrap();
    store.journal().append(RUN, 2, &[("a", "1")], 0).unwrap();
}

#[test]
fn the_lease_of_a_killed_process_is_taken_over_and_that_of_a_living_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let me = Holder::current(RUN).unwrap();
    let Acquired::Lease(mine) = store.leases().acquire(PLAN, &me, Holder::is_alive).unwrap() else {
        panic!("nobody else is there");
    };
    assert_eq!(
        store.leases().acquire(PLAN, &me, Holder::is_alive).unwrap(),
        Acquired::HeldBy(me.clone())
    );
    store.leases().release(&mine).unwrap();

    let mut process = Command::new("cat")
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.id())).unwrap();
    let start = stat
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .nth(19)
        .unwrap();
    let other = Holder {
        pid: process.id(),
        process_start: start.parse().unwrap(),
        ..me.clone()
    };
    store
        .leases()
        .acquire(PLAN, &other, Holder::is_alive)
        .unwrap();
    let refused = store.leases().acquire(PLAN, &me, Holder::is_alive).unwrap();
    assert_eq!(refused, Acquired::HeldBy(other.clone()));
    process.kill().unwrap();
    process.wait().unwrap();
    let Acquired::Lease(lease) = store.leases().acquire(PLAN, &me, Holder::is_alive).unwrap()
    else {
        panic!("the other one is dead");
    };
    assert_eq!(lease.taken_over, Some(other));
}

#[test]
fn a_damaged_database_in_use_is_not_pulled_away_from_the_other_process() {
    let folder = tempfile::tempdir().unwrap();
    let user = open(folder.path());
    run(&user, 500);
    user.backup().unwrap();
    let file = fs::OpenOptions::new()
        .write(true)
        .open(database(folder.path()));
    let mut file = file.unwrap();
    std::os::unix::fs::FileExt::write_all_at(&file, &[0xa5; 8000], 4096).unwrap();
    file.flush().unwrap();
    let refused = Store::open(folder.path(), 0);
    assert!(
        matches!(refused, Err(StoreError::DamagedInUse { .. })),
        "{refused:?}"
    );
    drop(user);
    let (store, report) = Store::open(folder.path(), 0).unwrap();
    assert!(report.damaged.unwrap().restored_from.is_some());
    assert_eq!(entries(&store), 500);
}
