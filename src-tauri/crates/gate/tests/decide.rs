//! Tests of the gate's decisions: what it permits, asks about and refuses.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::collections::BTreeSet;

use gate::answers::{Answer, Grant};
use gate::destructive::{InspectionResult, PathState};
use gate::path::PlanPlace;
use gate::permissions::{Match, Rule, Verdict};
use gate::{
    Act, Action, Bearer, Cage, Case, Checkpoints, Decision, Permit, Refusal, decide,
    decide_on_plan, own_act,
};
use plan::{CommandLine, ToolCall};

fn call(line: &str) -> ToolCall {
    ToolCall::parse(line).unwrap()
}

fn make() -> ToolCall {
    call(r#"run_command {"command": "make"}"#)
}

fn write() -> ToolCall {
    call(r#"write_file {"path": "a.txt", "content": "a"}"#)
}

fn step() -> Bearer {
    Bearer::Run {
        run: "r1".to_owned(),
        step: Some("T1".to_owned()),
    }
}

/// The case of a call that the approved step names, with a sandbox and no rules.
fn case<'a>(call: &ToolCall, granted: &'a BTreeSet<gate::question::PermissionRequest>) -> Case<'a> {
    Case {
        bearer: step(),
        action: Action::Call(call.clone()),
        cage: Cage::Workspace,
        plan: None,
        rules: &[],
        granted,
        is_sandboxed: true,
        is_named: true,
        may_have_happened: false,
        checkpoints: None,
    }
}

