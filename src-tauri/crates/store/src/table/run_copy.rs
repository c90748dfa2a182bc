//! Copies of open runs' journals outside the database: one file per run, one line per entry. If the
//! database is damaged, lost or restored from a backup, no run's record is lost with it, so nothing
//! is repeated without asking.
//!
//! A line is written after each durable append and before the entry's effect can begin. It is not
//! synced: the copy survives a process crash, and the database survives a power loss. On the next
//! start, entries missing from the database are restored from the copies. A copy is deleted once
//! the backups contain it. Payloads are never interpreted.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};
use serde_json::{Value, json};

use super::approvals::{Approvals, NewApproval};
use super::leases::Leases;
use super::revisions::{Revisions, keep_within};
use super::runs::{NewRun, Run, Runs};
use crate::files::{make_private_folder, modified};
use crate::{Lookup, StoreError, backup};

/// Folder of the copies within the data folder.
const FOLDER: &str = "journals";

/// State of a restored run. It counts as interrupted, since no process holds it.
const STATE: &str = "running";

/// Appends entries to a run's copy. The first line of a copy describes the run itself.
pub(crate) fn add(
    folder: &Path,
    conn: &Connection,
    run: &str,
    first: i64,
    entries: &[(&str, &str)],
    at_ms: i64,
) -> Result<(), StoreError> {
    let copies = folder.join(FOLDER);
    make_private_folder(&copies)?;
    let path = copies.join(format!("{run}.jsonl"));
    let mut lines = String::new();
    if first == 1
        && let Some(head) = head(conn, run)?
    {
        lines.push_str(&format!("{head}\n"));
    }
    for (seq, (kind, payload)) in (first..).zip(entries) {
        let line = json!({"seq": seq, "kind": kind, "payload": payload, "at_ms": at_ms});
        lines.push_str(&format!("{line}\n"));
    }
    OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .open(&path)
        .and_then(|mut file| file.write_all(lines.as_bytes()))
        .map_err(|error| StoreError::io(&path, error))
}

fn head(conn: &Connection, id: &str) -> Result<Option<Value>, StoreError> {
    let Lookup::One(run) = (Runs { conn }).get(id)? else {
        return Ok(None);
    };
    let Run {
        plan,
        workspace,
        revision,
        policy,
        title,
        created_ms,
        ..
    } = run;
    let content = (Revisions { conn }).content(&revision)?.unwrap_or_default();
    let approvals: Vec<Value> = (Approvals { conn })
        .of_run(id)?
        .into_iter()
        .map(|given| {
            json!({
                "actor": given.actor, "policy": given.policy, "upto": given.upto,
                "reason": given.reason, "at_ms": given.at_ms, "shown_ms": given.shown_ms,
            })
        })
        .collect();
    Ok(Some(json!({
        "run": id, "plan": plan, "workspace": workspace, "revision": revision, "policy": policy,
        "title": title, "at_ms": created_ms, "content": String::from_utf8_lossy(&content),
        "approvals": approvals,
    })))
}

/// Restores entries missing from the database and returns the runs affected. A copy that is
/// unreadable or doesn't continue the stored journal is ignored.
pub(crate) fn put_back(folder: &Path, conn: &Connection) -> Result<Vec<String>, StoreError> {
    let mut runs = Vec::new();
    for (run, path) in copies(folder)? {
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                tracing::warn!(%error, run, "couldn't read a run's copy");
                continue;
            }
        };
        // The last line may be incomplete.
        let lines: Vec<Value> = bytes
            .split(|byte| *byte == b'\n')
            .map_while(|line| serde_json::from_slice(line).ok())
            .collect();
        let known = matches!((Runs { conn }).get(&run)?, Lookup::One(found) if found.id == run);
        if !known && !lines.first().is_some_and(|head| is_head(head, &run)) {
            continue;
        }
        let tx = conn.unchecked_transaction()?;
        if !known && let Some(head) = lines.first() {
            put_head(&tx, &run, head)?;
        }
        let newest = "SELECT coalesce(max(seq), 0) FROM journal WHERE run = ?1";
        let mut next = tx.query_row(newest, [&run], |row| row.get::<_, i64>(0))? + 1;
        let mut is_lacking = !known;
        for line in &lines {
            if line["seq"] != next {
                continue;
            }
            tx.execute(
                "INSERT INTO journal (run, seq, kind, payload, at_ms) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![
                    run,
                    next,
                    line["kind"].as_str(),
                    line["payload"].as_str(),
                    line["at_ms"].as_i64()
                ],
            )?;
            next += 1;
            is_lacking = true;
        }
        tx.commit()?;
        if is_lacking {
            tracing::error!(run, "restored a run from its copy");
            runs.push(run);
        }
    }
    Ok(runs)
}

