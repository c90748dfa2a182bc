//! Tests of when a person is asked and when an assumption is made.

use std::fmt::Write as _;

use adequacy::clarification::{
    Ambiguity, AskInput, Decision, Gate, Interpretation, Load, Reversibility, decide, gate,
};
use adequacy::{CheckInput, Mend, PlanDepth, WorkspaceFacts, check, made_on};
use plan::TaskId;

fn facts(paths: &[&str]) -> WorkspaceFacts {
    WorkspaceFacts {
        paths: Some(paths.iter().map(|path| (*path).to_owned()).collect()),
        ..WorkspaceFacts::default()
    }
}

fn gated(text: &str, facts: &WorkspaceFacts, load: &Load) -> Gate {
    let (plan, problems) = plan::parse(text);
    let report = check(&CheckInput {
        requirements: &[],
        plan: &plan,
        problems: &problems,
        goal: None,
        depth: PlanDepth::Standard,
        scope: &[],
        before: None,
        facts,
        has_model: true,
    });
    gate(
        &AskInput {
            plan: &plan,
            goal: None,
            facts,
            report: &report,
        },
        load,
    )
}

const SHOP: &[&str] = &[
    "billing/utils.py",
    "orders/utils.py",
    "web/config.toml",
    "worker/config.toml",
    "src/report.py",
    "src/reports.py",
    "src/cli.py",
    "tests/test_cli.py",
];

/// (name, plan, whether to ask). Each pair consists of the same plan with and without the words
/// that resolve the ambiguity.
fn pairs() -> Vec<(&'static str, String, bool)> {
    let plan = |goal: &str, tasks: &str| {
        format!(
            "---\nplanwright: 1\ngoal: {goal}\n---\n## Requirements\n- R1 sessions survive a restart\n## Tasks\n{tasks}"
        )
    };
    let one =
        |goal: &str, title: &str, keys: &str| plan(goal, &format!("- [ ] **T1** {title}\n{keys}"));
    let store = "- [ ] **T1** Keep the sessions in Redis\n  - covers: R1\n- [ ] **T2** Keep the sessions in SQLite\n  - covers: R1\n";
    vec![
        (
            "file in two folders",
            one("Round amounts in utils.py", "Round amounts to cents", ""),
            true,
        ),
        (
            "file, folder said",
            one(
                "Round amounts in billing/utils.py",
                "Round amounts to cents",
                "",
            ),
            false,
        ),
        (
            "file, folder in words",
            one(
                "Round amounts of the billing in utils.py",
                "Round amounts to cents",
                "",
            ),
            false,
        ),
        (
            "file, linked",
            one(
                "Round amounts in utils.py",
                "Round amounts to cents",
                "  - files: `billing/utils.py`\n",
            ),
            false,
        ),
        (
            "file, all meant",
            one(
                "Round amounts in both utils.py",
                "Round amounts to cents",
                "",
            ),
            false,
        ),
        (
            "the config",
            one("Raise the limit", "Raise the limit in the config to 50", ""),
            true,
        ),
        (
            "the config of one part",
            one(
                "Raise the limit",
                "Raise the limit in the config of the worker to 50",
                "",
            ),
            false,
        ),
        (
            "the config, linked",
            one(
                "Raise the limit",
                "Raise the limit in the config to 50",
                "  - files: `web/config.toml`\n",
            ),
            false,
        ),
        (
            "missing path, two near",
            one(
                "Sort rows",
                "Sort the rows by date",
                "  - files: `src/repots.py`\n",
            ),
            true,
        ),
        (
            "missing path, new file",
            one(
                "Sort rows",
                "Add a module that sorts the rows",
                "  - files: `src/repots.py`\n",
            ),
            false,
        ),
        (
            "missing path, one near",
            one(
                "Sort rows",
                "Sort the rows by date",
                "  - files: `src/cly.py`\n",
            ),
            false,
        ),
        (
            "path that exists",
            one(
                "Sort rows",
                "Sort the rows by date",
                "  - files: `src/report.py`\n",
            ),
            false,
        ),
        (
            "two ways for one requirement",
            plan("Sessions", store),
            true,
        ),
        (
            "two ways, one built on the other",
            plan(
                "Sessions",
                &store.replace("SQLite\n", "SQLite\n  - depends: T1\n"),
            ),
            false,
        ),
        (
            "two ways, one skipped",
            plan(
                "Sessions",
                &store.replace("SQLite\n", "SQLite\n  - skipped: Redis it is\n"),
            ),
            false,
        ),
        (
            "two ways, two requirements",
            plan("Sessions", &store.replacen("covers: R1", "covers: R2", 1)),
            false,
        ),
        (
            "destroys without a copy",
            one(
                "Tidy the shop",
                "Drop table old_orders in the shop database",
                "",
            ),
            true,
        ),
        (
            "destroys with a copy before",
            plan(
                "Tidy the shop",
                "- [ ] **T1** Back up table old_orders of the shop database\n- [ ] **T2** Drop table old_orders in the shop database\n  - depends: T1\n",
            ),
            false,
        ),
        (
            "add a format flag",
            one(
                "Add a --format flag to the report",
                "Add a `--format` flag",
                "  - files: `src/cli.py`\n",
            ),
            false,
        ),
        (
            "a full plan",
            one(
                "Rename `--fmt` to `--format` in src/cli.py",
                "Rename `--fmt` to `--format`",
                "  - files: `src/cli.py`\n  - verify: `python3 -m unittest`\n",
            ),
            false,
        ),
    ]
}

