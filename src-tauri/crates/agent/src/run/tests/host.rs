//! Tests of an agent program that carries out the steps itself: what it may do, when its steps are
//! done, and the answer when it wants to end its turn.

use gate::answers::{Answer, Grant};
use gate::permissions::{Match, Rule, Verdict};
use proptest::prelude::*;

use super::*;
use crate::host_answer::HostAnswer;
use crate::micro_planning::HostChoice;
use crate::pending_answers::GivenAnswer;

const PLAN: &str = "\
---
planwright: 1
goal: Add a flag to the report command
---
# Add a flag to the report command

## Tasks
- [ ] **T1** Add the `--json` flag to the parser in `src/cli.py`
  - files: `src/cli.py`
  - verify: `check cli`
- [ ] **T2** Write the rows as JSON in `src/report.py`
  - files: `src/report.py`
  - verify: `check report`
- [ ] **T3** Describe the flag in `README.md`
  - files: `README.md`
";

fn world() -> World {
    let mut world = World::new(PLAN);
    if let Some(Entry::Started(started)) = world.journal.first_mut() {
        started.choice.host = Some(HostChoice {
            agent: "Claude Code".to_owned(),
            session: "s1".to_owned(),
        });
    }
    // Checks fail until something is changed.
    world.is_red = true;
    world
}

/// A world with a modified plan.
fn world_with(from: &str, to: &str) -> World {
    let plan = PLAN.replace(from, to);
    let mut world = world();
    world.plan.clone_from(&plan);
    world.approved.clone_from(&plan);
    let (parsed, _) = plan::parse(&plan);
    if let Some(Entry::Started(started)) = world.journal.first_mut() {
        started.revision = Revision::of(plan.as_bytes()).as_str().to_owned();
        let prints = fingerprints(&plan, &parsed).into_iter();
        started.covered = prints.map(|(id, print)| (id.0, print)).collect();
    }
    world
}

fn config() -> Config {
    Config {
        host: Some("Claude Code".to_owned()),
        ..World::config("{}")
    }
}

fn edit(path: &str) -> String {
    format!("edit_file {{\"path\":\"{path}\",\"old_text\":\"a\",\"new_text\":\"b\"}}")
}

fn command(line: &str) -> String {
    format!("run_command {{\"command\":\"{line}\"}}")
}

/// Adds a request; returns its number.
fn request(world: &mut World, line: Option<String>, is_last: bool) -> usize {
    let number = state(world).host.next_number();
    world.journal.push(Entry::HostAsked {
        number,
        line,
        is_last,
        waiter: serde_json::Value::Null,
    });
    number
}

fn state(world: &World) -> State {
    State::replay(&world.journal).unwrap()
}

/// Adds a request and plays one process. Returns how the process ended, and the answer.
fn ask_with(
    world: &mut World,
    line: Option<String>,
    config: Config,
) -> (Option<EndState>, Option<HostAnswer>) {
    let number = request(world, line, false);
    let (ended, _) = world.play(config, Die::Never);
    let answer = state(world).host.get(number).unwrap().answer.clone();
    // The agent makes the change.
    if let Some(HostAnswer::Allowed { task, .. }) = &answer
        && let Some(call) = state(world).host.get(number).unwrap().call()
        && let Some(path) = call.path()
    {
        world
            .written
            .entry(task.clone())
            .or_default()
            .insert(path.to_owned());
    }
    (ended, answer)
}

fn ask(world: &mut World, line: &str) -> (Option<EndState>, Option<HostAnswer>) {
    ask_with(world, Some(line.to_owned()), config())
}

#[track_caller]
fn allowed(world: &mut World, line: &str, step: &str) {
    let (ended, answer) = ask(world, line);
    let task = step.to_owned();
    let is_named = true;
    assert_eq!(answer, Some(HostAnswer::Allowed { task, is_named }));
    assert_eq!(ended, Some(EndState::Paused));
}

fn standing(world: &World, id: &str) -> Standing {
    state(world).standing(&TaskId::from(id))
}