fn is_head(head: &Value, run: &str) -> bool {
    let is_text = |name: &str| head[name].is_string();
    head["run"] == run
        && [
            "plan",
            "workspace",
            "revision",
            "policy",
            "title",
            "content",
        ]
        .into_iter()
        .all(is_text)
}

fn put_head(conn: &Connection, run: &str, head: &Value) -> Result<(), StoreError> {
    let text = |name: &str| head[name].as_str().unwrap_or_default();
    let at_ms = head["at_ms"].as_i64().unwrap_or_default();
    let (plan, revision) = (text("plan"), text("revision"));
    keep_within(conn, revision, text("content").as_bytes())?;
    (Runs { conn }).create(&NewRun {
        id: run,
        plan,
        workspace: text("workspace"),
        revision,
        policy: text("policy"),
        state: STATE,
        title: text("title"),
        at_ms,
    })?;
    for given in head["approvals"].as_array().into_iter().flatten() {
        (Approvals { conn }).add(&NewApproval {
            plan,
            revision,
            run: Some(run),
            actor: given["actor"].as_str().unwrap_or("person"),
            policy: given["policy"].as_str().unwrap_or_default(),
            upto: given["upto"].as_str(),
            reason: given["reason"].as_str(),
            at_ms: given["at_ms"].as_i64().unwrap_or(at_ms),
            shown_ms: given["shown_ms"].as_i64(),
        })?;
    }
    Ok(())
}

/// Deletes the copies contained in every backup (of the two kept, the newer one may be damaged
/// too). Copies that a process is still appending to are kept.
pub(crate) fn drop_saved(folder: &Path, conn: &Connection) -> Result<(), StoreError> {
    let kept = backup::copies(folder)?;
    let [(_, older), _, ..] = kept.as_slice() else {
        return Ok(());
    };
    let saved = modified(older)?;
    for (run, path) in copies(folder)? {
        if modified(&path)? > saved {
            continue;
        }
        let plan = match (Runs { conn }).get(&run)? {
            Lookup::One(found) if found.id == run => found.plan,
            _ => continue,
        };
        let holder = (Leases { conn }).holder(&plan)?;
        if holder.is_some_and(|holder| holder.run == run && holder.is_alive()) {
            continue;
        }
        if let Err(error) = fs::remove_file(&path) {
            tracing::warn!(%error, run, "couldn't delete a run's copy");
        }
    }
    Ok(())
}

