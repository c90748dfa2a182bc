//! Tests of steps that are handed over to a scripted agent, which can be told to misbehave.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic fails the test"
)]

mod laws;
mod site;

use agent::journal::Entry;
use serde_json::json;
use workbench::EndState;

use site::{Site, TIERS, Tier};

#[test]
fn an_agent_carries_out_a_step_and_each_change_is_journaled() {
    for tier in TIERS {
        let write = tier.change("b.txt", "from the agent");
        let script = format!("say Hello; {write}; say All done.");
        let mut site = Site::new(tier, &script, "grep -q agent b.txt");
        let ran = site.run();
        assert_eq!(ran.state, EndState::Done, "{ran:?}");
        assert_eq!(site.read("b.txt").as_deref(), Some("from the agent\n"));
        assert_eq!(site.writes(), ["b.txt"]);
        assert!(ran.said.contains("Hello"), "{ran:?}");
        let journal = site.journal();
        let handed = |entry: &Entry| matches!(entry, Entry::HandedOver { to, .. } if *to == format!("acp:{}", tier.name()));
        assert!(journal.iter().any(handed));
        let tokens: u64 = journal
            .iter()
            .map(|entry| match entry {
                Entry::Replied { reply, .. } => reply.usage.input + reply.usage.output,
                _ => 0,
            })
            .sum();
        assert_eq!(tokens, 12);
        assert!(
            ran.notices
                .iter()
                .any(|note| note.contains("without network access")),
            "{ran:?}"
        );
        assert!(!site.has_processes());
    }
}

#[test]
fn an_overwritten_file_was_read_first_and_is_restored_by_undo() {
    for tier in TIERS {
        let write = tier.change("a.txt", "new a");
        let script = match tier {
            Tier::Mediated => format!("{write}; read a.txt; {write}"),
            Tier::Copy => write,
        };
        let mut site = Site::new(tier, &script, "grep -q new a.txt");
        let ran = site.run();
        assert_eq!(ran.state, EndState::Done, "{ran:?}");
        if tier == Tier::Mediated {
            assert!(ran.said.contains("Read it first"), "{ran:?}");
        }
        let run = site.bench.store.runs().list().unwrap().remove(0).id;
        site.bench.undo(&run, "T1").unwrap();
        assert_eq!(site.read("a.txt").as_deref(), Some("original a\n"));
    }
}

#[test]
fn a_file_outside_the_step_is_asked_about_like_a_models() {
    for tier in TIERS {
        let write = tier.change("c.txt", "new c");
        let turn = match tier {
            Tier::Mediated => format!("read c.txt; {write}; {write}; {write}"),
            Tier::Copy => write,
        };
        let script = [turn.as_str(); 4].join(" || ");
        let mut site = Site::new(tier, &script, "true");
        let before = site.files();
        let ran = site.run();
        assert_eq!(ran.state, EndState::Waiting, "{ran:?}");
        assert!(ran.asked[0].starts_with("permission:"), "{ran:?}");
        assert!(ran.asked[0].contains("c.txt"), "{ran:?}");
        assert_eq!(site.files(), before, "nothing before the answer");
        let once = json!({"permissions": [{"tool": "write_file", "match": "exact c.txt", "answer": "once"}]});
        site.resume(once);
        assert_eq!(site.read("c.txt").as_deref(), Some("new c\n"));
        assert_eq!(site.writes(), ["c.txt"], "asked once, made once");
    }
}

#[test]
fn an_agent_cannot_write_past_us() {
    // Writes to the workspace, next to it, to the home folder and to Git's folder.
    let script = "put a.txt mine; put new.txt mine; drop c.txt; put ../beside.txt mine; put ../home/.profile mine; \
                  put .git/hooks/pre-commit mine; list";
    let mut site = Site::new(Tier::Mediated, script, "true");
    let before = site.files();
    let ran = site.run();
    assert_eq!(site.files(), before, "{ran:?}");
    assert!(ran.said.contains("ReadOnlyFilesystem"), "{ran:?}");
    assert!(site.writes().is_empty());
    assert!(!site.path("../beside.txt").exists());
}

