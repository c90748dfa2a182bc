//! A plan's history as the window shows it: changes, restoring, saves by programs that have an
//! older version open, and conflicts that wait for the person.

use desktop::wire::{ConflictChoice, DesktopEvent, Edit, EditOutcome, HistoryEntry, PlanConflict};
use planwright_tests::Project;

use crate::documents::{Bench, PLAN};

pub(crate) const PATH: &str = "plans/flag.md";

pub(crate) fn project() -> Project {
    Project::new().file(PATH, PLAN)
}

pub(crate) fn title(task: &str, text: &str) -> Edit {
    Edit::Title {
        task: task.to_owned(),
        text: text.to_owned(),
    }
}

/// Edits the current revision and returns the next one.
#[track_caller]
pub(crate) fn edit(bench: &Bench, plan: &str, edit: Edit) -> String {
    let now = bench.desktop.outline(plan, None).unwrap().revision;
    written(bench.desktop.edit(plan, &now, edit).unwrap())
}

#[track_caller]
pub(crate) fn written(outcome: EditOutcome) -> String {
    match outcome {
        EditOutcome::Written { revision, .. } => revision,
        other => panic!("{other:?}"),
    }
}

/// The whole history, newest entry first.
pub(crate) fn history(bench: &Bench, plan: &str) -> Vec<HistoryEntry> {
    let mut entries: Vec<HistoryEntry> = Vec::new();
    let mut before = None;
    loop {
        let page = bench.desktop.history(plan, before, 7).unwrap();
        assert!(page.entries.len() <= 7);
        entries.extend(page.entries);
        match page.next {
            Some(next) => before = Some(next),
            None => return entries,
        }
    }
}

/// The content once another program's save has been merged.
pub(crate) fn settled(bench: &Bench, project: &Project, plan: &str) -> String {
    bench.desktop.outline(plan, None).unwrap();
    project.read(PATH)
}

#[test]
fn every_change_is_listed_with_who_made_it_why_and_what_it_changed() {
    let (bench, project) = (Bench::new(), project());
    let plan = bench.open(&project, PATH).plan;
    let first = bench.desktop.outline(&plan, None).unwrap().revision;
    let second = edit(&bench, &plan, title("T2", "Add the flag to every parser"));
    project.edit(PATH, "- [ ] **T4** Use orjson", "- [x] **T4** Use orjson");
    let third = bench.desktop.outline(&plan, None).unwrap().revision;
    for at in 0..8 {
        let text = format!("Prose number {at}");
        edit(&bench, &plan, Edit::Intro { text });
    }
    let entries = history(&bench, &plan);
    assert_eq!(entries.len(), 11);
    assert!(entries.windows(2).all(|pair| pair[0].seq > pair[1].seq));
    let [.., third_entry, second_entry, first_entry] = entries.as_slice() else {
        panic!("{entries:?}")
    };
    assert_eq!(third_entry.revision, third);
    assert_eq!(
        (&*third_entry.author, &*third_entry.summary),
        ("outside", "T4 done")
    );
    assert_eq!(
        (
            &*second_entry.author,
            &*second_entry.reason,
            &*second_entry.summary
        ),
        ("person", "Change the title of T2", "T2 reworded")
    );
    assert_eq!(second_entry.parent.as_deref(), Some(&*first));
    assert_eq!(
        (&*first_entry.summary, &first_entry.parent),
        ("5 steps", &None)
    );
    assert!(
        entries
            .iter()
            .all(|entry| entry.moved_from.is_none() && !entry.is_approved)
    );
    assert!(entries[0].at_ms >= first_entry.at_ms);

    let change = bench.desktop.compare(&plan, &first[..12], &third).unwrap();
    let kinds: Vec<_> = change
        .tasks
        .iter()
        .map(|task| (&*task.id, &*task.kind))
        .collect();
    assert_eq!(kinds, [("T2", "reworded"), ("T4", "done")]);
    assert_eq!(
        (change.unchanged, change.more_tasks, change.is_cut),
        (3, 0, false)
    );
    let words = &change.tasks[0].parts[0];
    let now: String = words
        .words
        .iter()
        .filter(|run| run.kind != "removed")
        .map(|run| &*run.text)
        .collect();
    assert_eq!(
        (&*words.name, &*now),
        ("title", "Add the flag to every parser")
    );
    let added: Vec<_> = change
        .lines
        .iter()
        .filter(|line| line.kind == "added")
        .collect();
    assert_eq!(added.len(), 2);
    assert_eq!((change.from, change.to), (first, third.clone()));
    let whole = bench.desktop.compare(&plan, "", &second).unwrap();
    assert!(whole.tasks.len() == 5 && whole.tasks.iter().all(|task| task.kind == "added"));
    assert!(
        bench
            .desktop
            .compare(&plan, &"0".repeat(64), &third)
            .is_err()
    );
}