/// A person's answer to the open question.
fn answer(world: &mut World, answer: Answer) {
    let question = world.asked.last().expect("a question").clone();
    let number = world.journal.len();
    world.journal.push(Entry::Given {
        given: GivenAnswer {
            task: question.task.clone(),
            question: question.question,
            fingerprint: question.fingerprint.clone(),
            answer,
            permission: question.permission.clone(),
        },
    });
    assert!(world.journal.len() > number);
}

fn grant(grant: Grant, words: Option<&str>) -> Answer {
    Answer::Permission {
        grant,
        words: words.map(str::to_owned),
    }
}

#[test]
fn what_the_ready_step_names_is_allowed_without_a_question() {
    let mut world = world();
    allowed(&mut world, &edit("src/cli.py"), "T1");
    assert!(world.asked.is_empty());
    allowed(&mut world, &edit("./src/cli.py"), "T1");
    assert_eq!(standing(&world, "T1"), Standing::Running);
}

#[test]
fn a_later_steps_change_has_the_earlier_step_checked_first() {
    let mut world = world();
    allowed(&mut world, &edit("src/cli.py"), "T1");
    allowed(&mut world, &edit("src/report.py"), "T2");
    assert_eq!(standing(&world, "T1"), Standing::Done);
    let verdict = state(&world).tasks["T1"].verdict.clone().unwrap();
    assert!(verdict.is_verified, "{verdict:?}");
    assert!(world.plan.contains("- [x] **T1**"));
}

#[test]
fn a_later_steps_change_is_refused_while_the_earlier_check_fails() {
    let mut world = world();
    allowed(&mut world, &edit("src/cli.py"), "T1");
    world.failing = vec!["check cli"];
    let (ended, told) = ask(&mut world, &edit("src/report.py"));
    let Some(HostAnswer::Refused { reason, words, .. }) = told else {
        panic!("{told:?}")
    };
    assert!(
        reason.contains("T1 isn't done: its check failed"),
        "{reason}"
    );
    assert_eq!(words, None);
    assert_eq!(ended, Some(EndState::Paused));
    assert_eq!(standing(&world, "T1"), Standing::Running);
    // After the fix, the next step may start.
    world.failing.clear();
    allowed(&mut world, &edit("src/cli.py"), "T1");
    allowed(&mut world, &edit("src/report.py"), "T2");
}

#[test]
fn a_step_can_not_be_left_out_by_going_on_to_the_next() {
    let mut world = world();
    let plan = world.plan.clone();
    // T1 starts, because a call that no step names is judged as part of the first ready step.
    ask(&mut world, &edit("other.py"));
    answer(&mut world, grant(Grant::No, None));
    world.play(config(), Die::Never);
    let (_, told) = ask(&mut world, &edit("src/report.py"));
    let Some(HostAnswer::Refused { reason, .. }) = told else {
        panic!("{told:?}")
    };
    assert!(reason.contains("comes first"), "{reason}");
    assert_eq!(world.plan, plan);
}

#[test]
fn what_no_step_names_is_asked_and_the_persons_words_come_back() {
    let mut world = world();
    let (ended, told) = ask(&mut world, &edit("setup.py"));
    assert_eq!((ended, told), (Some(EndState::Waiting), None));
    let request = world.asked[0].permission.clone().unwrap();
    assert_eq!(request.subject, "setup.py");
    let words = "Leave setup.py alone.\n“really”";
    answer(&mut world, grant(Grant::No, Some(words)));
    assert_eq!(world.play(config(), Die::Never).0, Some(EndState::Paused));
    let Some(HostAnswer::Refused { words: told, .. }) =
        state(&world).host.get(0).unwrap().answer.clone()
    else {
        panic!()
    };
    assert_eq!(told.as_deref(), Some(words));
}

