//! Plays some histories in every test run, and proves that their oracle detects violations.

use std::path::PathBuf;
use std::process::Command;

use gate::answers::{Answer, Unknown};
use gate::policy::Policy;
use gate::question::{QuestionKind, label};

use super::oracle::judge;
use super::record::{Approval, Fact};
use super::{play_all, program};
use crate::dice::Dice;
use crate::edits::Edit;
use crate::person::Said;
use crate::program::{Call, Kind, Leads, Program, Shape, Step};
use serde_json::json;

/// The program built by `cargo xtask test`, or otherwise one that is built now.
fn built() -> PathBuf {
    program().unwrap_or_else(|| {
        let test = std::env::current_exe().unwrap();
        // <target>/<profile folder>/deps/<test>
        let profile = test.ancestors().nth(2).unwrap();
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut building = Command::new(cargo);
        building.current_dir(env!("CARGO_MANIFEST_DIR"));
        building.args(["build", "--quiet", "--locked", "--package=planwright-cli"]);
        building.arg("--target-dir").arg(profile.parent().unwrap());
        assert!(
            building.status().unwrap().success(),
            "planwright does not build"
        );
        profile.parent().unwrap().join("debug/planwright")
    })
}

#[test]
fn nothing_happens_for_real_that_nobody_approved() {
    let (counts, found) = play_all(&built(), 0, 16);
    assert!(found.is_empty(), "{found:?}\n{}", counts.text(0.0));
    assert!(
        counts.done > 4 && counts.effects > 20 && counts.kills > 2,
        "{}",
        counts.text(0.0)
    );
}

/// A plan with a step that runs a command, a checkpoint, and two more steps, the last of which
/// covers R1.
fn paying() -> Program {
    let shape = Shape {
        has_model: false,
        may_grow: false,
        may_delete: false,
        shares_files: false,
        most: 2,
    };
    let mut program = Program::draw(&mut Dice::new(1, 1), shape);
    let step = |id: &str, kind: Kind| Step {
        id: id.to_owned(),
        title: format!("The step {id} of the payment"),
        parent: None,
        kind,
        depends: None,
        calls: match kind {
            Kind::Calls => vec![Call {
                tool: "run_command",
                arguments: json!({ "command": format!("make {id}.0") }),
            }],
            _ => Vec::new(),
        },
        verify: Vec::new(),
        files: Vec::new(),
        shown: Vec::new(),
        covers: Vec::new(),
        options: Vec::new(),
        confirm: true,
    };
    program.steps = vec![
        step("T1", Kind::Calls),
        step("C1", Kind::Checkpoint),
        step("T2", Kind::Calls),
        step("T3", Kind::Calls),
    ];
    program.steps[0].verify = vec!["grep -qx v0 f1".to_owned()];
    program.steps[1].options = vec![
        ("Continue".to_owned(), Leads::Continue),
        ("Enough".to_owned(), Leads::Stop),
    ];
    program.steps[3].covers = vec![1];
    program.requirements.truncate(1);
    program
}

fn said(task: &str, kind: QuestionKind, answer: Answer) -> Said {
    Said {
        task: task.to_owned(),
        kind,
        answer,
        request: None,
        process: None,
        bound_to: None,
        is_used: false,
    }
}

fn choice(label: &str) -> Answer {
    let label = label.to_owned();
    Answer::Choice { label, note: None }
}

fn began(said: Vec<Said>) -> Fact {
    Fact::Began {
        approval: Some(Approval {
            version: 0,
            policy: Policy::All,
            upto: None,
        }),
        said,
        is_barred: false,
    }
}

fn resumed(said: Vec<Said>) -> Fact {
    Fact::Began {
        approval: None,
        said,
        is_barred: false,
    }
}

fn log(words: &[&str]) -> Fact {
    Fact::Log(words.iter().map(|word| (*word).to_owned()).collect())
}

fn done(task: &str) -> Fact {
    Fact::Task(task.to_owned(), "done".to_owned())
}

fn world(value: &str) -> Fact {
    Fact::World([("f1".to_owned(), value.to_owned())].into())
}

/// A sound history of two processes: the first ends at the checkpoint's question, the second
/// finishes the run.
fn sound(program: &Program) -> Vec<Fact> {
    let answered = || {
        vec![said(
            "C1",
            QuestionKind::Checkpoint,
            choice(label::CONTINUE),
        )]
    };
    vec![
        Fact::File(program.text().replace("\"make ", "\"sh make ")),
        began(Vec::new()),
        Fact::Started,
        done("T1"),
        log(&["T1.0"]),
        Fact::Ended(3),
        resumed(answered()),
        Fact::Started,
        done("C1"),
        log(&["T1.0", "T2.0", "T3.0"]),
        Fact::Ended(0),
        world("v0"),
    ]
}