#[test]
fn an_earlier_version_comes_back_over_a_restart_and_can_be_taken_back_again() {
    let (bench, project) = (Bench::new(), project());
    let plan = bench.open(&project, PATH).plan;
    let first = bench.desktop.outline(&plan, None).unwrap().revision;
    edit(&bench, &plan, title("T2", "Something else"));
    let second = edit(&bench, &plan, title("T3", "And this"));
    let second_text = project.read(PATH);

    let bench = bench.restarted();
    bench.open(&project, PATH);
    let outcome = bench.desktop.restore(&plan, &second, &first[..12]).unwrap();
    assert_eq!(written(outcome), first);
    assert_eq!(project.read(PATH), PLAN);
    let entry = &history(&bench, &plan)[0];
    assert!(
        entry.reason.starts_with("Restored the revision from 2"),
        "{entry:?}"
    );
    assert_eq!((&*entry.author, &entry.revision), ("person", &first));
    assert_eq!(entry.parent.as_ref(), Some(&second));

    let bench = bench.restarted();
    bench.open(&project, PATH);
    assert_eq!(written(bench.desktop.undo_edit(&plan).unwrap()), second);
    assert_eq!(project.read(PATH), second_text);
    // Restoring the current content changes nothing.
    let again = bench.desktop.restore(&plan, &second, &second).unwrap();
    assert!(matches!(again, EditOutcome::Unchanged { .. }), "{again:?}");
}

#[test]
fn restoring_writes_over_nothing_that_the_person_has_not_seen() {
    let (bench, project) = (Bench::new(), project());
    let plan = bench.open(&project, PATH).plan;
    let first = bench.desktop.outline(&plan, None).unwrap().revision;
    let seen = edit(&bench, &plan, title("T2", "Something else"));
    project.edit(PATH, "Use orjson for", "Use msgspec for");
    let theirs = project.read(PATH);
    let outcome = bench.desktop.restore(&plan, &seen, &first).unwrap();
    let EditOutcome::Conflict { revision, .. } = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!(project.read(PATH), theirs);
    assert_eq!(
        written(bench.desktop.restore(&plan, &revision, &first).unwrap()),
        first
    );
}

#[test]
fn a_version_of_a_plan_whose_file_is_gone_can_be_restored() {
    let (bench, project) = (Bench::new(), project());
    let plan = bench.open(&project, PATH).plan;
    let first = bench.desktop.outline(&plan, None).unwrap().revision;
    let second = edit(&bench, &plan, title("T2", "Something else"));
    std::fs::remove_file(project.at(PATH)).unwrap();
    let bench = bench.restarted();
    bench
        .desktop
        .open_workspace(project.path().to_str().unwrap())
        .unwrap();
    assert_eq!(history(&bench, &plan).len(), 2);
    bench.desktop.compare(&plan, &first, &second).unwrap();
    let moved_on = bench.desktop.restore(&plan, &first, &first).unwrap();
    assert!(
        matches!(moved_on, EditOutcome::Conflict { .. }),
        "{moved_on:?}"
    );
    assert!(!project.at(PATH).exists());
    assert_eq!(
        written(bench.desktop.restore(&plan, &second, &first).unwrap()),
        first
    );
    assert_eq!(project.read(PATH), PLAN);
    assert_eq!(written(bench.desktop.undo_edit(&plan).unwrap()), second);
}

