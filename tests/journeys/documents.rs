//! Reads plans as the window does: lists, outlines, rows, single tasks, revisions and briefs. Calls
//! the desktop backend directly, with real files and a real database.

use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use desktop::Desktop;
use desktop::wire::{DesktopEvent, Outline, PlanSummary};
use planwright_tests::{Home, Project};
use workbench::Environment;

/// A desktop backend without a window, and its events.
pub(crate) struct Bench {
    pub(crate) desktop: Desktop,
    events: Receiver<DesktopEvent>,
    pub(crate) home: Home,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::on(Home::new())
    }

    /// Restarts the program with the same data.
    pub(crate) fn restarted(self) -> Self {
        let Self { desktop, home, .. } = self;
        drop(desktop);
        Self::on(home)
    }

    pub(crate) fn on(home: Home) -> Self {
        let (send, events) = channel();
        let send = std::sync::Mutex::new(send);
        let environment = Environment {
            variables: vec![("PLANWRIGHT_HOME".to_owned(), home.path().into())],
            cwd: home.path().to_owned(),
            program: "/nonexistent".into(),
        };
        let tell = move |numbered: desktop::wire::NumberedEvent| {
            // Sending fails if the test has ended.
            let _ = send.lock().unwrap().send(numbered.event);
        };
        let desktop = Desktop::open(environment, Box::new(tell)).unwrap();
        Self {
            desktop,
            events,
            home,
        }
    }

    /// Opens a project and one of its plans.
    #[track_caller]
    pub(crate) fn open(&self, project: &Project, plan: &str) -> Outline {
        let workspace = project.path().to_str().unwrap();
        self.desktop.open_workspace(workspace).unwrap();
        let key = project.at(plan).display().to_string();
        self.desktop.outline(&key, None).unwrap()
    }

    /// Waits for the next matching event and returns it; skips other events.
    #[track_caller]
    pub(crate) fn wait_for(
        &self,
        what: &str,
        fits: impl Fn(&DesktopEvent) -> bool,
    ) -> DesktopEvent {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(event) if fits(&event) => return event,
                Ok(_) => {}
                Err(error) => panic!("{what}: {error}"),
            }
        }
    }

    /// The revision and author of each event about a plan so far.
    pub(crate) fn told_of(&self, plan: &str) -> Vec<(Option<String>, String)> {
        let events = self.events.try_iter();
        events
            .filter_map(|event| match event {
                DesktopEvent::Plan {
                    plan: of,
                    revision,
                    author,
                } if of == plan => Some((revision, author)),
                _ => None,
            })
            .collect()
    }
}

pub(crate) const PLAN: &str = "\
---
planwright: 1
goal: Add a flag
---
# Add a flag

Some *context* for it.

## Requirements
- R1 the flag prints JSON
- R2 nothing else changes

## Tasks
- [x] **T1** Find where the rows are built
  - files: `src/report.py`
  - verify: `true`
- [ ] **T2** Add the flag to the parser of the report command
  Only the parser, not the output.
  - depends: T1
  - files: `src/cli.py`, `src/report.py`
  - covers: R1
  - verify: `python -m pytest tests/test_cli.py`
  - accept: `report --json` exits with 0
- [ ] **D1** Which library?
  - type: decision
  - depends: T2
  - option: the standard one → T3
  - option: another one → T4
- [ ] **T3** Use the json module for the output of all rows
  - depends: D1
- [ ] **T4** Use orjson for the output of all rows
  - depends: D1

## Decisions
- D1: the standard one — Ada, 2026-11-20
";

fn project() -> Project {
    Project::new()
        .file("plans/flag.md", PLAN)
        .file("src/cli.py", "print()\n")
}

#[test]
fn the_head_of_a_plan_says_what_it_is_for_and_how_far_it_is() {
    let (bench, project) = (Bench::new(), project());
    let outline = bench.open(&project, "plans/flag.md");
    assert_eq!(outline.title, "Add a flag");
    assert_eq!(outline.path, "plans/flag.md");
    assert_eq!(outline.goal.as_deref(), Some("Add a flag"));
    assert_eq!(outline.intro, "Some *context* for it.");
    assert!(outline.intro_html.contains("<em>context</em>"));
    assert_eq!((outline.done, outline.total, outline.rows), (1, 5, 5));
    let covered: Vec<_> = outline
        .requirements
        .iter()
        .map(|one| (one.id.as_str(), one.is_covered, one.covered_by.join(",")))
        .collect();
    assert_eq!(
        covered,
        [("R1", true, "T2".into()), ("R2", false, String::new())]
    );
    assert!(outline.is_writable && outline.undo.is_none() && outline.redo.is_none());
}

