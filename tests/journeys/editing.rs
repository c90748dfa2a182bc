//! Editing plans as the window does: every field, undo and redo, and other programs that write the
//! same file.

use std::os::unix::fs::PermissionsExt;

use desktop::Desktop;
use desktop::wire::{DesktopEvent, Edit, EditOutcome, TaskPlace};
use planwright_tests::{Project, wait_until};

use crate::documents::{Bench, PLAN};

fn project() -> Project {
    Project::new().file("plans/flag.md", PLAN)
}

/// Edits a plan; each edit is based on the revision that the previous one produced.
struct Editing<'b> {
    desktop: &'b Desktop,
    plan: String,
    revision: String,
}

impl<'b> Editing<'b> {
    fn open(bench: &'b Bench, project: &Project) -> Self {
        let outline = bench.open(project, "plans/flag.md");
        Self {
            desktop: &bench.desktop,
            plan: outline.plan,
            revision: outline.revision,
        }
    }

    /// Makes an edit and asserts that it is written; returns the task in the outcome.
    #[track_caller]
    fn edit(&mut self, edit: Edit) -> Option<String> {
        let outcome = self.desktop.edit(&self.plan, &self.revision, edit).unwrap();
        self.written(outcome)
    }

    #[track_caller]
    fn written(&mut self, outcome: EditOutcome) -> Option<String> {
        match outcome {
            EditOutcome::Written { revision, task, .. } => {
                self.revision = revision;
                task
            }
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    fn undo(&mut self) {
        let outcome = self.desktop.undo_edit(&self.plan).unwrap();
        self.written(outcome);
    }

    #[track_caller]
    fn redo(&mut self) {
        let outcome = self.desktop.redo_edit(&self.plan).unwrap();
        self.written(outcome);
    }
}

/// Changes the plan like an editor that replaces the file with a new one.
fn replace(project: &Project, from: &str, to: &str) {
    let text = project.read("plans/flag.md").replace(from, to);
    let new = project.write("plans/new.tmp", text);
    std::fs::rename(new, project.at("plans/flag.md")).unwrap();
}

fn title(task: &str, text: &str) -> Edit {
    Edit::Title {
        task: task.to_owned(),
        text: text.to_owned(),
    }
}

fn field(task: &str, key: &str, values: &[&str]) -> Edit {
    Edit::Field {
        task: task.to_owned(),
        key: key.to_owned(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    }
}

fn every_edit() -> Vec<Edit> {
    let text = |text: &str| text.to_owned();
    let after = |task: &str| TaskPlace::After { task: text(task) };
    vec![
        Edit::PlanTitle {
            text: text("Another title"),
        },
        Edit::Goal {
            text: text("Another goal"),
        },
        Edit::Intro {
            text: text("Other prose.\n\nIn two parts."),
        },
        Edit::Requirement {
            id: text("R1"),
            text: text("the flag prints YAML"),
        },
        Edit::AddRequirement {
            text: text("it is documented"),
        },
        Edit::DeleteRequirement { id: text("R2") },
        title("T2", "Add the flag `--json` to the parser"),
        Edit::Body {
            task: text("T2"),
            text: text("Only the parser.\n\nNothing else."),
        },
        field("T2", "files", &["src/main.py"]),
        field("T2", "verify", &["true", "python -m pytest"]),
        field("T2", "accept", &[]),
        field("T2", "by", &["person"]),
        field("T2", "covers", &["R3"]),
        field("D1", "option", &["one → T3", "two → T4"]),
        Edit::Depends {
            task: text("T2"),
            on: None,
        },
        Edit::Depends {
            task: text("T2"),
            on: Some(vec![]),
        },
        Edit::AddTask {
            place: after("T2"),
            title: text("Write about it"),
            kind: text("task"),
        },
        Edit::AddTask {
            place: TaskPlace::First,
            title: text("Look at it"),
            kind: text("checkpoint"),
        },
        Edit::AddTask {
            place: TaskPlace::Under { task: text("T4") },
            title: text("Install it"),
            kind: text("task"),
        },
        Edit::MoveTask {
            task: text("T2"),
            place: after("T4"),
        },
        Edit::Skip {
            task: text("T4"),
            reason: Some(text("not needed")),
        },
        Edit::Skip {
            task: text("T4"),
            reason: None,
        },
        Edit::DeleteTask { task: text("T3") },
    ]
}

#[test]
fn every_field_can_be_edited_taken_back_and_made_again() {
    let (bench, project) = (Bench::new(), project());
    let mut editing = Editing::open(&bench, &project);
    let mut texts = vec![project.read("plans/flag.md")];
    for edit in every_edit() {
        let adds = matches!(edit, Edit::AddTask { .. } | Edit::MoveTask { .. });
        let task = editing.edit(edit.clone());
        assert_eq!(task.is_some(), adds, "{edit:?}");
        let now = project.read("plans/flag.md");
        assert_ne!(Some(&now), texts.last(), "{edit:?}");
        texts.push(now);
    }
    for text in texts.iter().rev().skip(1) {
        editing.undo();
        assert_eq!(&project.read("plans/flag.md"), text);
    }
    assert_eq!(project.read("plans/flag.md"), PLAN);
    let outcome = bench.desktop.undo_edit(&editing.plan).unwrap();
    assert!(
        matches!(outcome, EditOutcome::Unchanged { .. }),
        "{outcome:?}"
    );
    for text in &texts[1..] {
        editing.redo();
        assert_eq!(&project.read("plans/flag.md"), text);
    }
    assert_eq!(
        std::fs::read_dir(project.at("plans")).unwrap().count(),
        1,
        "nothing is left over"
    );
}

#[test]
fn undo_survives_the_program_and_names_what_it_takes_back() {
    let (bench, project) = (Bench::new(), project());
    let mut editing = Editing::open(&bench, &project);
    editing.edit(title("T2", "Something else altogether"));
    let outline = bench.desktop.outline(&editing.plan, None).unwrap();
    assert_eq!(outline.undo.as_deref(), Some("Change the title of T2"));
    editing.undo();
    let outline = bench.desktop.outline(&editing.plan, None).unwrap();
    assert_eq!(
        (outline.undo, outline.redo.as_deref()),
        (None, Some("Change the title of T2"))
    );
}

#[test]
fn typing_on_in_one_field_is_one_step_of_undo() {
    let (bench, project) = (Bench::new(), project());
    let mut editing = Editing::open(&bench, &project);
    for text in ["Add the f", "Add the flag", "Add the flag --json"] {
        editing.edit(title("T2", text));
    }
    editing.edit(title("T3", "Another field"));
    editing.undo();
    assert!(
        project
            .read("plans/flag.md")
            .contains("Add the flag --json")
    );
    editing.undo();
    assert_eq!(project.read("plans/flag.md"), PLAN);
}

#[test]
fn an_outside_change_elsewhere_is_kept_beside_an_edit() {
    let (bench, project) = (Bench::new(), project());
    let editing = Editing::open(&bench, &project);
    project.edit("plans/flag.md", "Use orjson for", "Use msgspec for");
    let outcome = bench
        .desktop
        .edit(&editing.plan, &editing.revision, title("T2", "Mine"))
        .unwrap();
    assert!(
        matches!(outcome, EditOutcome::Written { merged: true, .. }),
        "{outcome:?}"
    );
    let now = project.read("plans/flag.md");
    assert!(
        now.contains("**T2** Mine\n") && now.contains("Use msgspec for"),
        "{now}"
    );
    // Undo reverts only the edit.
    bench.desktop.undo_edit(&editing.plan).unwrap();
    assert_eq!(
        project.read("plans/flag.md"),
        PLAN.replace("Use orjson for", "Use msgspec for")
    );
}

#[test]
fn two_changes_of_the_same_thing_are_a_conflict_and_nothing_is_written() {
    let (bench, project) = (Bench::new(), project());
    let mut editing = Editing::open(&bench, &project);
    project.edit(
        "plans/flag.md",
        "Add the flag to the parser of",
        "Theirs for",
    );
    let theirs = project.read("plans/flag.md");
    let edit = |edit| {
        bench
            .desktop
            .edit(&editing.plan, &editing.revision, edit)
            .unwrap()
    };
    match edit(title("T2", "Mine")) {
        EditOutcome::Conflict { mine, theirs, .. } => {
            assert_eq!(
                (&*mine, &*theirs),
                ("Mine", "Theirs for the report command")
            );
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(project.read("plans/flag.md"), theirs);
    // The same change on both sides isn't a conflict.
    let same = edit(title("T2", "Theirs for the report command"));
    assert!(matches!(same, EditOutcome::Unchanged { .. }), "{same:?}");
    // An edit based on the current revision is written.
    editing.revision = bench.desktop.outline(&editing.plan, None).unwrap().revision;
    editing.edit(title("T2", "Mine"));
    // An undo that would revert another program's text is a conflict too.
    project.edit("plans/flag.md", "**T2** Mine", "**T2** Theirs again");
    let outcome = bench.desktop.undo_edit(&editing.plan).unwrap();
    assert!(
        matches!(outcome, EditOutcome::Conflict { .. }),
        "{outcome:?}"
    );
    assert!(
        project
            .read("plans/flag.md")
            .contains("**T2** Theirs again")
    );
}

#[test]
fn steps_without_ids_are_found_again_where_others_put_steps_above() {
    let bench = Bench::new();
    let text = "# A list\n\n- [ ] Write the first part\n- [ ] Write the second part\n";
    let project = Project::new().file("plans/flag.md", text);
    let editing = Editing::open(&bench, &project);
    let rows = bench
        .desktop
        .rows(&editing.plan, &editing.revision, 0, 9)
        .unwrap()
        .rows;
    project.edit(
        "plans/flag.md",
        "- [ ] Write the first",
        "- [ ] New\n- [ ] Write the first",
    );
    let second = title(&rows[1].id, "Write the last part");
    bench
        .desktop
        .edit(&editing.plan, &editing.revision, second)
        .unwrap();
    let now = project.read("plans/flag.md");
    assert!(
        now.ends_with("- [ ] New\n- [ ] Write the first part\n- [ ] Write the last part\n"),
        "{now}"
    );
}

#[test]
fn everybody_is_told_of_a_change_once_and_by_whom() {
    let (bench, project) = (Bench::new(), project());
    let mut editing = Editing::open(&bench, &project);
    editing.edit(title("T2", "Mine"));
    let mine = editing.revision.clone();
    replace(&project, "**T2** Mine", "**T2** Theirs");
    let is_theirs = |event: &DesktopEvent| matches!(event, DesktopEvent::Plan { author, .. } if author == "outside");
    // The window's own writes are reported before later writes by other programs.
    let mut told = Vec::new();
    let event = bench.wait_for("the outside change", |event| {
        if let DesktopEvent::Plan {
            revision, author, ..
        } = event
            && author != "outside"
        {
            assert_eq!(
                (revision.as_ref(), author.as_str()),
                (Some(&mine), "person")
            );
        }
        is_theirs(event)
    });
    told.push(event);
    let now = bench.desktop.outline(&editing.plan, None).unwrap();
    assert!(
        matches!(&told[0], DesktopEvent::Plan { revision: Some(of), .. } if *of == now.revision)
    );
    // A write that changes nothing causes no event, and earlier writes cause no further ones.
    replace(&project, "", "");
    replace(&project, "**T2** Theirs", "**T2** The end");
    bench.wait_for("the end", is_theirs);
    assert_eq!(bench.told_of(&editing.plan), []);
}

#[test]
fn an_own_write_is_told_exactly_once() {
    let (bench, project) = (Bench::new(), project());
    let mut editing = Editing::open(&bench, &project);
    editing.edit(title("T2", "Mine"));
    // Once the event for another plan arrives, all events for this plan have arrived.
    project.write("plans/other.md", "# Other\n");
    let other = project.at("plans/other.md").display().to_string();
    let mut told = 0;
    let told_of = editing.plan.clone();
    let counted = std::cell::Cell::new(0);
    bench.wait_for("the other plan", |event| {
        if matches!(event, DesktopEvent::Plan { plan, .. } if *plan == told_of) {
            counted.set(counted.get() + 1);
        }
        matches!(event, DesktopEvent::Plan { plan, .. } if *plan == other)
    });
    told += counted.get();
    assert_eq!(told, 1);
}

#[test]
fn a_read_only_plan_says_what_to_do_and_stays_as_it_is() {
    let (bench, project) = (Bench::new(), project());
    let editing = Editing::open(&bench, &project);
    let set = |mode| {
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(project.at("plans/flag.md"), mode).unwrap();
    };
    set(0o444);
    assert!(
        !bench
            .desktop
            .outline(&editing.plan, None)
            .unwrap()
            .is_writable
    );
    let error = bench
        .desktop
        .edit(&editing.plan, &editing.revision, title("T2", "Mine"));
    let error = error.unwrap_err();
    assert!(error.message.contains("chmod u+w"), "{error}");
    assert_eq!(project.read("plans/flag.md"), PLAN);
    set(0o644);
    bench
        .desktop
        .edit(&editing.plan, &editing.revision, title("T2", "Mine"))
        .unwrap();
}

#[test]
fn what_cannot_be_written_says_why() {
    let (bench, project) = (Bench::new(), project());
    let editing = Editing::open(&bench, &project);
    let error = |revision: &str, edit| {
        bench
            .desktop
            .edit(&editing.plan, revision, edit)
            .unwrap_err()
    };
    for (edit, says) in [
        (title("T2", "  "), "empty"),
        (title("T99", "x"), "T99"),
        (field("T2", "complexity", &["many"]), "complexity"),
    ] {
        let error = error(&editing.revision, edit);
        assert!(error.message.contains(says), "{error}");
    }
    let error = error(&"0".repeat(64), title("T2", "x"));
    assert!(error.message.contains("no revision"), "{error}");
    assert_eq!(project.read("plans/flag.md"), PLAN);
}

#[test]
fn a_plan_that_goes_away_while_it_is_edited_is_not_made_again_by_itself() {
    let (bench, project) = (Bench::new(), project());
    let editing = Editing::open(&bench, &project);
    std::fs::remove_file(project.at("plans/flag.md")).unwrap();
    let error = bench
        .desktop
        .edit(&editing.plan, &editing.revision, title("T2", "Mine"));
    assert!(error.unwrap_err().message.contains("is kept"));
    assert!(!project.at("plans/flag.md").exists());
}

#[test]
fn deleting_a_step_is_shown_before() {
    let (bench, project) = (Bench::new(), project());
    let mut editing = Editing::open(&bench, &project);
    let preview = bench
        .desktop
        .preview_delete(&editing.plan, &editing.revision, "T2")
        .unwrap();
    assert_eq!(preview.uncovered, ["R1"]);
    let named: Vec<_> = preview.dependents.iter().map(|task| &*task.id).collect();
    assert_eq!(named, ["D1"]);
    assert!(preview.diff.iter().any(|line| line.kind == "removed"));
    assert_eq!(project.read("plans/flag.md"), PLAN);
    editing.edit(Edit::DeleteTask {
        task: "T2".to_owned(),
    });
    assert!(!project.read("plans/flag.md").contains("**T2**"));
}

#[test]
fn a_fix_does_what_was_shown() {
    let bench = Bench::new();
    let text = PLAN.replace("- depends: T1\n", "- depends: T1, T7\n");
    let project = Project::new().file("plans/flag.md", &text);
    let mut editing = Editing::open(&bench, &project);
    let findings = bench
        .desktop
        .findings(&editing.plan, &editing.revision)
        .unwrap();
    let finding = findings
        .findings
        .iter()
        .find(|one| one.code == "deps_incomplete_or_order")
        .unwrap();
    let (plan, at) = (&*editing.plan, &*editing.revision);
    let preview = bench.desktop.preview_fix(plan, at, &finding.id, 0).unwrap();
    let lines: Vec<_> = preview
        .diff
        .iter()
        .filter(|line| line.kind == "added")
        .collect();
    assert_eq!(lines[0].text, "  - depends: T1");
    assert_eq!(project.read("plans/flag.md"), text);
    let outcome = bench.desktop.apply_fix(plan, at, &finding.id, 0).unwrap();
    editing.written(outcome);
    assert_eq!(project.read("plans/flag.md"), PLAN);
    editing.undo();
    assert_eq!(project.read("plans/flag.md"), text);
}

#[test]
fn settings_and_a_workspace_that_goes_away_are_told() {
    let (bench, project) = (Bench::new(), project());
    bench.open(&project, "plans/flag.md");
    project.write(".planwright/settings.json", "{}\n");
    bench.wait_for("the settings", |event| {
        matches!(event, DesktopEvent::Settings)
    });
    let moved = project.path().with_extension("moved");
    std::fs::rename(project.path(), &moved).unwrap();
    bench.wait_for("the workspace is gone", |event| {
        matches!(
            event,
            DesktopEvent::Workspace {
                is_missing: true,
                ..
            }
        )
    });
    std::fs::rename(&moved, project.path()).unwrap();
    bench.wait_for("the workspace is back", |event| {
        matches!(
            event,
            DesktopEvent::Workspace {
                is_missing: false,
                ..
            }
        )
    });
    wait_until("the plan is there", || {
        project.at("plans/flag.md").is_file()
    });
}
