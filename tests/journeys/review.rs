//! Reviewing a plan: comments that move with the text they quote, replacements, and how both affect
//! an approval or a request for changes. Also edits made together, refused cycles, and lists that
//! become steps.

use desktop::wire::{
    ApproveRequest, Comment, CommentAnchor, CommentPlace, Edit, EditOutcome, GivenNotes, Reviser,
    StepNote, TaskPlace,
};
use planwright_tests::Project;
use workbench::Code;

use crate::documents::{Bench, PLAN};

struct Review {
    bench: Bench,
    project: Project,
    plan: String,
    revision: String,
}

impl Review {
    fn of(text: &str) -> Self {
        let bench = Bench::new();
        let project = Project::new().file("plans/flag.md", text);
        let outline = bench.open(&project, "plans/flag.md");
        Self {
            bench,
            project,
            plan: outline.plan,
            revision: outline.revision,
        }
    }

    #[track_caller]
    fn say(&self, kind: &str, task: &str, quote: &str, text: &str) -> Comment {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let place = CommentPlace {
            task: some(task),
            quote: some(quote),
            before: None,
        };
        let desktop = &self.bench.desktop;
        desktop
            .add_comment(&self.plan, &self.revision, &place, kind, text)
            .unwrap()
    }

    fn comments(&self) -> Vec<Comment> {
        self.bench.desktop.comments(&self.plan).unwrap()
    }

    /// Replaces the plan's text as another program would; returns the step and the anchor of each
    /// comment.
    fn after(&self, text: &str) -> Vec<(Option<String>, CommentAnchor)> {
        self.project.write("plans/flag.md", text);
        let comments = self.comments().into_iter();
        comments
            .map(|comment| (comment.task, comment.anchor))
            .collect()
    }
}

fn at(task: &str, anchor: CommentAnchor) -> (Option<String>, CommentAnchor) {
    ((!task.is_empty()).then(|| task.to_owned()), anchor)
}

use CommentAnchor::{Here, Lost, Moved};

#[test]
fn a_comment_stands_at_its_words_wherever_they_go() {
    let review = Review::of(PLAN);
    let said = review.say("comment", "T2", "parser, not the output", "Why?");
    assert_eq!((said.anchor, said.task_title.is_some()), (Here, true));
    assert_eq!(
        (said.kind.as_str(), said.quote.as_deref()),
        ("comment", Some("parser, not the output"))
    );
    review.say("comment", "T3", "", "Needed?");
    review.say("comment", "", "Some context", "Which?");
    let same = [at("T2", Here), at("T3", Here), at("", Here)];
    assert_eq!(review.after(PLAN), same);
    // The quoted text is wrapped and has markup.
    let wrapped = PLAN.replace(
        "Only the parser, not the output.",
        "Only the parser,\n  not **the** `output`.",
    );
    assert_eq!(review.after(&wrapped), same);
    // The quoted text is slightly reworded.
    let reworded = PLAN.replace(
        "Only the parser, not the output.",
        "Only the parser, surely not the output of it.",
    );
    assert_eq!(review.after(&reworded)[0], at("T2", Here));
    // The quoted text is moved to another step.
    let moved = PLAN
        .replace("  Only the parser, not the output.\n", "")
        .replace("for the output of all rows\n  - depends: D1\n- [ ] **T4**", "for the output of all rows\n  Only the parser, not the output.\n  - depends: D1\n- [ ] **T4**");
    assert_eq!(review.after(&moved)[0], at("T3", Moved));
    // The quoted text is deleted; then its step is deleted too.
    let gone = PLAN
        .replace("  Only the parser, not the output.\n", "")
        .replace("Some *context* for it.\n", "");
    assert_eq!(
        review.after(&gone),
        [at("T2", Lost), at("T3", Here), at("", Lost)]
    );
    let cut = PLAN.find("- [ ] **T3**").unwrap();
    let rest = PLAN.find("- [ ] **T4**").unwrap();
    let without = format!("{}{}", &PLAN[..cut], &PLAN[rest..]);
    assert_eq!(review.after(&without)[1], at("T3", Lost));
    let lost = &review.comments()[1];
    assert_eq!(
        lost.task_title.as_deref(),
        Some("Use the json module for the output of all rows")
    );
    assert_eq!(
        (lost.text.as_str(), review.comments().len()),
        ("Needed?", 3)
    );
}

#[test]
fn a_comment_follows_a_step_that_has_no_id() {
    let review = Review::of("# A\n\n- [ ] wash\n- [ ] dry\n- [ ] fold\n");
    review.say("comment", "#2", "", "How?");
    review.say("comment", "#3", "fold", "Why?");
    let above = "# A\n\n- [ ] sort\n- [ ] wash\n- [ ] dry\n- [ ] fold\n";
    assert_eq!(review.after(above), [at("#3", Moved), at("#4", Moved)]);
    let without = "# A\n\n- [ ] wash\n- [ ] fold\n";
    assert_eq!(review.after(without), [at("#2", Lost), at("#2", Moved)]);
    // Comments survive the deletion of the file.
    std::fs::remove_file(review.project.at("plans/flag.md")).unwrap();
    assert_eq!(review.comments().len(), 2);
}