#[track_caller]
fn permit(decision: Decision) -> Permit {
    match decision {
        Decision::Permit(permit) => permit,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn why(decision: &Decision) -> &'static str {
    match decision {
        Decision::Ask(pending) => pending.why(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_permit_is_for_one_call_with_all_its_arguments() {
    let permit = permit(decide(case(&write(), &BTreeSet::new())));
    assert_eq!(permit.bearer(), &step());
    assert!(permit.allows(&Action::Call(write())));
    assert!(permit.require_write(&write()).is_ok());
    for other in [
        r#"write_file {"path": "a.txt", "content": "b"}"#,
        r#"write_file {"path": "b.txt", "content": "a"}"#,
        r#"delete_file {"path": "a.txt"}"#,
    ] {
        let refused = permit.require_write(&call(other)).unwrap_err();
        assert!(
            refused.to_string().contains("nothing was done"),
            "{refused}"
        );
    }
    let line = CommandLine::parse("make").unwrap();
    assert!(
        permit
            .require_command(&line, Cage::ReadOnly, false)
            .is_err()
    );
    assert!(permit.require(&Action::Own(Act::TakeBack)).is_err());
}

#[test]
fn a_command_runs_in_its_cage_and_without_a_network_unless_handed_over() {
    let none = BTreeSet::new();
    let line = CommandLine::parse("make").unwrap();
    let writing = permit(decide(case(&make(), &none)));
    assert!(
        writing
            .require_command(&line, Cage::Workspace, false)
            .is_ok()
    );
    assert!(
        writing
            .require_command(&line, Cage::Workspace, true)
            .is_err()
    );
    let looking = permit(decide(Case {
        cage: Cage::ReadOnly,
        ..case(&make(), &none)
    }));
    assert!(
        looking
            .require_command(&line, Cage::ReadOnly, false)
            .is_ok()
    );
    assert!(
        looking
            .require_command(&line, Cage::Workspace, false)
            .is_err()
    );
    let handed = permit(decide(Case {
        action: Action::HandOver(make()),
        ..case(&make(), &none)
    }));
    assert!(handed.require_command(&line, Cage::Workspace, true).is_ok());
    let check = Action::Check {
        line: "make".to_owned(),
    };
    let check = permit(decide(Case {
        action: check,
        ..case(&make(), &none)
    }));
    assert!(check.require_command(&line, Cage::Workspace, false).is_ok());
    let other = CommandLine::parse("make all").unwrap();
    assert!(
        check
            .require_command(&other, Cage::Workspace, false)
            .is_err()
    );
}

#[test]
fn what_is_asked_gets_its_permit_with_the_yes_alone() {
    let none = BTreeSet::new();
    let asked = || {
        let case = Case {
            is_named: false,
            ..case(&make(), &none)
        };
        match decide(case) {
            Decision::Ask(pending) => pending,
            other => panic!("{other:?}"),
        }
    };
    let said = |grant, words: Option<&str>| Answer::Permission {
        grant,
        words: words.map(str::to_owned),
    };
    let yes = asked().answered(&said(Grant::Once, None)).unwrap().unwrap();
    assert!(yes.allows(&Action::Call(make())));
    assert_eq!(
        asked().answered(&said(Grant::No, Some("use ninja"))),
        Some(Err(Refusal::Person {
            words: Some("use ninja".to_owned())
        }))
    );
    for other in [Answer::Run, Answer::Retry, Answer::Stop] {
        assert_eq!(asked().answered(&other), None, "{other:?}");
    }
}

#[test]
fn each_question_says_why_it_is_asked() {
    let none = BTreeSet::new();
    let of = |is_named| Case {
        is_named,
        ..case(&make(), &none)
    };
    assert!(why(&decide(of(false))).contains("The approved step"));
    let loose = Case {
        is_sandboxed: false,
        ..of(true)
    };
    assert!(why(&decide(loose)).contains("aren't sandboxed"));
    let again = Case {
        may_have_happened: true,
        ..of(true)
    };
    assert!(why(&decide(again)).contains("may already have run"));
}

#[test]
fn a_grant_is_for_its_own_request() {
    let request = gate::permissions::request_of(&make());
    let granted = BTreeSet::from([request]);
    let of = |call: &ToolCall| {
        decide(Case {
            is_named: false,
            ..case(call, &granted)
        })
    };
    permit(of(&make()));
    let other = call(r#"run_command {"command": "make all"}"#);
    assert!(matches!(of(&other), Decision::Ask(_)));
}

#[test]
fn no_yes_and_no_rule_lets_through_what_is_out_of_bounds() {
    let place = PlanPlace {
        path: "a.txt".to_owned(),
        root: "/w".to_owned(),
        aliases: Vec::new(),
    };
    let rules = [Rule {
        tool: "write_file".to_owned(),
        matches: Match::Prefix(String::new()),
        verdict: Verdict::Allow,
    }];
    let granted = BTreeSet::from([gate::permissions::request_of(&write())]);
    let plan = Case {
        plan: Some(&place),
        rules: &rules,
        ..case(&write(), &granted)
    };
    assert_eq!(decide(plan), Decision::Refuse(Refusal::PlanFile));
    let early = Case {
        cage: Cage::ReadOnly,
        rules: &rules,
        ..case(&write(), &granted)
    };
    assert_eq!(decide(early), Decision::Refuse(Refusal::BeforeApproval));
    let loose = Case {
        cage: Cage::ReadOnly,
        is_sandboxed: false,
        ..case(&make(), &granted)
    };
    assert_eq!(decide(loose), Decision::Refuse(Refusal::NoSandbox));
    let forbidden = [Rule {
        verdict: Verdict::Deny,
        ..rules[0].clone()
    }];
    let denied = Case {
        rules: &forbidden,
        ..case(&write(), &granted)
    };
    assert_eq!(decide(denied), Decision::Refuse(Refusal::Rule));
}

#[test]
fn what_destroys_is_looked_at_and_then_asked_unless_an_answered_checkpoint_names_it() {
    let none = BTreeSet::new();
    let delete = call(r#"delete_file {"path": "old.txt"}"#);
    let seen = InspectionResult {
        found: [("old.txt".to_owned(), PathState::File { bytes: 900 })].into(),
        ..InspectionResult::default()
    };
    let of = |seen, text: &str| {
        let (plan, _) = plan::parse(text);
        let answered = || plan.tasks.iter().collect();
        decide(Case {
            checkpoints: Some(Checkpoints {
                seen,
                answered: &answered,
            }),
            ..case(&delete, &none)
        })
    };
    assert!(matches!(of(None, ""), Decision::LookAt { .. }));
    match of(Some(&seen), "") {
        Decision::Ask(pending) => {
            let danger = pending.request().danger.as_ref().unwrap();
            assert_eq!(danger.subjects, ["old.txt"]);
        }
        other => panic!("{other:?}"),
    }
    let named = "## Tasks\n- [x] **C1** Delete `old.txt`?\n  - type: checkpoint\n";
    permit(of(Some(&seen), named));
    let other = "## Tasks\n- [x] **C1** Delete `new.txt`?\n  - type: checkpoint\n";
    assert!(matches!(of(Some(&seen), other), Decision::Ask(_)));
    permit(of(
        Some(&InspectionResult {
            found: [("old.txt".to_owned(), PathState::Missing)].into(),
            ..InspectionResult::default()
        }),
        "",
    ));
}

#[test]
fn many_small_losses_of_a_step_are_asked_about_where_they_have_become_a_large_one() {
    let none = BTreeSet::new();
    let source = |from: usize| -> String {
        (from..12)
            .map(|n| format!("def f{n}():\n    return {n}\n\n"))
            .collect()
    };
    let mut asked = Vec::new();
    for gone in 0..11 {
        let edit = call(&format!(
            r#"edit_file {{"path": "a.py", "old_text": "def f{gone}():\n    return {gone}\n\n", "new_text": ""}}"#
        ));
        let seen = InspectionResult {
            found: [("a.py".to_owned(), PathState::File { bytes: 900 })].into(),
            texts: [("a.py".to_owned(), source(gone))].into(),
            originals: match gone {
                0 => Default::default(),
                _ => [("a.py".to_owned(), source(0))].into(),
            },
            ..InspectionResult::default()
        };
        let decision = decide(Case {
            checkpoints: Some(Checkpoints {
                seen: Some(&seen),
                answered: &Vec::new,
            }),
            ..case(&edit, &none)
        });
        if let Decision::Ask(pending) = decision
            && let Some(danger) = &pending.request().danger
        {
            asked.push((gone, danger.subjects.join(", ")));
        }
    }
    // The person is asked once the losses add up, and at most twice more as the file shrinks.
    assert_eq!(
        asked[0],
        (2, "a.py (3 of its 12 definitions: f0, f1, f2)".to_owned())
    );
    assert!(asked.len() < 4, "{asked:?}");
}

#[test]
fn leave_is_for_one_step_of_one_run() {
    let none = BTreeSet::new();
    let permit = permit(decide(case(&write(), &none)));
    let of = |run: &str, step: Option<&str>| Bearer::Run {
        run: run.to_owned(),
        step: step.map(str::to_owned),
    };
    assert!(permit.require_bearer(&step()).is_ok());
    for other in [
        of("r2", Some("T1")),
        of("r1", Some("T2")),
        of("r1", None),
        Bearer::Person,
        Bearer::App,
    ] {
        assert!(permit.require_bearer(&other).is_err(), "{other:?}");
    }
}

#[test]
fn a_conversation_writes_its_plan_and_nothing_else() {
    let free = permit(decide_on_plan("s1", "plans/a.md"));
    assert!(free.allows(&Act::write("plans/a.md")));
    assert!(!free.allows(&Act::write("plans/b.md")));
    assert!(free.require_write(&write()).is_err());
}

#[test]
fn an_act_of_its_own_leave_does_no_work_of_a_step() {
    let path = "a.txt".to_owned();
    for act in [
        Act::WriteDocument { path },
        Act::TakeBack,
        Act::StartBranch {
            name: "make".to_owned(),
        },
    ] {
        let permit = own_act(Bearer::Person, act);
        assert!(permit.require_write(&write()).is_err());
        let line = CommandLine::parse("make").unwrap();
        assert!(
            permit
                .require_command(&line, Cage::ReadOnly, false)
                .is_err()
        );
    }
}