#[test]
fn undo_goes_to_the_start_of_a_long_session_and_redo_to_its_end() {
    let (bench, project) = (Bench::new(), project());
    let plan = bench.open(&project, PATH).plan;
    let mut revisions = vec![bench.desktop.outline(&plan, None).unwrap().revision];
    for at in 0..110 {
        let task = ["T1", "T2", "T3", "T4"][at % 4];
        let now = revisions.last().unwrap();
        let edit = match at % 3 {
            0 => title(task, &format!("Title number {at}")),
            1 => Edit::Body {
                task: task.to_owned(),
                text: format!("Prose number {at}."),
            },
            _ => Edit::Field {
                task: task.to_owned(),
                key: "accept".to_owned(),
                values: vec![format!("it holds {at}")],
            },
        };
        revisions.push(written(bench.desktop.edit(&plan, now, edit).unwrap()));
    }
    for revision in revisions.iter().rev().skip(1) {
        assert_eq!(&written(bench.desktop.undo_edit(&plan).unwrap()), revision);
    }
    assert_eq!(project.read(PATH), PLAN);
    for revision in &revisions[1..] {
        assert_eq!(&written(bench.desktop.redo_edit(&plan).unwrap()), revision);
    }
}

/// An edit that another program makes to the version it has open.
type Change = fn(&str) -> String;

#[test]
fn what_another_program_saves_from_an_older_version_is_merged_with_what_is_newer() {
    let cases: [(&str, Change, &[&str], &[&str]); 6] = [
        (
            "another title",
            |old| old.replace("Use orjson for the output", "Use msgspec for the output"),
            &[
                "Use msgspec for the output",
                "Mine for T2",
                "a person signs",
            ],
            &["Use orjson"],
        ),
        (
            "a box",
            |old| old.replace("- [ ] **D1**", "- [x] **D1**"),
            &["- [x] **D1**", "Mine for T2", "a person signs"],
            &[],
        ),
        (
            "a step more",
            |old| {
                old.replace(
                    "- [ ] **T3**",
                    "- [ ] **T9** A step of theirs\n- [ ] **T3**",
                )
            },
            &["**T9** A step of theirs\n", "Mine for T2", "a person signs"],
            &[],
        ),
        (
            "a step less",
            |old| {
                let (above, rest) = old.split_once("- [ ] **T4**").unwrap();
                let below = rest.split_once("\n## Decisions").unwrap().1;
                format!("{above}\n## Decisions{below}")
            },
            &["Mine for T2", "a person signs"],
            &["**T4** Use orjson"],
        ),
        (
            "prose, and other line ends",
            |old| {
                old.replace("Some *context*", "Much *context*")
                    .replace('\n', "\r\n")
            },
            &["Much *context*", "Mine for T2\r\n", "a person signs\r\n"],
            &[],
        ),
        (
            "the end of the file",
            |old| format!("{old}- D7: theirs\n"),
            &["- D7: theirs\n", "Mine for T2", "a person signs"],
            &[],
        ),
    ];
    for (what, change, has, lacks) in cases {
        let (bench, project) = (Bench::new(), project());
        let plan = bench.open(&project, PATH).plan;
        edit(&bench, &plan, title("T2", "Mine for T2"));
        edit(
            &bench,
            &plan,
            Edit::Field {
                task: "T3".to_owned(),
                key: "accept".to_owned(),
                values: vec!["a person signs".to_owned()],
            },
        );
        let newest = project.read(PATH);
        let stale = change(PLAN);
        // Replaces the file atomically, because a partly written file would become a history entry.
        let written = project.write("plans/.saved.tmp", &stale);
        std::fs::rename(written, project.at(PATH)).unwrap();
        let now = settled(&bench, &project, &plan);
        for words in has {
            assert!(now.contains(words), "{what}: no {words:?} in\n{now}");
        }
        for words in lacks {
            assert!(!now.contains(words), "{what}: {words:?} in\n{now}");
        }
        assert!(bench.desktop.conflicts(&plan).unwrap().is_empty(), "{what}");
        let entries = history(&bench, &plan);
        let authors: Vec<_> = entries.iter().map(|entry| &*entry.author).collect();
        assert_eq!(
            authors,
            ["app", "outside", "person", "person", "outside"],
            "{what}"
        );
        assert!(entries[0].reason.starts_with("Merged"), "{:?}", entries[0]);
        // Both versions are in the history, so either can be restored.
        let at = |entry: &HistoryEntry| bench.desktop.compare(&plan, "", &entry.revision).unwrap();
        assert_eq!(
            at(&entries[2]).to,
            plan::Revision::of(newest.as_bytes()).as_str()
        );
        assert_eq!(
            at(&entries[1]).to,
            plan::Revision::of(stale.as_bytes()).as_str()
        );
        bench.wait_for("that it was merged", |event| {
            matches!(event, DesktopEvent::Notice { message, .. } if message.contains("older version"))
        });
        // The save isn't merged again, not even after a restart.
        settled(&bench, &project, &plan);
        let bench = bench.restarted();
        bench.open(&project, PATH);
        assert_eq!(project.read(PATH), now, "{what}");
        assert_eq!(history(&bench, &plan).len(), entries.len(), "{what}");
    }
}