#[test]
fn rows_tasks_and_pickers_are_of_the_revision_asked_for() {
    let (bench, project) = (Bench::new(), project());
    let outline = bench.open(&project, "plans/flag.md");
    let (desktop, plan, at) = (&bench.desktop, &*outline.plan, &*outline.revision);
    let page = desktop.rows(plan, at, 1, 2).unwrap();
    let rows: Vec<_> = page.rows.iter().map(|row| (row.index, &*row.id)).collect();
    assert_eq!(rows, [(1, "T2"), (2, "D1")]);
    let (t2, d1) = (&page.rows[0], &page.rows[1]);
    assert_eq!(t2.summary, "Only the parser, not the output.");
    assert_eq!(t2.files, ["src/cli.py", "src/report.py"]);
    assert_eq!(t2.depends.as_deref(), Some(&["T1".to_owned()][..]));
    assert_eq!(d1.kind, "decision");
    assert_eq!(d1.options[0].effect, "T3");
    assert!(desktop.rows(plan, at, 5, 100).unwrap().rows.is_empty());
    assert_eq!(desktop.row_index(plan, at, "T3").unwrap(), Some(3));
    assert_eq!(desktop.row_index(plan, at, "T9").unwrap(), None);

    let t2 = desktop.task(plan, at, "T2").unwrap();
    assert_eq!(t2.fingerprint.len(), 64);
    let field = |key: &str| t2.fields.iter().find(|field| field.key == key).unwrap();
    assert_eq!(field("files").values, ["src/cli.py", "src/report.py"]);
    assert_eq!(field("depends").values, ["T1"]);
    assert!(t2.dependents.iter().any(|task| task.id == "D1"));

    let found = desktop.find_tasks(plan, at, "use json").unwrap();
    let found: Vec<_> = found.iter().map(|task| &*task.id).collect();
    assert_eq!(found, ["T3", "T4"]);
    let files = desktop.find_files(&outline.workspace, "cli").unwrap();
    assert_eq!(files, ["src/cli.py"]);

    let decisions = desktop.section(plan, at, "decisions").unwrap();
    assert!(decisions.markdown.contains("Ada"), "{decisions:?}");
    let requirements = desktop.section(plan, at, "requirements").unwrap();
    assert!(
        requirements.html.contains("<li>R1 the flag"),
        "{requirements:?}"
    );
    let error = desktop.section(plan, at, "nowhere").unwrap_err();
    assert!(error.message.contains("nowhere"), "{error}");
}

#[test]
fn the_badge_is_that_of_the_terminal_and_has_its_reasons() {
    let (bench, project) = (Bench::new(), project());
    let outline = bench.open(&project, "plans/flag.md");
    let home = Home::new();
    let checked = home.planwright(&project, ["check", "plans/flag.md", "--json"]);
    let checked = checked.last_json();
    let score = checked["adequacy"]["score"].as_f64().unwrap() * 100.0;
    assert!((f64::from(outline.badge.score) - score).abs() <= 0.5);
    assert_eq!(
        outline.badge.word,
        checked["adequacy"]["badge"].as_str().unwrap()
    );
    let findings = bench
        .desktop
        .findings(&outline.plan, &outline.revision)
        .unwrap();
    let codes: Vec<_> = findings.findings.iter().map(|one| &*one.code).collect();
    let expected = checked["findings"].as_array().unwrap().iter();
    let expected: Vec<_> = expected.map(|one| one["code"].as_str().unwrap()).collect();
    assert_eq!(codes, expected);
    assert!(
        findings
            .summary
            .iter()
            .any(|line| line == "1 of 2 requirements covered")
    );
}

#[test]
fn a_brief_says_all_that_is_needed_for_one_step() {
    let (bench, project) = (Bench::new(), project());
    let outline = bench.open(&project, "plans/flag.md");
    let brief = |task| {
        bench
            .desktop
            .brief(&outline.plan, &outline.revision, task)
            .unwrap()
    };
    let t2 = brief("T2");
    for part in [
        "Add a flag",
        "Only the parser, not the output.",
        "R1: the flag prints JSON",
        "T1 Find where the rows are built",
        "`src/cli.py`",
        "`python -m pytest tests/test_cli.py`",
        "`report --json` exits with 0",
        "Do only this step",
    ] {
        assert!(t2.contains(part), "{part} is not in\n{t2}");
    }
    assert!(
        !t2.contains("orjson"),
        "the brief mentions later steps:\n{t2}"
    );
    assert!(brief("T3").contains("Which library? → the standard one"));
}

