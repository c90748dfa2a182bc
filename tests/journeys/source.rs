//! A plan as text: reading, checking while typing, saving and merging.

use desktop::wire::{EditOutcome, TextFix};
use planwright_tests::Project;
use workbench::Code;

use crate::documents::{Bench, PLAN};

#[track_caller]
fn written(outcome: EditOutcome) -> (String, bool) {
    match outcome {
        EditOutcome::Written {
            revision, merged, ..
        } => (revision, merged),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_edited_text_keeps_the_mark_and_the_line_endings_of_its_file() {
    let files = [
        ("lf", "# A\n\n- [ ] one\n- [ ] two\n"),
        ("crlf", "\u{feff}# A\r\n\r\n- [ ] one\r\n- [ ] two\r\n"),
        ("cr", "# A\r\r- [ ] one\r- [ ] two"),
        ("mixed", "# A\n\r\n- [ ] one\r\n- [ ] two\r\n"),
    ];
    for (ending, text) in files {
        let bench = Bench::new();
        let project = Project::new().file("plans/a.md", text);
        let outline = bench.open(&project, "plans/a.md");
        let source = bench.desktop.source(&outline.plan, None).unwrap();
        assert_eq!(
            (source.line_ending.as_str(), source.is_writable),
            (ending, true)
        );
        assert_eq!(source.revision, outline.revision);
        assert!(!source.text.starts_with('\u{feff}'));
        assert_eq!(source.text.contains('\r'), ending == "mixed");
        let save = |revision: &str, text: &str| {
            bench
                .desktop
                .save_text(&outline.plan, revision, text)
                .unwrap()
        };
        let same = save(&outline.revision, &source.text);
        assert!(
            matches!(same, EditOutcome::Unchanged { .. }),
            "{ending}: {same:?}"
        );
        let (revision, _) = written(save(
            &outline.revision,
            &source.text.replace("one", "three"),
        ));
        assert_eq!(
            project.read("plans/a.md"),
            text.replace("one", "three"),
            "{ending}"
        );
        let head = bench.desktop.outline(&outline.plan, None).unwrap();
        assert_eq!(head.undo.as_deref(), Some("Edit the source"));
        assert_eq!(head.revision, revision);
        bench.desktop.undo_edit(&outline.plan).unwrap();
        assert_eq!(project.read("plans/a.md"), text, "{ending}");
    }
}

#[test]
fn a_text_saved_late_is_brought_together_with_what_is_there() {
    let bench = Bench::new();
    let project = Project::new().file("plans/flag.md", PLAN);
    let outline = bench.open(&project, "plans/flag.md");
    let source = bench.desktop.source(&outline.plan, None).unwrap();
    project.write(
        "plans/flag.md",
        PLAN.replace("Which library?", "Which one?"),
    );
    let typed = source.text.replace("Some *context*", "More *context*");
    let save = |text: &str| {
        bench
            .desktop
            .save_text(&outline.plan, &source.revision, text)
            .unwrap()
    };
    let (_, merged) = written(save(&typed));
    assert!(merged);
    let text = project.read("plans/flag.md");
    assert!(text.contains("More *context*") && text.contains("Which one?"));
    // Both sides changed the same line: nothing is written, and both versions are reported.
    let outcome = save(&source.text.replace("Which library?", "Which crate?"));
    let EditOutcome::Conflict { mine, theirs, .. } = outcome else {
        panic!("{outcome:?}");
    };
    assert!(mine.contains("Which crate?") && theirs.contains("Which one?"));
    assert_eq!(project.read("plans/flag.md"), text);
}

#[test]
fn what_is_no_text_is_shown_and_cannot_be_edited() {
    let bench = Bench::new();
    let project = Project::new()
        .file("plans/bytes.md", b"# Caf\xe9\r\n- [ ] one\r\n".as_slice())
        .file("plans/zero.md", b"# A\0\n".as_slice());
    let workspace = project.path().to_str().unwrap();
    bench.desktop.open_workspace(workspace).unwrap();
    let of = |name: &str| {
        let plan = project.at(name).display().to_string();
        (bench.desktop.source(&plan, None).unwrap(), plan)
    };
    let (source, plan) = of("plans/bytes.md");
    assert_eq!(source.text, "# Caf\u{fffd}\n- [ ] one\n");
    assert!(!source.is_writable);
    let problem = source.problem.unwrap();
    assert!(
        problem.contains("byte 5 on line 1") && problem.contains("UTF-8"),
        "{problem}"
    );
    assert!(
        bench
            .desktop
            .save_text(&plan, &source.revision, "# A\n")
            .is_err()
    );
    assert_eq!(std::fs::read(&plan).unwrap(), b"# Caf\xe9\r\n- [ ] one\r\n");
    let (source, _) = of("plans/zero.md");
    assert_eq!(
        (source.text.as_str(), source.is_writable),
        ("# A\u{fffd}\n", false)
    );
    let missing = project.at("plans/none.md").display().to_string();
    assert_eq!(
        bench.desktop.source(&missing, None).unwrap_err().code,
        Code::UnusablePlan
    );
}

#[test]
fn a_zero_byte_is_never_written() {
    let bench = Bench::new();
    let project = Project::new().file("plans/flag.md", PLAN);
    let outline = bench.open(&project, "plans/flag.md");
    let refused = bench
        .desktop
        .save_text(&outline.plan, &outline.revision, "# A\0\n");
    assert_eq!(refused.unwrap_err().code, Code::Usage);
    assert_eq!(project.read("plans/flag.md"), PLAN);
}

/// Applies a fix as an editor would.
fn with_fix(text: &str, fix: &TextFix) -> String {
    let mut units: Vec<u16> = text.encode_utf16().collect();
    for change in fix.changes.iter().rev() {
        let place = change.from as usize..change.to as usize;
        units.splice(place, change.text.encode_utf16());
    }
    String::from_utf16(&units).unwrap()
}

#[test]
fn a_text_is_checked_while_it_is_typed() {
    let bench = Bench::new();
    let project = Project::new().file("plans/flag.md", PLAN);
    let outline = bench.open(&project, "plans/flag.md");
    let text = "# 😀 Add a flag\n\n## Tasks\n- [ ] **T1** 😀 Clean up everything\n  - depends: T9\n- [ ] **T2** Group\n  - [ ] **T2.1** Do it\n";
    let report = bench.desktop.check_text(&outline.plan, text).unwrap();
    assert!(!report.marks.is_empty() && report.badge.findings > 0);
    let lines: Vec<Vec<u16>> = text
        .lines()
        .map(|line| line.encode_utf16().collect())
        .collect();
    for mark in &report.marks {
        let line = &lines[mark.line as usize - 1];
        assert!(
            mark.from <= mark.to && mark.to as usize <= line.len(),
            "{mark:?}"
        );
        assert!(!mark.message.is_empty());
    }
    let at = |id: &str| {
        let task = report.tasks.iter().find(|task| task.id == id).unwrap();
        (task.line, task.end)
    };
    assert_eq!([at("T1"), at("T2"), at("T2.1")], [(4, 5), (6, 7), (7, 7)]);
    // The text that a message quotes is highlighted.
    let marked: Vec<String> = report
        .marks
        .iter()
        .map(|mark| {
            let line = &lines[mark.line as usize - 1];
            String::from_utf16(&line[mark.from as usize..mark.to as usize]).unwrap()
        })
        .collect();
    assert!(marked.iter().any(|words| words == "Clean up"), "{marked:?}");
    assert_eq!(project.read("plans/flag.md"), PLAN);
}

#[test]
fn a_fix_in_the_text_is_the_fix_of_the_outline() {
    let bench = Bench::new();
    let text = PLAN
        .replace("# Add a flag\n", "# 😀 Add a flag\n")
        .replace("- depends: T1\n", "- depends: t1\n");
    let project = Project::new().file("plans/flag.md", &text);
    let outline = bench.open(&project, "plans/flag.md");
    let (plan, revision) = (&outline.plan, &outline.revision);
    let report = bench.desktop.check_text(plan, &text).unwrap();
    let fixes: Vec<_> = report
        .marks
        .iter()
        .filter(|mark| !mark.fixes.is_empty())
        .collect();
    assert!(!fixes.is_empty(), "{:?}", report.marks);
    let mark = fixes[0];
    let finding = mark.finding.as_deref().unwrap();
    let fix = bench.desktop.text_fix(plan, &text, finding, 0).unwrap();
    assert_eq!(fix.label, mark.fixes[0]);
    let mended = with_fix(&text, &fix);
    assert_ne!(mended, text);
    bench.desktop.apply_fix(plan, revision, finding, 0).unwrap();
    assert_eq!(project.read("plans/flag.md"), mended);
}

#[test]
fn the_commands_of_the_workspace_are_known() {
    let bench = Bench::new();
    let project = Project::new()
        .file("plans/flag.md", PLAN)
        .file("package.json", r#"{"scripts": {"lint": "biome check"}}"#)
        .file("Makefile", "docs:\n\techo\n")
        .file(
            ".planwright/settings.json",
            r#"{"verify_commands": ["./check.sh"]}"#,
        );
    let workspace = project.path().to_str().unwrap();
    bench.desktop.open_workspace(workspace).unwrap();
    let known = bench.desktop.known_commands(workspace).unwrap();
    assert_eq!(known[0], "./check.sh");
    for command in [
        "python -m pytest tests/test_cli.py",
        "npm run lint",
        "make docs",
    ] {
        assert!(
            known.iter().any(|one| one == command),
            "{command}: {known:?}"
        );
    }
}

#[test]
fn a_typed_text_is_kept_however_long_a_plan_may_be() {
    let bench = Bench::new();
    let project = Project::new().file("plans/a.md", "# A\n\n- [ ] one\n");
    let outline = bench.open(&project, "plans/a.md");
    let long = "- [ ] a step of many words\n".repeat(80_000);
    let keep = |key: &str, text: &str| bench.desktop.save_draft(&outline.plan, key, text, None);
    keep("source", &long).unwrap();
    let drafts = bench.desktop.drafts(&outline.plan).unwrap();
    assert_eq!((drafts[0].key.as_str(), &drafts[0].text), ("source", &long));
    assert_eq!(keep("comment/T1", &long).unwrap_err().code, Code::Usage);
    assert_eq!(
        keep("source", &long.repeat(8)).unwrap_err().code,
        Code::Usage
    );
}