#[test]
fn a_merge_tells_what_it_named_anew_and_what_it_could_move_only_once() {
    let (bench, project) = (Bench::new(), project());
    let plan = bench.open(&project, PATH).plan;
    let first = bench.desktop.outline(&plan, None).unwrap().revision;
    let added = |what: &str| {
        PLAN.replace(
            "\n## Decisions",
            &format!("- [ ] **T5** {what}\n\n## Decisions"),
        )
    };
    let sentence = "T5 is now T6, because the other version added T5 too.";
    let is_told = |event: &DesktopEvent| matches!(event, DesktopEvent::Notice { message, .. } if message.contains(sentence));

    // Another program adds a step while this one saves a text with a new step too.
    project.write(PATH, added("A step of theirs"));
    let saved = bench
        .desktop
        .save_text(&plan, &first, &added("A step of mine"));
    let revision = written(saved.unwrap());
    let now = project.read(PATH);
    assert!(now.contains("**T5** A step of theirs") && now.contains("**T6** A step of mine"));
    bench.wait_for("the new id after a save", is_told);
    let entries = history(&bench, &plan);
    assert_eq!(entries[0].revision, revision);
    assert_eq!(entries[0].reason, format!("Edit the source. {sentence}"));

    // Another program saves the version it opened before a step was added here.
    let (bench, project) = (Bench::new(), self::project());
    let plan = bench.open(&project, PATH).plan;
    let first = bench.desktop.outline(&plan, None).unwrap().revision;
    let saved = bench.desktop.save_text(
        &plan,
        &first,
        &added("Measure how long it takes\n  - accept: less than a second for ten thousand rows"),
    );
    written(saved.unwrap());
    let theirs = "- [ ] **T5** Write the note\n- [ ] **T3** Use";
    project.write(PATH, PLAN.replace("- [ ] **T3** Use", theirs));
    let now = settled(&bench, &project, &plan);
    assert!(
        now.contains("**T5** Write the note") && now.contains("**T6** Measure how long it takes"),
        "{now}"
    );
    bench.wait_for("the new id after a stale save", is_told);
    let entries = history(&bench, &plan);
    assert!(entries[0].reason.starts_with("Merged"), "{:?}", entries[0]);
    assert!(entries[0].reason.ends_with(sentence), "{:?}", entries[0]);
    // This counts as a merge too: it is reported once and not merged again.
    assert_eq!(settled(&bench, &project, &plan), now);
    let bench = bench.restarted();
    bench.open(&project, PATH);
    assert_eq!(history(&bench, &plan).len(), entries.len());
}

#[test]
fn a_task_that_both_sides_moved_is_told_of() {
    let (bench, project) = (Bench::new(), project());
    let plan = bench.open(&project, PATH).plan;
    let first = bench.desktop.outline(&plan, None).unwrap().revision;
    let four = "- [ ] **T4** Use orjson for the output of all rows\n  - depends: D1\n";
    let before = |line: &str| {
        PLAN.replace(four, "")
            .replace(line, &format!("{four}{line}"))
    };
    project.write(PATH, before("- [x] **T1**"));
    let saved = bench
        .desktop
        .save_text(&plan, &first, &before("- [ ] **D1**"));
    let outcome = saved.unwrap();
    let sentence = "T4 was moved in both versions; the other version's position was kept.";
    bench.wait_for(
        "that it was moved twice",
        |event| matches!(event, DesktopEvent::Notice { message, .. } if message.contains(sentence)),
    );
    assert_eq!(project.read(PATH), before("- [x] **T1**"), "{outcome:?}");
}

#[test]
fn a_save_that_takes_back_what_was_merged_is_merged_once_more_and_then_meant() {
    let (bench, project) = (Bench::new(), project());
    let plan = bench.open(&project, PATH).plan;
    edit(&bench, &plan, title("T2", "Mine for T2"));
    let stale = PLAN.replace("Use orjson", "Use msgspec");
    project.write(PATH, &stale);
    let merged = settled(&bench, &project, &plan);
    assert!(merged.contains("Mine for T2") && merged.contains("Use msgspec"));
    project.write(PATH, &stale);
    assert_eq!(settled(&bench, &project, &plan), merged);
    project.write(PATH, &stale);
    assert_eq!(
        settled(&bench, &project, &plan),
        stale,
        "saving it again keeps it"
    );
    // The other program continues to edit the text it has open.
    project.write(PATH, stale.replace("Some *context*", "Much *context*"));
    assert!(settled(&bench, &project, &plan).contains("Much *context*"));
}