#[test]
fn every_plan_of_a_workspace_is_listed_and_a_bad_one_says_what_to_do() {
    let bench = Bench::new();
    let project = project()
        .file("plans/deeper/other.md", "# Other\n\n- [x] one\n- [ ] two\n")
        .file("plans/binary.md", b"\x00\x01")
        .file("plans/notes.txt", "no plan\n");
    let huge = std::fs::File::create(project.at("plans/huge.md")).unwrap();
    huge.set_len(50 << 20).unwrap();
    let list = |desktop: &Desktop| -> Vec<PlanSummary> {
        let workspace = project.path().to_str().unwrap();
        desktop.plans(workspace).unwrap().plans
    };
    let before = Instant::now();
    let plans = list(&bench.desktop);
    assert!(before.elapsed() < Duration::from_secs(2));
    let paths: Vec<_> = plans.iter().map(|plan| &*plan.path).collect();
    assert_eq!(
        paths,
        [
            "plans/binary.md",
            "plans/deeper/other.md",
            "plans/flag.md",
            "plans/huge.md"
        ]
    );
    assert!(plans[0].problem.as_ref().unwrap().contains("not text"));
    assert_eq!(
        (&*plans[1].title, plans[1].done, plans[1].total),
        ("Other", 1, 2)
    );
    assert!(plans[3].problem.as_ref().unwrap().contains("split it"));
    assert!(!plans[2].badge.as_ref().unwrap().word.is_empty());

    project.edit("plans/deeper/other.md", "# Other", "# Another");
    assert_eq!(list(&bench.desktop)[1].title, "Another");
    assert!(bench.desktop.plans("/nonexistent/folder").is_err());
}

#[test]
fn a_plan_that_is_gone_can_still_be_looked_at() {
    let (bench, project) = (Bench::new(), project());
    let outline = bench.open(&project, "plans/flag.md");
    std::fs::remove_file(project.at("plans/flag.md")).unwrap();
    let event = bench.wait_for("the plan is gone", |event| {
        matches!(event, DesktopEvent::Plan { .. })
    });
    assert!(matches!(event, DesktopEvent::Plan { revision: None, .. }));
    let error = bench.desktop.outline(&outline.plan, None).unwrap_err();
    assert!(error.message.contains("is kept"), "{error}");
    assert!(error.message.contains(&outline.revision[..12]), "{error}");
    let kept = bench
        .desktop
        .outline(&outline.plan, Some(&outline.revision))
        .unwrap();
    assert_eq!((kept.title, kept.is_writable), (outline.title, false));
    let rows = bench
        .desktop
        .rows(&outline.plan, &outline.revision, 0, 10)
        .unwrap();
    assert_eq!(rows.rows.len(), 5);
    let back = bench.desktop.bring_back(&outline.plan).unwrap();
    assert_eq!(back, outline.revision);
    assert_eq!(project.read("plans/flag.md"), PLAN);
    assert!(
        bench.desktop.bring_back(&outline.plan).is_err(),
        "it is there"
    );
}

#[test]
fn a_hostile_plan_is_only_text() {
    let bench = Bench::new();
    let evil = "<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1))";
    let project = Project::new().file(
        "plans/evil.md",
        format!("# {evil}\n\n{evil}\n\n## Tasks\n- [ ] **T1** {evil}\n  {evil}\n"),
    );
    let outline = bench.open(&project, "plans/evil.md");
    let task = bench
        .desktop
        .task(&outline.plan, &outline.revision, "T1")
        .unwrap();
    for html in [&outline.intro_html, &task.body_html] {
        for bad in ["<script", "<img", "href"] {
            assert!(!html.contains(bad), "{html}");
        }
    }
}

#[test]
fn what_a_step_costs_does_not_depend_on_the_plan() {
    let bench = Bench::new();
    let plan = |tasks: usize| {
        let mut text = String::from("# A plan\n\n## Tasks\n");
        for at in 1..=tasks {
            text += &format!(
                "- [ ] **T{at}** Write the part number {at} of the whole\n  - files: `src/{at}.rs`\n"
            );
        }
        text
    };
    let project = Project::new()
        .file("plans/small.md", plan(10))
        .file("plans/large.md", plan(10_000));
    let size = |path: &str| {
        let outline = bench.open(&project, path);
        let json = |value: serde_json::Value| value.to_string().len();
        let (plan, revision) = (&*outline.plan, &*outline.revision);
        let rows = bench.desktop.rows(plan, revision, 0, 5).unwrap();
        let task = bench.desktop.task(plan, revision, "T10").unwrap();
        let sizes = [
            json(serde_json::to_value(rows).unwrap()),
            json(serde_json::to_value(task).unwrap()),
        ];
        (sizes, json(serde_json::to_value(outline).unwrap()))
    };
    let (small, small_head) = size("plans/small.md");
    let (large, large_head) = size("plans/large.md");
    // The sizes may differ only because line numbers have more digits and a list of dependents is
    // longer, whose length is limited.
    assert!(large[0] <= small[0] + 50, "{small:?} {large:?}");
    assert!(large[1] <= small[1] + 10_000, "{small:?} {large:?}");
    assert!(large_head <= small_head + 200, "{small_head} {large_head}");
    let key = project.at("plans/large.md").display().to_string();
    let outline = bench.desktop.outline(&key, None).unwrap();
    let page = bench
        .desktop
        .rows(&key, &outline.revision, 0, 10_000)
        .unwrap();
    assert_eq!(page.rows.len(), 200);
}