fn copies(folder: &Path) -> Result<Vec<(String, PathBuf)>, StoreError> {
    let copies = folder.join(FOLDER);
    let entries = match fs::read_dir(&copies) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::io(&copies, error)),
    };
    let mut found: Vec<(String, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            Some((name.strip_suffix(".jsonl")?.to_owned(), entry.path()))
        })
        .collect();
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{fresh, run};
    use crate::{OpenReport, Store};

    const ENTRIES: [(&str, &str); 2] = [("started", "{\"a\":1}"), ("intended", "{\"b\":\"ä\n\"}")];

    fn again(folder: &Path) -> (Store, OpenReport) {
        Store::open(folder, 0).unwrap()
    }

    #[test]
    fn a_database_that_lost_a_run_gets_it_back_whole() {
        let (folder, store) = fresh();
        run(&store, "r1");
        store.journal().append("r1", 1, &ENTRIES, 5).unwrap();
        store.journal().append("r1", 3, &ENTRIES[..1], 6).unwrap();
        let (before, runs) = (
            store.journal().read("r1").unwrap(),
            store.runs().list().unwrap(),
        );
        drop(store);
        for file in ["planwright.db", "planwright.db-wal", "planwright.db-shm"] {
            let _ = fs::remove_file(folder.path().join(file));
        }
        let (store, report) = again(folder.path());
        assert_eq!(report.put_back, ["r1"]);
        assert_eq!(store.journal().read("r1").unwrap(), before);
        let found = store.runs().list().unwrap();
        assert_eq!(
            (&found[0].plan, &found[0].revision, found[0].state.as_str()),
            (&runs[0].plan, &runs[0].revision, STATE)
        );
        assert!(
            store
                .revisions()
                .content(&found[0].revision)
                .unwrap()
                .is_some()
        );
        drop(store);
        assert_eq!(
            again(folder.path()).1.put_back,
            Vec::<String>::new(),
            "once"
        );
    }

    #[test]
    fn at_every_length_of_the_copy_what_is_whole_is_put_back_and_no_more() {
        let (folder, store) = fresh();
        run(&store, "r1");
        store.journal().append("r1", 1, &ENTRIES, 5).unwrap();
        drop(store);
        let path = folder.path().join(FOLDER).join("r1.jsonl");
        let whole = fs::read(&path).unwrap();
        let mut counts = Vec::new();
        for length in 0..=whole.len() {
            for file in ["planwright.db", "planwright.db-wal", "planwright.db-shm"] {
                let _ = fs::remove_file(folder.path().join(file));
            }
            fs::write(&path, &whole[..length]).unwrap();
            let (store, _) = again(folder.path());
            counts.push(store.journal().read("r1").unwrap().len());
        }
        assert!(counts.is_sorted(), "{counts:?}");
        assert_eq!((counts[0], counts.last()), (0, Some(&2)));
    }

    #[test]
    fn two_backups_take_the_copies_over_and_what_comes_after_joins_on() {
        let (folder, store) = fresh();
        run(&store, "r1");
        store.journal().append("r1", 1, &ENTRIES, 5).unwrap();
        store.backup().unwrap();
        let path = folder.path().join(FOLDER).join("r1.jsonl");
        assert!(path.exists());
        run(&store, "r2");
        store.backup().unwrap();
        assert!(!path.exists());
        store.journal().append("r1", 3, &ENTRIES, 6).unwrap();
        drop(store);
        fs::write(folder.path().join("planwright.db"), b"no database").unwrap();
        let (store, report) = again(folder.path());
        assert!(report.damaged.is_some());
        assert_eq!(report.put_back, ["r1"]);
        assert_eq!(store.journal().read("r1").unwrap().len(), 4);
    }

    #[test]
    fn a_copy_that_does_not_join_on_changes_nothing() {
        let (folder, store) = fresh();
        run(&store, "r1");
        store.journal().append("r1", 1, &ENTRIES, 5).unwrap();
        let path = folder.path().join(FOLDER).join("r1.jsonl");
        let later = json!({"seq": 9, "kind": "x", "payload": "{}", "at_ms": 1});
        fs::write(&path, format!("{later}\n")).unwrap();
        fs::write(path.with_file_name("r2.jsonl"), format!("{later}\n")).unwrap();
        drop(store);
        let (store, report) = again(folder.path());
        assert_eq!(report.put_back, Vec::<String>::new());
        assert_eq!(store.journal().read("r1").unwrap().len(), 2);
        assert_eq!(store.runs().list().unwrap().len(), 1);
    }
}