#[test]
fn an_ordinary_edit_of_another_program_is_taken_as_it_is() {
    let (bench, project) = (Bench::new(), project());
    let plan = bench.open(&project, PATH).plan;
    let first = project.read(PATH);
    edit(&bench, &plan, title("T2", "Mine for T2"));
    let second = project.read(PATH);
    let cases = [
        (
            "an edit of the newest version",
            second.replace("orjson", "msgspec"),
        ),
        ("undo in an editor", first.clone()),
        ("and redo", second.clone()),
        (
            "another plan altogether",
            "# Another\n\n- [ ] **T1** Write it\n".to_owned(),
        ),
        ("nothing at all", String::new()),
        ("back again", second.clone()),
    ];
    for (what, text) in cases {
        project.write(PATH, &text);
        assert_eq!(settled(&bench, &project, &plan), text, "{what}");
    }
    let entries = history(&bench, &plan);
    assert_eq!(entries.len(), 8);
    assert!(entries[..6].iter().all(|entry| entry.author == "outside"));
}

#[test]
fn a_plan_that_was_only_looked_at_is_never_written() {
    let (bench, project) = (Bench::new(), project());
    let plan = bench.open(&project, PATH).plan;
    project.edit(PATH, "parser of the report command", "parser");
    settled(&bench, &project, &plan);
    let stale = PLAN.replace("Use orjson", "Use msgspec");
    project.write(PATH, &stale);
    assert_eq!(settled(&bench, &project, &plan), stale);
}

#[test]
fn what_git_checks_out_is_no_stale_save() {
    let project = project().git();
    let bench = Bench::new();
    project.run_git(&["switch", "--quiet", "--create", "other"]);
    project.edit(PATH, "Use orjson", "Use msgspec");
    project.commit("Other");
    let other = project.read(PATH);
    project.run_git(&["switch", "--quiet", "main"]);
    let plan = bench.open(&project, PATH).plan;
    edit(&bench, &plan, title("T2", "Mine for T2"));
    project.commit("Mine");
    // The program has never seen this version, which is most similar to the one before the edit.
    project.run_git(&["switch", "--quiet", "other"]);
    assert_eq!(settled(&bench, &project, &plan), other);
    assert_eq!(project.run_git(&["status", "--porcelain"]), "");
}

/// Makes a plan in which both sides changed the title of T2 and another program has an older
/// version open; returns the plan and the conflict.
fn conflicting(bench: &Bench, project: &Project) -> (String, PlanConflict) {
    let plan = bench.open(project, PATH).plan;
    edit(bench, &plan, title("T2", "Mine for T2"));
    edit(bench, &plan, title("T3", "Mine for T3"));
    let stale = PLAN
        .replace(
            "Add the flag to the parser of the report command",
            "Theirs for T2",
        )
        .replace("Use orjson", "Use msgspec");
    project.write(PATH, stale);
    let now = settled(bench, project, &plan);
    for words in [
        "**T2** Theirs for T2\n",
        "Use msgspec",
        "**T3** Mine for T3\n",
    ] {
        assert!(now.contains(words), "no {words:?} in\n{now}");
    }
    let conflicts = bench.desktop.conflicts(&plan).unwrap();
    let [only] = conflicts.as_slice() else {
        panic!("{conflicts:?}")
    };
    (plan, only.clone())
}