#[test]
fn an_answer_for_one_request_is_used_up_by_it() {
    let mut world = world();
    ask(&mut world, &edit("setup.py"));
    answer(&mut world, grant(Grant::Once, None));
    world.play(config(), Die::Never);
    let task = "T1".to_owned();
    let is_named = false;
    let told = state(&world).host.get(0).unwrap().answer.clone();
    assert_eq!(told, Some(HostAnswer::Allowed { task, is_named }));
    let (ended, told) = ask(&mut world, &edit("setup.py"));
    assert_eq!((ended, told), (Some(EndState::Waiting), None));
    // An answer for the rest of the run isn't used up.
    answer(&mut world, grant(Grant::Run, None));
    world.play(config(), Die::Never);
    let (_, told) = ask(&mut world, &edit("setup.py"));
    assert!(matches!(told, Some(HostAnswer::Allowed { .. })), "{told:?}");
}

#[test]
fn commands_are_judged_as_without_a_sandbox() {
    let mut world = world();
    let (ended, told) = ask(&mut world, &command("check cli"));
    assert_eq!((ended, told), (Some(EndState::Waiting), None));
    assert!(world.asked[0].message.contains("aren't sandboxed"));
    answer(&mut world, grant(Grant::Run, None));
    world.play(config(), Die::Never);
    let (_, told) = ask(&mut world, &command("check cli"));
    assert!(matches!(
        told,
        Some(HostAnswer::Allowed { is_named: true, .. })
    ));
    // Our own checks run in the sandbox, so they need no answer.
    allowed(&mut world, &edit("src/cli.py"), "T1");
    allowed(&mut world, &edit("src/report.py"), "T2");
}

#[test]
fn a_rule_that_denies_is_final() {
    let mut world = world();
    let rule = Rule {
        tool: "edit_file".to_owned(),
        matches: Match::Prefix("src/".to_owned()),
        verdict: Verdict::Deny,
    };
    let config = Config {
        rules: vec![rule],
        ..config()
    };
    let (ended, told) = ask_with(&mut world, Some(edit("src/cli.py")), config);
    assert!(matches!(told, Some(HostAnswer::Refused { .. })), "{told:?}");
    assert_eq!(ended, Some(EndState::Paused));
}

#[test]
fn requests_of_one_step_wait_for_each_other() {
    let mut world = world();
    let first = request(&mut world, Some(edit("setup.py")), false);
    let second = request(&mut world, Some(edit("src/cli.py")), false);
    assert_eq!(world.play(config(), Die::Never).0, Some(EndState::Waiting));
    let told = |world: &World, number| state(world).host.get(number).unwrap().answer.clone();
    assert_eq!((told(&world, first), told(&world, second)), (None, None));
    answer(&mut world, grant(Grant::No, None));
    world.play(config(), Die::Never);
    assert!(matches!(
        told(&world, first),
        Some(HostAnswer::Refused { .. })
    ));
    assert!(matches!(
        told(&world, second),
        Some(HostAnswer::Allowed { .. })
    ));
}

#[test]
fn an_answer_to_a_withdrawn_request_is_not_used_for_another() {
    let mut world = world();
    ask(&mut world, &edit("setup.py"));
    answer(&mut world, grant(Grant::Once, None));
    world.journal.push(Entry::HostAnswered {
        number: 0,
        answer: HostAnswer::Withdrawn {
            reason: "the agent stopped waiting".to_owned(),
        },
    });
    let (ended, told) = ask(&mut world, &edit("setup.py"));
    assert_eq!((ended, told), (Some(EndState::Waiting), None));
}

#[test]
fn an_answer_given_once_covers_no_other_content() {
    for is_withdrawn_first in [true, false] {
        let mut world = world();
        ask(&mut world, &edit("setup.py"));
        let withdrawn = Entry::HostAnswered {
            number: 0,
            answer: HostAnswer::Withdrawn {
                reason: "the agent stopped waiting".to_owned(),
            },
        };
        if is_withdrawn_first {
            world.journal.push(withdrawn);
            answer(&mut world, grant(Grant::Once, None));
        } else {
            answer(&mut world, grant(Grant::Once, None));
            world.journal.push(withdrawn);
        }
        let other = edit("setup.py").replace("\"b\"", "\"other\"");
        let (ended, told) = ask(&mut world, &other);
        assert_eq!((ended, told), (Some(EndState::Waiting), None));
    }
}