#[test]
fn a_replacement_is_an_edit_that_can_be_undone_and_settles_its_comment() {
    let review = Review::of(PLAN);
    let title = review.say("replace", "T2", "the parser of", "the options of");
    let prose = review.say("replace", "T2", "not the output", "and\nthe help");
    let desktop = &review.bench.desktop;
    let accept = |comment: &Comment, revision: &str| {
        desktop.accept_comment(&review.plan, revision, comment.id)
    };
    let EditOutcome::Written { revision, .. } = accept(&title, &review.revision).unwrap() else {
        panic!("not written");
    };
    let expected = PLAN.replace("the parser of", "the options of");
    assert_eq!(review.project.read("plans/flag.md"), expected);
    let head = desktop.outline(&review.plan, None).unwrap();
    assert_eq!(head.undo.as_deref(), Some("Replace text in T2"));
    let settled: Vec<bool> = review
        .comments()
        .iter()
        .map(|one| one.is_resolved)
        .collect();
    assert_eq!(settled, [true, false]);
    // The edit is based on the revision that was on screen before.
    accept(&prose, &review.revision).unwrap();
    let both = expected.replace("not the output", "and\n  the help");
    assert_eq!(review.project.read("plans/flag.md"), both);
    desktop.undo_edit(&review.plan).unwrap();
    assert_eq!(review.project.read("plans/flag.md"), expected);
    // The quoted text no longer exists.
    let again = accept(&title, &revision).unwrap_err();
    assert_eq!(again.code, Code::Usage);
    assert!(again.message.contains("the parser of"), "{}", again.message);
}

#[test]
fn a_replacement_that_would_break_the_plan_is_refused() {
    let review = Review::of(PLAN);
    let odd = review.say(
        "replace",
        "T2",
        "Only the parser, not the output.",
        "fine\n\n- [ ] **T9** another step",
    );
    let plain = review.say("comment", "T2", "parser", "hm");
    let desktop = &review.bench.desktop;
    for comment in [odd, plain] {
        let refused = desktop.accept_comment(&review.plan, &review.revision, comment.id);
        assert_eq!(refused.unwrap_err().code, Code::Usage);
    }
    assert_eq!(review.project.read("plans/flag.md"), PLAN);
    assert!(review.comments().iter().all(|comment| !comment.is_resolved));
}

#[test]
fn a_comment_is_of_a_known_kind_and_is_settled_and_opened_again() {
    let review = Review::of(PLAN);
    let desktop = &review.bench.desktop;
    let place = |quote: Option<&str>| CommentPlace {
        task: Some("T2".to_owned()),
        quote: quote.map(str::to_owned),
        before: None,
    };
    for (kind, quote, text) in [
        ("shout", None, "x"),
        ("replace", None, "x"),
        ("comment", None, " "),
    ] {
        let refused =
            desktop.add_comment(&review.plan, &review.revision, &place(quote), kind, text);
        assert_eq!(refused.unwrap_err().code, Code::Usage, "{kind}");
    }
    let said = review.say("comment", "T2", "", "hm");
    desktop
        .resolve_comment(&review.plan, said.id, true)
        .unwrap();
    assert!(review.comments()[0].is_resolved);
    desktop
        .resolve_comment(&review.plan, said.id, false)
        .unwrap();
    assert!(!review.comments()[0].is_resolved);
    let missing = desktop.resolve_comment(&review.plan, said.id + 7, true);
    assert_eq!(missing.unwrap_err().code, Code::Usage);
}

#[test]
fn comments_that_are_written_into_the_plan_with_an_approval_count_as_sent() {
    let review = Review::of(PLAN);
    review.say("comment", "T2", "parser", "Keep it small.");
    review.say("comment", "T3", "", "Another time.");
    let desktop = &review.bench.desktop;
    let view = desktop
        .approval(&review.plan, &review.revision, None)
        .unwrap();
    assert_eq!(view.unsent_comments, 2);
    let notes = vec![StepNote {
        task: "T2".to_owned(),
        text: "“parser”: Keep it small.".to_owned(),
    }];
    let preview = desktop
        .preview_notes(&review.plan, &review.revision, notes.clone())
        .unwrap();
    desktop
        .approve(ApproveRequest {
            plan: review.plan.clone(),
            revision: review.revision.clone(),
            run: false,
            upto: None,
            policy: None,
            parallel: None,
            reason: Some("tried".to_owned()),
            notes: Some(GivenNotes {
                notes,
                revision: preview.revision,
            }),
            branch: None,
            effort: None,
            shown_ms: None,
        })
        .unwrap();
    assert!(
        review
            .project
            .read("plans/flag.md")
            .contains("  - note: “parser”: Keep it small.\n")
    );
    let sent: Vec<bool> = review.comments().iter().map(|one| one.is_sent).collect();
    assert_eq!(sent, [true, false]);
    // The remaining comments are sent with a request for changes.
    desktop
        .request_changes(&review.plan, &review.revision, "", Reviser::Model)
        .unwrap();
    assert!(review.comments().iter().all(|comment| comment.is_sent));
}