#[test]
fn changes_in_a_copy_stay_there_until_they_are_decided() {
    let script = "put b.txt mine; put ../beside.txt mine; put ../home/.profile mine; drop c.txt; list; \
                  put deps/lib.js mine; put .env mine";
    let mut site = Site::new(Tier::Copy, script, "grep -q mine b.txt");
    let before = site.files();
    let ran = site.run();
    let mut after = site.files();
    assert_eq!(after.remove(&site.path("b.txt")).unwrap(), b"mine\n");
    assert_eq!(after, before, "{ran:?}");
    // Changes that need a tool outside the step's `tools:` are refused, as they are for a model.
    assert_eq!(site.writes(), ["b.txt"]);
    // The copy has no private files, and its ignored folders are read-only.
    assert!(
        ran.said
            .contains("[list .gitignore a.txt b.txt deps plans]"),
        "{ran:?}"
    );
    assert!(
        ran.said
            .contains("[put deps/lib.js: Err(ReadOnlyFilesystem)]"),
        "{ran:?}"
    );
}

#[test]
fn nothing_changes_if_writes_are_denied() {
    for tier in TIERS {
        let write = tier.change("b.txt", "mine");
        let mut site = Site::new(tier, &[write.as_str(); 4].join(" || "), "true");
        let deny =
            json!({"permissions": [{"tool": "write_file", "match": "prefix b", "answer": "deny"}]});
        site.settings(deny);
        let before = site.files();
        let ran = site.run();
        assert_eq!(site.files(), before, "{ran:?}");
        assert!(site.writes().is_empty(), "{ran:?}");
    }
}

#[test]
fn a_file_that_somebody_else_changed_is_not_overwritten() {
    let script = "read a.txt; write c.txt x; write c.txt x; write c.txt x; write a.txt mine";
    let mut site = Site::new(Tier::Mediated, script, "true");
    let ran = site.run();
    assert_eq!(ran.state, EndState::Done, "{ran:?}");
    assert_eq!(site.read("a.txt").as_deref(), Some("mine\n"));

    let write = Tier::Copy.change("c.txt", "mine");
    let mut site = Site::new(Tier::Copy, &[write.as_str(); 4].join(" || "), "true");
    assert_eq!(site.run().state, EndState::Waiting);
    std::fs::write(site.path("c.txt"), "theirs\n").unwrap();
    let once =
        json!({"permissions": [{"tool": "write_file", "match": "exact c.txt", "answer": "once"}]});
    site.resume(once);
    assert_eq!(site.read("c.txt").as_deref(), Some("theirs\n"));
}

#[test]
fn only_known_options_are_chosen_and_unknown_requests_are_refused() {
    let script = "permit edit; permit switch_mode; permit fetch; request terminal/create; \
                  request craft/drainMidTurnQueue";
    let mut site = Site::new(Tier::Mediated, script, "true");
    let ran = site.run();
    for words in [
        "[terminal/create: -32601]",
        "[craft/drainMidTurnQueue: -32601]",
    ] {
        assert!(ran.said.contains(words), "{ran:?}");
    }
    assert_eq!(ran.said.matches("proceed_once").count(), 1, "{ran:?}");
    assert_eq!(ran.said.matches("cancel\"").count(), 2, "{ran:?}");
    // For an agent that Planwright doesn't know, no option is chosen.
    let mut site = Site::new(Tier::Copy, "permit edit", "true");
    let ran = site.run();
    assert!(ran.said.contains("cancelled"), "{ran:?}");
}

#[test]
fn paths_outside_and_private_files_are_refused() {
    let script = "read ../home/secret; write ../beside.txt x; read .env; write .env x; read /etc/hostname; \
                  write plans/p.md x; write plans/p.md x; write plans/p.md x; read a.txt";
    let mut site = Site::new(Tier::Mediated, script, "true");
    let (before, plan) = (site.files(), site.read("plans/p.md"));
    let ran = site.run();
    assert_eq!(site.files(), before, "{ran:?}");
    let ticked = site
        .read("plans/p.md")
        .map(|plan| plan.replace("[x]", "[ ]"));
    assert_eq!(ticked, plan);
    assert!(!ran.said.contains("secret\\n"), "{ran:?}");
    assert!(ran.said.contains("original a"), "{ran:?}");
}

#[test]
fn keys_enter_by_name_alone() {
    let script = "variable OPENAI_API_KEY; variable OTHER_API_KEY";
    let mut site = Site::new(Tier::Mediated, script, "true");
    let ran = site.run();
    assert!(
        ran.said.contains("[OPENAI_API_KEY=Some(\"named\")]"),
        "{ran:?}"
    );
    assert!(ran.said.contains("[OTHER_API_KEY=None]"), "{ran:?}");
}

