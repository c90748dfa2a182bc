//! Acknowledged writes survive a process kill at any time.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that fails here has found something"
)]

mod support;

use std::io::{BufRead, BufReader, Write};

use store::Store;
use support::{RUN, child, given_folder, open, run};

/// Helper, not a test by itself: the process that is killed. Prints each number after writing it.
#[test]
fn appends_until_it_is_killed() {
    let Some(folder) = given_folder() else {
        return;
    };
    let (store, _) = Store::open(&folder, 0).unwrap();
    let mut next = store.journal().next_seq(RUN).unwrap();
    let mut out = std::io::stdout();
    loop {
        let payload = format!("{{\"n\":{next}}}");
        let entries = [("intent", payload.as_str()), ("outcome", &payload)];
        next = store.journal().append(RUN, next, &entries, 3).unwrap();
        writeln!(out, "written {}", next - 1).unwrap();
        out.flush().unwrap();
    }
}

#[test]
fn every_acknowledged_append_survives_kill_9() {
    let folder = tempfile::tempdir().unwrap();
    run(&open(folder.path()), 0);
    let mut acknowledged = 0;
    for round in 1..=10 {
        let mut writer = child("appends_until_it_is_killed", folder.path());
        let mut lines = BufReader::new(writer.stdout.take().unwrap()).lines();
        let mut seen = 0;
        while seen < round * 3 {
            let line = lines.next().unwrap().unwrap();
            if let Some(number) = line.strip_prefix("written ") {
                acknowledged = number.parse().unwrap();
                seen += 1;
            }
        }
        writer.kill().unwrap();
        // Include lines printed just before the kill.
        for line in lines.map_while(Result::ok) {
            if let Some(number) = line.strip_prefix("written ").and_then(|n| n.parse().ok()) {
                acknowledged = number;
            }
        }
        writer.wait().unwrap();
        let store = open(folder.path());
        let entries = store.journal().read(RUN).unwrap();
        let last = entries.last().unwrap().seq;
        assert!(
            last >= acknowledged,
            "{acknowledged} was acknowledged, {last} is there"
        );
        assert!(last - acknowledged <= 2, "at most the one append under way");
        assert_eq!(last % 2, 0, "both entries of an append or none");
        for (index, entry) in entries.iter().enumerate() {
            assert_eq!(entry.seq, i64::try_from(index).unwrap() + 1, "no gap");
        }
    }
}