#[test]
fn several_edits_are_one_step_of_undo_and_made_all_or_none() {
    let review = Review::of(PLAN);
    let desktop = &review.bench.desktop;
    let name = |id: &str| id.to_owned();
    let edits = vec![
        Edit::Tick {
            task: name("T2"),
            done: true,
        },
        Edit::Kind {
            task: name("T4"),
            kind: "checkpoint".to_owned(),
        },
        Edit::MoveTask {
            task: name("T4"),
            place: TaskPlace::Before { task: name("T1") },
        },
    ];
    let many =
        |edits: Vec<Edit>| desktop.edit(&review.plan, &review.revision, Edit::Many { edits });
    assert!(matches!(
        many(edits.clone()).unwrap(),
        EditOutcome::Written { .. }
    ));
    let text = review.project.read("plans/flag.md");
    assert!(text.contains("- [x] **T2**") && text.contains("type: checkpoint"));
    assert!(text.find("**T4**") < text.find("**T1**"));
    let head = desktop.outline(&review.plan, None).unwrap();
    assert_eq!(head.undo.as_deref(), Some("Make 3 changes"));
    desktop.undo_edit(&review.plan).unwrap();
    assert_eq!(review.project.read("plans/flag.md"), PLAN);
    let mut broken = edits;
    broken.push(Edit::DeleteTask { task: name("T99") });
    assert_eq!(many(broken).unwrap_err().code, Code::Usage);
    assert_eq!(review.project.read("plans/flag.md"), PLAN);
}

#[test]
fn a_line_that_would_close_a_circle_is_refused_with_its_way() {
    let review = Review::of(PLAN);
    let connect = Edit::Connect {
        from: "T3".to_owned(),
        to: "T1".to_owned(),
    };
    let refused = review
        .bench
        .desktop
        .edit(&review.plan, &review.revision, connect)
        .unwrap_err();
    assert_eq!(refused.code, Code::Usage);
    for id in ["T1", "T2", "D1", "T3"] {
        assert!(refused.message.contains(id), "{}", refused.message);
    }
    let connect = Edit::Connect {
        from: "T1".to_owned(),
        to: "T4".to_owned(),
    };
    let outcome = review
        .bench
        .desktop
        .edit(&review.plan, &review.revision, connect);
    assert!(matches!(
        outcome.unwrap(),
        EditOutcome::Unchanged { .. } | EditOutcome::Written { .. }
    ));
}

#[test]
fn a_plan_without_tasks_gets_them_when_asked_and_shows_them_before() {
    let text = "# Chores\n\n## Wash\n\n- the cups\n- the plates\n\n## Dry\n\nAll of it.\n";
    let review = Review::of(text);
    let desktop = &review.bench.desktop;
    let head = desktop.outline(&review.plan, None).unwrap();
    assert!(head.could_be_tasks.items >= 2 && head.could_be_tasks.headings >= 2);
    let make = |from: &str| Edit::MakeTasks {
        from: from.to_owned(),
    };
    let preview = desktop
        .preview_edit(&review.plan, &review.revision, &make("items"))
        .unwrap();
    assert_eq!(preview.tasks, 2);
    assert!(!preview.diff.is_empty());
    assert_eq!(review.project.read("plans/flag.md"), text);
    let edit = |edit: Edit| desktop.edit(&review.plan, &review.revision, edit);
    assert_eq!(edit(make("thin air")).unwrap_err().code, Code::Usage);
    assert!(matches!(
        edit(make("items")).unwrap(),
        EditOutcome::Written { .. }
    ));
    let head = desktop.outline(&review.plan, None).unwrap();
    assert_eq!((head.rows, head.could_be_tasks.items), (2, 0));
    desktop.undo_edit(&review.plan).unwrap();
    assert_eq!(review.project.read("plans/flag.md"), text);
}

#[test]
fn a_checklist_becomes_a_native_plan_only_when_asked_and_as_it_was_shown() {
    let text = "# Chores\n\n- [ ] wash\n- [x] dry\n";
    let review = Review::of(text);
    let desktop = &review.bench.desktop;
    assert_eq!(
        desktop.outline(&review.plan, None).unwrap().dialect,
        "plain"
    );
    let preview = desktop
        .preview_edit(&review.plan, &review.revision, &Edit::Convert)
        .unwrap();
    let outcome = desktop
        .edit(&review.plan, &review.revision, Edit::Convert)
        .unwrap();
    assert!(matches!(outcome, EditOutcome::Written { .. }));
    let native = review.project.read("plans/flag.md");
    let head = desktop.outline(&review.plan, None).unwrap();
    assert_eq!(
        (head.dialect.as_str(), head.rows, head.done),
        ("native", 2, 1)
    );
    for line in preview.diff.iter().filter(|line| line.kind == "added") {
        assert!(native.contains(&line.text), "{}", line.text);
    }
    desktop.undo_edit(&review.plan).unwrap();
    assert_eq!(review.project.read("plans/flag.md"), text);
}