#[test]
fn an_agent_that_breaks_a_limit_fails_the_step_and_is_gone() {
    for (action, says) in [
        ("die", "it exited with code 3"),
        ("flood", "more than 32 MB"),
        ("long", "more than 16 MB"),
        ("garbage", "aren’t messages"),
        ("refuse", "ended early (refusal)"),
    ] {
        for tier in TIERS {
            let write = tier.change("b.txt", "half");
            let mut site = Site::new(tier, &format!("{write}; {action}"), "true");
            let before = site.files();
            let ran = site.run();
            assert_eq!(ran.state, EndState::Waiting, "{action}: {ran:?}");
            let reasons = ran.notices.join("\n");
            assert!(reasons.contains(says), "{action}: {ran:?}");
            assert!(!site.has_processes(), "{action}");
            // Changes in a copy are lost, because the agent failed before they were taken over.
            if tier == Tier::Copy {
                assert_eq!(site.files(), before, "{action}");
            }
            // The step isn't retried automatically.
            let started = |entry: &Entry| matches!(entry, Entry::Recovered { .. });
            assert_eq!(site.journal().into_iter().filter(started).count(), 1);
        }
    }
}

#[test]
fn a_hanging_agent_ends_with_its_time_limit() {
    let mut site = Site::new(Tier::Copy, "put b.txt half; hang", "true");
    let agent = env!("CARGO_BIN_EXE_scripted-agent");
    site.settings(json!({"agents": [
        {"name": "copier", "command": [agent], "network": false, "timeout_s": 1},
    ]}));
    let ran = site.run();
    assert_eq!(ran.state, EndState::Waiting, "{ran:?}");
    assert!(ran.notices.join(" ").contains("its time limit"), "{ran:?}");
    assert!(!site.path("b.txt").exists());
    assert!(!site.has_processes());
}

#[test]
fn children_that_stay_end_with_the_agent() {
    for tier in TIERS {
        let mut site = Site::new(tier, "child b.txt mine; say started", "true");
        let before = site.files();
        let ran = site.run();
        assert!(!site.has_processes(), "{ran:?}");
        let mut after = site.files();
        // The child may have written to `b.txt` before the turn ended.
        after.remove(&site.path("b.txt"));
        assert_eq!(after, before);
    }
}

#[test]
fn answers_that_nobody_waits_for_are_ignored() {
    for tier in TIERS {
        let write = tier.change("b.txt", "mine");
        let script = format!("mode yolo; mode auto; {write}; say done; twice");
        let mut site = Site::new(tier, &script, "grep -q mine b.txt");
        let ran = site.run();
        assert!(
            matches!(ran.state, EndState::Done | EndState::Waiting),
            "{ran:?}"
        );
        assert!(site.writes().len() <= 1);
    }
}

#[test]
fn a_failed_check_goes_back_to_the_agent() {
    for tier in TIERS {
        let first = tier.change("b.txt", "wrong");
        let second = tier.change("b.txt", "right");
        let script = format!("{first} || {second}");
        let mut site = Site::new(tier, &script, "grep -q right b.txt");
        let ran = site.run();
        assert_eq!(ran.state, EndState::Done, "{ran:?}");
        assert_eq!(site.writes(), ["b.txt", "b.txt"]);
    }
}

#[test]
fn a_step_cut_off_at_any_moment_goes_on_and_repeats_nothing() {
    for tier in TIERS {
        let (one, two) = (tier.change("b.txt", "one"), tier.change("a.txt", "two"));
        let script = format!("read a.txt; {one}; {two}");
        let check = "grep -q one b.txt && grep -q two a.txt";
        // Tests every second cut: the even ones in the mediated tier, the odd ones in a copy.
        for cut in (usize::from(tier == Tier::Copy)..).step_by(2) {
            let mut site = Site::new(tier, &script, check);
            if site.run_until(cut).is_some() {
                break;
            }
            if !site.has_run() {
                continue;
            }
            assert!(!site.has_processes(), "{tier:?}, cut {cut}");
            let answers = json!({"unknown": "check"});
            let ran = site.resume(answers);
            assert_eq!(ran.state, EndState::Done, "{tier:?}, cut {cut}: {ran:?}");
            assert_eq!(site.read("b.txt").as_deref(), Some("one\n"));
            assert_eq!(site.read("a.txt").as_deref(), Some("two\n"));
            let finished = site
                .journal()
                .into_iter()
                .filter(|entry| matches!(entry, Entry::Finished { outcome, .. } if outcome.ok));
            assert_eq!(finished.count(), 2, "{tier:?}, cut {cut}");
        }
    }
}