#[test]
fn a_step_that_nothing_proves_is_signed_by_a_person_before_the_next() {
    let mut world = world();
    // The check already passed before the step, and the agent doesn't make the change that it was
    // allowed to make.
    world.is_red = false;
    allowed(&mut world, &edit("src/cli.py"), "T1");
    world.written.clear();
    let mut answers = Vec::new();
    for _ in 0..3 {
        answers.push(ask(&mut world, &edit("src/report.py")).1);
    }
    let is_allowed =
        |answer: &Option<HostAnswer>| matches!(answer, Some(HostAnswer::Allowed { .. }));
    assert!(!answers.iter().any(is_allowed), "{answers:?}");
    assert_eq!(standing(&world, "T2"), Standing::Pending);
    assert_eq!(world.asked.last().unwrap().question, QuestionKind::Person);
    answer(
        &mut world,
        Answer::Done {
            note: Some("Looked at it.".to_owned()),
        },
    );
    world.play(config(), Die::Never);
    assert_eq!(standing(&world, "T1"), Standing::Done);
    assert!(state(&world).tasks["T1"].signed.is_some());
}

#[test]
fn a_step_without_a_check_is_signed_by_a_person_before_the_next() {
    let mut world = world_with("  - verify: `check cli`\n", "");
    allowed(&mut world, &edit("src/cli.py"), "T1");
    let (ended, told) = ask(&mut world, &edit("src/report.py"));
    assert_eq!((ended, told), (Some(EndState::Waiting), None));
    assert_eq!(world.asked[0].question, QuestionKind::Person);
    answer(&mut world, Answer::Done { note: None });
    assert_eq!(world.play(config(), Die::Never).0, Some(EndState::Paused));
    let told = state(&world).host.get(1).unwrap().answer.clone();
    assert!(matches!(told, Some(HostAnswer::Allowed { task, .. }) if task == "T2"));
    assert!(state(&world).tasks["T1"].signed.is_some());
}

#[test]
fn the_end_of_a_turn_checks_the_step_and_names_the_next_one() {
    let mut world = world();
    allowed(&mut world, &edit("src/cli.py"), "T1");
    let (ended, told) = ask_with(&mut world, None, config());
    let Some(HostAnswer::Continue { task, message }) = told else {
        panic!("{told:?}")
    };
    assert_eq!((task.as_str(), ended), ("T2", Some(EndState::Paused)));
    assert!(message.contains("Write the rows as JSON"), "{message}");
    assert_eq!(standing(&world, "T1"), Standing::Done);
    // The agent was just told to continue, so now it may end its turn.
    let number = request(&mut world, None, true);
    world.play(config(), Die::Never);
    let told = state(&world).host.get(number).unwrap().answer.clone();
    assert_eq!(told, Some(HostAnswer::Ended));
    // In a run, the agent is asked to continue at most three times.
    let mut counts = 0;
    for _ in 0..5 {
        let (_, told) = ask_with(&mut world, None, config());
        counts += usize::from(matches!(told, Some(HostAnswer::Continue { .. })));
    }
    assert_eq!(counts, 2);
}

#[test]
fn the_end_of_the_last_step_asks_the_person_where_nothing_checks_it() {
    let mut world = world();
    allowed(&mut world, &edit("src/cli.py"), "T1");
    allowed(&mut world, &edit("src/report.py"), "T2");
    allowed(&mut world, &edit("README.md"), "T3");
    let (ended, told) = ask_with(&mut world, None, config());
    assert_eq!(
        (ended, told),
        (Some(EndState::Waiting), Some(HostAnswer::Ended))
    );
    answer(&mut world, Answer::Done { note: None });
    assert_eq!(world.play(config(), Die::Never).0, Some(EndState::Done));
}