#[test]
fn only_underspecified_goals_lead_to_a_question() {
    let facts = facts(SHOP);
    let mut table = String::from("plan | asked | question or assumption\n--- | --- | ---\n");
    let mut wrong = Vec::new();
    for (name, text, asks) in pairs() {
        let gate = gated(&text, &facts, &Load::default());
        let said = match &gate.question {
            Some(question) => question.question.clone(),
            None => {
                let notes = gate.assumptions.iter().map(|one| one.note.as_str());
                notes.collect::<Vec<_>>().join("; ")
            }
        };
        writeln!(table, "{name} | {} | {said}", gate.question.is_some()).expect("a line");
        if gate.question.is_some() != asks {
            wrong.push(format!("{name}: {gate:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    insta::assert_snapshot!("ask_or_not", table);
}

#[test]
fn every_answer_can_be_applied_and_resolves_the_question() {
    let facts = facts(SHOP);
    for (name, text, asks) in pairs() {
        if !asks {
            continue;
        }
        let question = gated(&text, &facts, &Load::default()).question.expect(name);
        assert!((2..=5).contains(&question.options.len()), "{name}");
        assert!(question.default < question.options.len(), "{name}");
        assert!(
            !question.stakes.is_empty() && question.question.ends_with('?'),
            "{name}"
        );
        assert!(
            !question.question.to_lowercase().contains("clarify"),
            "{name}"
        );
        let plan = plan::parse(&text).0;
        for option in &question.options {
            assert!(!option.consequence.is_empty(), "{name}: {option:?}");
            let answered = made_on(&option.mends, &text, &plan);
            let answered = answered.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_ne!(answered, text, "{name}: {}", option.label);
            let again = gated(&answered, &facts, &Load::default()).question;
            assert!(
                again.as_ref().is_none_or(|again| again.id != question.id),
                "{name}, {}: {again:?}\n{answered}",
                option.label
            );
        }
    }
}

#[test]
fn an_assumption_is_written_on_its_step() {
    let text = "---\ngoal: Round amounts of the billing in utils.py\n---\n## Tasks\n- [ ] **T1** Round amounts to cents\n";
    let gate = gated(text, &facts(SHOP), &Load::default());
    let assumption = &gate.assumptions[0];
    assert!(!assumption.requires_approval);
    let written = made_on(&assumption.mends, text, &plan::parse(text).0).expect("it fits");
    assert!(
        written.contains("  - assume: `utils.py` means `billing/utils.py` alone"),
        "{written}"
    );
    assert_eq!(
        gated(&written, &facts(SHOP), &Load::default()),
        Gate::default()
    );
}

#[test]
fn one_question_at_a_time_and_none_in_deep_focus() {
    let facts = facts(SHOP);
    let text = "---\ngoal: Round amounts in utils.py\n---\n## Tasks\n- [ ] **T1** Raise the limit in the config\n- [ ] **T2** Drop table old_orders\n";
    let asked = gated(text, &facts, &Load::default());
    let question = asked.question.expect("a question");
    assert_eq!(question.task, Some(TaskId::from("T2")), "the dearest first");
    assert_eq!(asked.later, 2);
    let open = Load {
        open_questions: 1,
        ..Load::default()
    };
    let waiting = gated(text, &facts, &open);
    assert_eq!((waiting.question, waiting.later), (None, 3));
    for load in [
        Load {
            is_deep_focus: true,
            ..Load::default()
        },
        Load {
            is_budget_critical: true,
            ..Load::default()
        },
    ] {
        let quiet = gated(text, &facts, &load);
        assert_eq!((quiet.question, quiet.later), (None, 0));
        assert_eq!(quiet.assumptions.len(), 3);
    }
}

#[test]
fn the_default_answer_is_reversible() {
    let text =
        "---\ngoal: Tidy\n---\n## Tasks\n- [ ] **T1** Drop table old_orders in the shop database\n";
    let question = gated(text, &facts(SHOP), &Load::default())
        .question
        .expect("a question");
    assert!(
        question.options[question.default]
            .mends
            .iter()
            .any(|mend| matches!(mend, Mend::AddTask { .. }))
    );
}

fn reading(probability: f64, complexity: u32, reversibility: Reversibility) -> Interpretation {
    Interpretation {
        label: format!("{complexity}"),
        consequence: "one file".to_owned(),
        probability,
        complexity,
        reversibility,
        mends: vec![Mend::AddValue {
            task: TaskId::from("T1"),
            key: "note".to_owned(),
            value: format!("{probability} {complexity} {reversibility:?}"),
        }],
        note: format!("{complexity} it is"),
    }
}

fn ambiguity(readings: Vec<Interpretation>) -> Ambiguity {
    Ambiguity {
        about: "it".to_owned(),
        question: "Which?".to_owned(),
        stakes: "Much.".to_owned(),
        task: Some(TaskId::from("T1")),
        readings,
        inferred: 0.0,
    }
}

fn asks(ambiguity: &Ambiguity, load: &Load) -> bool {
    matches!(decide(ambiguity, load), Decision::Ask(_))
}

#[test]
fn every_condition_for_asking_is_required() {
    use Reversibility::{Irreversible, Partly, Reversible};
    let load = Load::default();
    let worth_it = ambiguity(vec![
        reading(0.5, 2, Reversible),
        reading(0.5, 6, Reversible),
    ]);
    assert!((worth_it.worth() - (1.0 - 4.0 / 6.0)).abs() < 1e-9);
    assert!(asks(&worth_it, &load));
    // An improbable interpretation is ignored.
    assert!(!asks(
        &ambiguity(vec![
            reading(0.86, 2, Reversible),
            reading(0.14, 6, Reversible)
        ]),
        &load
    ));
    // Both interpretations lead to the same plan.
    let mut same = worth_it.clone();
    same.readings[1].mends = same.readings[0].mends.clone();
    assert!(!asks(&same, &load));
    // Both cost the same, so the answer isn't worth an interruption.
    assert!(!asks(
        &ambiguity(vec![
            reading(0.5, 5, Reversible),
            reading(0.5, 5, Reversible)
        ]),
        &load
    ));
    // One irreversible interpretation makes the question worth asking.
    assert!(asks(
        &ambiguity(vec![reading(0.5, 5, Partly), reading(0.5, 5, Irreversible)]),
        &load
    ));
    // The workspace already answers the question.
    let inferred = Ambiguity {
        inferred: 0.75,
        ..worth_it.clone()
    };
    assert!(!asks(&inferred, &load));
    // There are more than five options.
    let many = (1..=6).map(|n| reading(0.16, n, Reversible)).collect();
    assert!(!asks(&ambiguity(many), &load));
    // Frequent interruptions raise the required value by half.
    let close = ambiguity(vec![
        reading(0.5, 7, Reversible),
        reading(0.5, 10, Reversible),
    ]);
    assert!((close.worth() - 0.15).abs() < 1e-9);
    let often = Load {
        interruptions: 0.9,
        ..load
    };
    assert!(!asks(&close, &often) && asks(&worth_it, &often));
}

#[test]
fn an_irreversible_assumption_needs_an_approval() {
    let only = ambiguity(vec![reading(0.9, 5, Reversibility::Irreversible)]);
    let Decision::Assume(assumption) = decide(&only, &Load::default()) else {
        panic!("one reading is no question");
    };
    assert!(assumption.requires_approval);
    assert_eq!(assumption.note, "5 it is");
}

#[test]
fn unknown_facts_lead_to_no_question() {
    for (name, text, _) in pairs() {
        let gate = gated(&text, &WorkspaceFacts::default(), &Load::default());
        let needs_paths = name.contains("file") || name.contains("config") || name.contains("path");
        assert!(!(needs_paths && gate.question.is_some()), "{name}");
    }
}