/// Changes the observations to those of unsound runs, and checks that the oracle finds each
/// violation.
#[test]
fn each_falsified_record_is_found() {
    let program = paying();
    let versions = [program.clone()];
    assert_eq!(
        judge(&versions, false, &sound(&program)),
        Vec::<String>::new()
    );
    type Falsify = fn(&mut Vec<Fact>);
    let falsified: [(&str, Falsify, &str); 16] = [
        (
            "an effect nobody approved",
            |f| f[9] = log(&["T1.0", "stolen", "T2.0", "T3.0"]),
            "stolen is what nobody approved",
        ),
        (
            "a payment made twice",
            |f| f[9] = log(&["T1.0", "T2.0", "T2.0", "T3.0"]),
            "T2.0 happens, but it happened before",
        ),
        (
            "a step done again by the next process",
            |f| f[9] = log(&["T1.0", "T1.0", "T2.0", "T3.0"]),
            "T1.0 happens, but it happened before",
        ),
        (
            "a gate that nobody answered",
            |f| f[6] = resumed(Vec::new()),
            "T2.0 happens, but C1 was not answered",
        ),
        (
            "a gate that was answered with stop",
            |f| f[6] = resumed(vec![said("C1", QuestionKind::Checkpoint, choice("Enough"))]),
            "T2.0 happens, but C1 was not answered",
        ),
        (
            "a gate that was answered too late",
            |f| f[4] = log(&["T1.0", "T2.0"]),
            "T2.0 happens, but C1 was not answered",
        ),
        (
            "a step behind one that the person left out, and nobody who starts it",
            |f| {
                let skips = said(
                    "T1",
                    QuestionKind::Failure,
                    Answer::Skip {
                        reason: "no".to_owned(),
                    },
                );
                f.remove(4);
                f[5] = resumed(vec![
                    skips,
                    said("C1", QuestionKind::Checkpoint, choice(label::CONTINUE)),
                ]);
                f[8] = log(&["T2.0", "T3.0"]);
            },
            "T2.0 happens, but T1 was left out",
        ),
        (
            "another order",
            |f| f[9] = log(&["T1.0", "T3.0", "T2.0"]),
            "T3.0 happens, but T2.0 did not happen before",
        ),
        (
            "a step left out of a run that is done",
            |f| f[9] = log(&["T1.0", "T2.0"]),
            "the run is done, but T3.0 did not happen before",
        ),
        (
            "a requirement that nothing covers",
            |f| f[9] = log(&["T1.0", "T2.0"]),
            "the run is done, but nothing covers R1",
        ),
        (
            "a check that is red at the end",
            |f| f[11] = world("v9"),
            "the run is done, but `grep -qx v0 f1` of T1 fails",
        ),
        (
            "an effect that is gone",
            |f| f[9] = log(&["T2.0", "T3.0"]),
            "T1.0 is undone, and nobody wanted that",
        ),
        (
            "a step after the plan was changed",
            |f| {
                let Fact::File(text) = &f[0] else { return };
                let approved = text.clone();
                let changed = Edit::Replace.apply(&mut Dice::new(1, 1), &approved, &approved);
                f.insert(6, Fact::File(changed.unwrap_or_default()));
            },
            "T2.0 happens, but the plan is otherwise",
        ),
        (
            "a step whose words were changed",
            |f| {
                let Fact::File(text) = &f[0] else { return };
                let changed = text.replace("The step T2 of", "Another step T2 of");
                f.insert(6, Fact::File(changed));
            },
            "T2.0 happens, but T2 was changed",
        ),
        (
            "a policy that asks, and nobody who answers",
            |f| {
                let approval = Some(Approval {
                    version: 0,
                    policy: Policy::Each,
                    upto: None,
                });
                f[1] = Fact::Began {
                    approval,
                    said: Vec::new(),
                    is_barred: false,
                };
            },
            "T1.0 happens, but nobody said that it may start",
        ),
        (
            "a second process beside the first",
            |f| {
                let approval = Some(Approval {
                    version: 0,
                    policy: Policy::All,
                    upto: None,
                });
                f.insert(
                    5,
                    Fact::Began {
                        approval,
                        said: Vec::new(),
                        is_barred: true,
                    },
                );
                f.insert(6, log(&["T1.0", "T2.0"]));
                f.insert(7, Fact::Ended(4));
            },
            "T2.0 is done by a second process",
        ),
    ];
    for (name, falsify, expected) in falsified {
        let mut facts = sound(&program);
        falsify(&mut facts);
        let violations = judge(&versions, false, &facts);
        assert!(
            violations
                .iter()
                .any(|violation| violation.starts_with(expected)),
            "{name}: {violations:?}"
        );
    }
}

#[test]
fn what_was_cut_off_happens_again_only_where_the_person_says_so() {
    let program = paying();
    let answers = |how: Option<Unknown>| {
        let how = how.map(|how| said("", QuestionKind::Unknown, Answer::Unknown { how }));
        let gate = said("C1", QuestionKind::Checkpoint, choice(label::CONTINUE));
        how.into_iter().chain([gate]).collect::<Vec<_>>()
    };
    for (how, is_sound) in [
        (None, false),
        (Some(Unknown::Check), false),
        (Some(Unknown::Repeat), true),
    ] {
        let mut facts = sound(&program);
        facts[3] = log(&["T1.0"]);
        facts[5] = Fact::Killed;
        facts[6] = resumed(answers(how));
        facts[9] = log(&["T1.0", "T1.0", "T2.0", "T3.0"]);
        let violations = judge(std::slice::from_ref(&program), false, &facts);
        assert_eq!(violations.is_empty(), is_sound, "{how:?}: {violations:?}");
    }
}