#[test]
fn a_person_who_resumes_the_run_is_asked_whether_the_step_is_done() {
    let mut world = world();
    allowed(&mut world, &edit("src/cli.py"), "T1");
    assert_eq!(world.play(config(), Die::Never).0, Some(EndState::Waiting));
    assert!(
        world.asked[0]
            .message
            .starts_with("Claude Code is carrying out")
    );
    // Meanwhile, the agent makes further calls.
    allowed(&mut world, &edit("src/cli.py"), "T1");
}

#[test]
fn a_changed_plan_stops_the_next_change_until_the_person_decides() {
    let mut world = world();
    world.plan = world
        .plan
        .replace("`src/cli.py`\n  - verify", "`src/other.py`\n  - verify");
    let (ended, told) = ask(&mut world, &edit("src/cli.py"));
    assert_ne!(ended, Some(EndState::Paused));
    assert!(
        !matches!(told, Some(HostAnswer::Allowed { .. })),
        "{told:?}"
    );
}

#[test]
fn a_stop_by_the_person_refuses_the_call_that_waits() {
    let mut world = World::with_policy(PLAN, Policy::Each);
    world.is_red = true;
    let (ended, told) = ask(&mut world, &edit("src/cli.py"));
    assert_eq!((ended, told), (Some(EndState::Waiting), None));
    answer(&mut world, Answer::Stop);
    assert_eq!(world.play(config(), Die::Never).0, Some(EndState::Stopped));
    let told = state(&world).host.get(0).unwrap().answer.clone();
    assert!(matches!(told, Some(HostAnswer::Refused { .. })), "{told:?}");
}

/// Each step with the path that it names, written out so that the test doesn't rely on the machine.
const NAMED: [(&str, &str); 3] = [
    ("T1", "src/cli.py"),
    ("T2", "src/report.py"),
    ("T3", "README.md"),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    /// Without an answer from a person, a call is allowed only if it is for a file that a step
    /// names, and if all earlier steps are done and their checks have passed.
    #[test]
    fn only_the_ready_steps_own_files_are_ever_allowed_unasked(
        moves in proptest::collection::vec((0_usize..7, any::<bool>(), 0_usize..40), 1..14),
    ) {
        let mut world = world();
        for (what, fails, die) in moves {
            world.failing = if fails { vec!["check"] } else { Vec::new() };
            let line = match what {
                0 => Some(edit("src/cli.py")),
                1 => Some(edit("src/report.py")),
                2 => Some(edit("README.md")),
                3 => Some(edit("setup.py")),
                4 => Some(command("check cli")),
                5 => Some(edit("src/../src/cli.py")),
                _ => None,
            };
            let number = request(&mut world, line.clone(), fails);
            let end = if die < 30 { Die::Never } else { Die::Before(die - 30) };
            world.play(config(), end);
            let now = state(&world);
            let Some(HostAnswer::Allowed { task, is_named }) =
                now.host.get(number).and_then(|request| request.answer.clone())
            else {
                // Withdraw the request, as a hook does when it gives up.
                if now.host.get(number).is_some_and(|request| request.answer.is_none()) {
                    let reason = "it stopped waiting".to_owned();
                    let answer = HostAnswer::Withdrawn { reason };
                    world.journal.push(Entry::HostAnswered { number, answer });
                }
                continue;
            };
            prop_assert!(is_named);
            let path = match what {
                0 | 5 => "src/cli.py",
                1 => "src/report.py",
                2 => "README.md",
                _ => panic!("allowed without a question: {line:?}"),
            };
            let at = NAMED.iter().position(|(_, named)| *named == path).unwrap();
            prop_assert_eq!(NAMED[at].0, task.as_str());
            for (before, _) in &NAMED[..at] {
                let is_checked = world.journal.iter().any(|entry| matches!(
                    entry,
                    Entry::Checked { task, outcome, .. } if task == before && outcome.ok
                ));
                let is_done = world.journal.iter().any(|entry| matches!(
                    entry, Entry::Done { task, .. } if task == before
                ));
                prop_assert!(is_checked && is_done, "{} before {}", before, task);
            }
            world.written.entry(task).or_default().insert(path.to_owned());
        }
    }
}