#[test]
fn lines_that_both_changed_are_kept_from_both_until_the_person_chooses() {
    for (choice, has, lacks) in [
        (
            ConflictChoice::Mine,
            "**T2** Mine for T2\n",
            "Theirs for T2",
        ),
        (
            ConflictChoice::Theirs,
            "**T2** Theirs for T2\n",
            "Mine for T2",
        ),
        (
            ConflictChoice::Both,
            "- [ ] **T2** Theirs for T2\n- [ ] **T2** Mine for T2\n",
            "of the report command",
        ),
    ] {
        let (bench, project) = (Bench::new(), project());
        let (plan, conflict) = conflicting(&bench, &project);
        assert_eq!(conflict.task.as_deref(), Some("T2"));
        assert_eq!(conflict.title, "Theirs for T2");
        assert!(conflict.base.contains("of the report command"));
        assert!(conflict.mine.contains("Mine for T2") && conflict.theirs.contains("Theirs for T2"));
        assert_eq!(bench.desktop.outline(&plan, None).unwrap().conflicts, 1);
        bench.wait_for(
            "the review",
            |event| matches!(event, DesktopEvent::Review { plan: of } if *of == plan),
        );
        let before = project.read(PATH);

        let bench = bench.restarted();
        bench.open(&project, PATH);
        assert_eq!(
            bench.desktop.conflicts(&plan).unwrap(),
            std::slice::from_ref(&conflict)
        );
        let outcome = bench
            .desktop
            .resolve_conflict(&plan, conflict.id, choice)
            .unwrap();
        let is_written = matches!(outcome, EditOutcome::Written { .. });
        assert_eq!(is_written, choice != ConflictChoice::Theirs, "{outcome:?}");
        let now = project.read(PATH);
        assert!(
            now.contains(has) && !now.contains(lacks),
            "{choice:?}\n{now}"
        );
        assert!(
            now.contains("Use msgspec") && now.contains("Mine for T3"),
            "{now}"
        );
        assert_eq!(bench.desktop.outline(&plan, None).unwrap().conflicts, 0);
        assert!(bench.desktop.conflicts(&plan).unwrap().is_empty());
        let again = bench.desktop.resolve_conflict(&plan, conflict.id, choice);
        assert!(again.unwrap_err().message.contains("already resolved"));
        if is_written {
            bench.desktop.undo_edit(&plan).unwrap();
            assert_eq!(project.read(PATH), before);
        }
    }
}

#[test]
fn a_conflict_is_settled_beside_what_was_written_since_and_never_over_it() {
    let (bench, project) = (Bench::new(), project());
    let (plan, conflict) = conflicting(&bench, &project);
    edit(&bench, &plan, title("T4", "Something since"));
    edit(&bench, &plan, title("T2", "Others again"));
    let before = project.read(PATH);
    let outcome = bench
        .desktop
        .resolve_conflict(&plan, conflict.id, ConflictChoice::Mine)
        .unwrap();
    let EditOutcome::Conflict { mine, theirs, .. } = outcome else {
        panic!("{outcome:?}")
    };
    assert!(mine.contains("Mine for T2") && theirs.contains("Others again"));
    assert_eq!(project.read(PATH), before);
    assert_eq!(
        bench.desktop.conflicts(&plan).unwrap().len(),
        1,
        "the conflict stays open"
    );
    edit(&bench, &plan, title("T2", "Theirs for T2"));
    let outcome = bench
        .desktop
        .resolve_conflict(&plan, conflict.id, ConflictChoice::Mine)
        .unwrap();
    written(outcome);
    let now = project.read(PATH);
    assert!(
        now.contains("**T2** Mine for T2\n") && now.contains("Something since"),
        "{now}"
    );
}

#[test]
fn a_merge_for_another_program_approves_nothing() {
    let (bench, project) = (Bench::new(), project());
    let plan = bench.open(&project, PATH).plan;
    let approved = bench.desktop.outline(&plan, None).unwrap().revision;
    // The person changes a step without approving it; then another program saves the older version.
    let edit_of_check = Edit::Field {
        task: "T2".to_owned(),
        key: "verify".to_owned(),
        values: vec!["touch changed-by-nobody".to_owned()],
    };
    edit(&bench, &plan, edit_of_check);
    project.write(PATH, PLAN.replace("Use orjson", "Use msgspec"));
    let now = settled(&bench, &project, &plan);
    assert!(now.contains("touch changed-by-nobody") && now.contains("Use msgspec"));
    let ran = crate::run_revision(&bench.home, &project, PATH, &approved, &[]);
    let told = format!("{:?}", ran.json());
    assert!(
        told.contains("not_covered") || told.contains("uncovered"),
        "{told}"
    );
    // T2 was changed by the person, T4 by the other program.
    for task in ["T2", "T4"] {
        assert!(
            told.contains(&format!("\"task\": String(\"{task}\")")),
            "{told}"
        );
    }
    assert!(!told.contains("String(\"T1\")"), "{told}");
    assert!(!project.at("changed-by-nobody").exists());
}
