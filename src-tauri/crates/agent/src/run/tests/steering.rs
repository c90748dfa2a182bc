//! Tests of input from a person during the run: first each kind of input alone, then all of them at
//! random moments. Nothing may be carried out without approval, and no intent may be lost.

use std::collections::VecDeque;

use gate::answers::{Answer, Grant, Unknown};
use gate::question::PermissionRequest;
use proptest::prelude::*;

use super::*;
use crate::pending_answers::GivenAnswer;

/// The result of one process.
#[derive(Debug, Default)]
struct Played {
    ended: Option<EndState>,
    notices: Vec<String>,
    /// Commands and checks that started, with their task.
    begun: Vec<(String, String)>,
    interrupted: usize,
    /// How many inputs the machine didn't handle.
    unused: usize,
}

/// Whether the effect needs an answer.
fn is_awaited(effect: &Effect) -> bool {
    !matches!(
        effect,
        Effect::Journal(_)
            | Effect::Ask(_)
            | Effect::Progress(_)
            | Effect::Notice { .. }
            | Effect::Interrupt { .. }
            | Effect::End { .. }
    )
}

/// Plays one process. `first` is sent before the process starts; `say` gives the input before each
/// effect that needs an answer, and `None` kills the process.
fn play(
    world: &mut World,
    config: Config,
    first: Vec<Event>,
    mut say: impl FnMut(&mut World, &Effect) -> Option<Vec<Event>>,
) -> Played {
    let mut played = Played::default();
    world.asked.clear();
    if world.journal.len() > 1 {
        let sandbox = "bubblewrap".to_owned();
        world.journal.push(Entry::Resumed { sandbox });
    }
    let mut machine = Machine::replay(&world.journal, &world.approved, config).unwrap();
    let tell = |world: &mut World, machine: &mut Machine, played: &mut Played, said| {
        let mut interrupts = false;
        for effect in machine.handle(said) {
            assert!(!is_awaited(&effect), "steering begins nothing: {effect:?}");
            interrupts |= matches!(effect, Effect::Interrupt { .. });
            if let Effect::Notice { message } = &effect {
                played.notices.push(message.clone());
            }
            world.answer(effect);
        }
        interrupts
    };
    for said in first {
        tell(world, &mut machine, &mut played, said);
    }
    let mut queue: VecDeque<Effect> = machine.handle(Event::Begin).into();
    while let Some(effect) = queue.pop_front() {
        match &effect {
            Effect::End { state, .. } => {
                played.ended = Some(*state);
                played.unused = machine.take_wishes().len();
                break;
            }
            Effect::Notice { message } => played.notices.push(message.clone()),
            _ => {}
        }
        let mut interrupted = false;
        if is_awaited(&effect) {
            let Some(said) = say(world, &effect) else {
                return played;
            };
            for said in said {
                interrupted |= tell(world, &mut machine, &mut played, said);
            }
        }
        let line = match &effect {
            Effect::Perform { task, tool, .. } if !tool.tool.is_read_only() => {
                Some((task.clone(), tool.to_line()))
            }
            Effect::Check { task, line, .. } => Some((task.clone(), line.clone())),
            _ => None,
        };
        let answer = match line {
            // The driver kills commands; a write would already be complete.
            Some((_, line)) if interrupted && !line.starts_with("write_file") => {
                played.interrupted += 1;
                let outcome = CallOutcome {
                    cancelled: true,
                    summary: "cancelled".to_owned(),
                    ..CallOutcome::default()
                };
                Some(Event::Performed { outcome })
            }
            line => {
                played.begun.extend(line);
                world.answer(effect)
            }
        };
        if let Some(event) = answer {
            queue.extend(machine.handle(event));
        }
    }
    played
}

fn quiet(_: &mut World, _: &Effect) -> Option<Vec<Event>> {
    Some(Vec::new())
}

/// Sends `events` once, before the first effect that `at` accepts.
fn once(
    events: Vec<Event>,
    at: impl Fn(&Effect) -> bool,
) -> impl FnMut(&mut World, &Effect) -> Option<Vec<Event>> {
    let mut events = Some(events);
    move |_, effect| match at(effect) {
        true => Some(events.take().unwrap_or_default()),
        false => Some(Vec::new()),
    }
}

fn performs(task: &'static str) -> impl Fn(&Effect) -> bool {
    move |effect| matches!(effect, Effect::Perform { task: of, .. } if of == task)
}

fn print_in(text: &str, task: &str) -> Option<String> {
    let (plan, _) = plan::parse(text);
    fingerprints(text, &plan).remove(&TaskId::from(task))
}

fn given(task: &str, question: QuestionKind, print: Option<String>, answer: Answer) -> GivenAnswer {
    GivenAnswer {
        task: task.to_owned(),
        question,
        fingerprint: print,
        answer,
        permission: None,
    }
}

fn run_it(world: &World, task: &str) -> Event {
    let print = print_in(&world.plan, task);
    Event::Steer(Steer::Answer(given(
        task,
        QuestionKind::Approval,
        print,
        Answer::Run,
    )))
}

fn choose(world: &World, task: &str, question: QuestionKind, label: &str) -> GivenAnswer {
    let (label, note) = (label.to_owned(), None);
    let print = print_in(&world.plan, task);
    given(task, question, print, Answer::Choice { label, note })
}

#[test]
fn an_answer_given_on_resuming_is_taken_at_once() {
    let mut world = World::new(BRANCHES);
    let waits = play(&mut world, World::config("{}"), Vec::new(), quiet);
    assert_eq!(waits.ended, Some(EndState::Waiting));
    let asked = world.asked[0].clone();
    assert_eq!(asked.fingerprint, print_in(&world.plan, "D1"));
    let answer = choose(&world, "D1", QuestionKind::Decision, "One array");
    let first = vec![Event::Steer(Steer::Answer(answer))];
    play(&mut world, World::config("{}"), first, quiet);
    assert_eq!(world.standing("T2"), Standing::Done);
    assert_eq!(world.asked[0].task, "C1");
    assert_eq!(world.state().given, Vec::new());
}

#[test]
fn an_answer_unparks_its_task_while_others_are_at_work() {
    let plan = "\
# Ask and work side by side

## Tasks
- [ ] **P1** Sign the contract by hand
  - by: person
- [ ] **T1** Write the first file of the two
  - depends: T0
  - call: `write_file {\"path\": \"a\", \"content\": \"1\"}`
- [ ] **T0** Write the second file of the two
  - depends:
  - call: `write_file {\"path\": \"b\", \"content\": \"1\"}`
";
    let (parsed, _) = plan::parse(plan);
    if parsed.tasks[2].depends.is_none() {
        // Otherwise, no step would be ready beside the one to be signed, and the test would prove
        // nothing.
        panic!("`depends:` without a value no longer means that nothing is waited for");
    }
    let mut world = World::new(plan);
    let done = given(
        "P1",
        QuestionKind::Person,
        print_in(plan, "P1"),
        Answer::Done {
            note: Some("signed in two copies".to_owned()),
        },
    );
    let said = once(vec![Event::Steer(Steer::Answer(done))], performs("T0"));
    let played = play(&mut world, World::config("{}"), Vec::new(), said);
    assert_eq!(world.asked.len(), 1, "asked once: {:?}", world.asked);
    assert_eq!(played.ended, Some(EndState::Done));
    assert_eq!(world.standing("P1"), Standing::Done);
}

#[test]
fn answers_ahead_wait_for_their_turn_and_survive_the_process() {
    let mut world = World::with_policy(WRITES, Policy::Each);
    let first = vec![run_it(&world, "T1"), run_it(&world, "T2")];
    let died = play(&mut world, World::config("{}"), first, |_, effect| {
        (!matches!(effect, Effect::Perform { .. })).then(Vec::new)
    });
    assert_eq!(died.ended, None);
    assert_eq!(world.state().given.len(), 1, "T2's waits in the journal");
    let unknown = r#"{"unknown": "check"}"#;
    let played = play(&mut world, World::config(unknown), Vec::new(), quiet);
    assert_eq!(played.ended, Some(EndState::Done));
    assert_eq!(world.performed.len(), 3);
}

#[test]
fn an_approval_ahead_does_not_count_for_other_words() {
    let mut world = World::with_policy(WRITES, Policy::Each);
    let first = vec![run_it(&world, "T1"), run_it(&world, "T2")];
    let mut is_changed = false;
    let played = play(&mut world, World::config("{}"), first, |world, effect| {
        if performs("T1")(effect) && !is_changed {
            is_changed = true;
            world.plan = world.plan.replace("\"2\"", "\"evil\"");
        }
        Some(Vec::new())
    });
    assert_eq!(played.ended, Some(EndState::NotCovered));
    assert_eq!(world.performed.len(), 1, "nothing of T2");
    let asked = world.asked.last().unwrap();
    assert_eq!(
        (asked.task.as_str(), asked.question),
        ("T2", QuestionKind::Approval)
    );
    assert!(
        asked.message.contains("changed after you answered"),
        "{}",
        asked.message
    );
    assert_eq!(asked.fingerprint, print_in(&world.plan, "T2"));

    // Once the file is restored, the approval covers the step again and the person is asked again.
    world.plan = world.plan.replace("\"evil\"", "\"2\"");
    let again = play(&mut world, World::config("{}"), Vec::new(), quiet);
    assert_eq!(again.ended, Some(EndState::Waiting));
    assert_eq!(world.performed.len(), 1);
    let yes = vec![run_it(&world, "T2")];
    let again = play(&mut world, World::config("{}"), yes, quiet);
    assert_eq!(again.ended, Some(EndState::Done));
}

#[test]
fn an_answer_to_words_that_never_were_approved_is_asked_anew() {
    let mut world = World::with_policy(WRITES, Policy::Each);
    let other = world.plan.replace("first file", "last file");
    let print = print_in(&other, "T1");
    let said = given("T1", QuestionKind::Approval, print, Answer::Run);
    let first = vec![Event::Steer(Steer::Answer(said))];
    let played = play(&mut world, World::config("{}"), first, quiet);
    assert_eq!(played.ended, Some(EndState::Waiting));
    assert_eq!(world.performed, Vec::<String>::new());
    assert!(
        world.asked[0]
            .message
            .contains("changed after you answered")
    );
    assert_eq!(world.state().given, Vec::new(), "it is spent");
}

#[test]
fn what_the_app_itself_writes_voids_no_answer() {
    let mut world = World::new(BRANCHES);
    // All three were answered before the decision was written to the plan.
    let note = Answer::Done { note: None };
    let answers = vec![
        choose(&world, "D1", QuestionKind::Decision, "One array"),
        choose(&world, "C1", QuestionKind::Checkpoint, "Continue"),
        given("T3", QuestionKind::Person, print_in(BRANCHES, "T3"), note),
    ];
    let said = answers.into_iter().map(Steer::Answer);
    let first = said.map(Event::Steer).collect();
    let played = play(&mut world, World::config("{}"), first, quiet);
    assert_eq!(played.ended, Some(EndState::Done));
    assert_eq!(world.asked, Vec::new());
    assert_eq!(print_in(&world.plan, "T2"), print_in(BRANCHES, "T2"));
}

#[test]
fn the_plan_is_read_again_before_an_answer_counts() {
    let mut world = World::with_policy(WRITES, Policy::Each);
    let first = vec![run_it(&world, "T1")];
    let answered = |world: &World| {
        let is_it = |entry: &Entry| matches!(entry, Entry::Answered { .. });
        world.journal.iter().any(is_it)
    };
    let mut reads = 0;
    play(&mut world, World::config("{}"), first, |world, effect| {
        if *effect == Effect::ReadPlan && !answered(world) {
            reads += 1;
        }
        Some(Vec::new())
    });
    assert_eq!(reads, 1);
}

#[test]
fn an_answer_that_does_not_fit_is_asked_anew_and_never_bent() {
    let mut world = World::new(BRANCHES);
    let wrong = choose(&world, "D1", QuestionKind::Decision, "one array");
    let first = vec![Event::Steer(Steer::Answer(wrong))];
    let played = play(&mut world, World::config("{}"), first, quiet);
    assert_eq!(played.ended, Some(EndState::Waiting));
    let message = &world.asked[0].message;
    assert!(message.contains("invalid answer “one array”"), "{message}");
}

fn make_c() -> PermissionRequest {
    PermissionRequest {
        tool: "run_command".to_owned(),
        subject: "make c".to_owned(),
        danger: None,
        content: None,
    }
}

fn permit(request: PermissionRequest, grant: Grant) -> Event {
    let words = None;
    let answer = Answer::Permission { grant, words };
    let given = GivenAnswer {
        permission: Some(request),
        ..given("T2", QuestionKind::Permission, None, answer)
    };
    Event::Steer(Steer::Answer(given))
}

#[test]
fn a_permission_is_for_the_request_it_names() {
    let bare = || Config {
        sandboxed: false,
        ..World::config("{}")
    };
    let other = PermissionRequest {
        subject: "make d".to_owned(),
        danger: None,
        ..make_c()
    };
    let mut world = World::new(WRITES);
    let first = vec![permit(other, Grant::Run)];
    let played = play(&mut world, bare(), first, quiet);
    assert_eq!(played.ended, Some(EndState::Waiting));
    assert_eq!(world.asked[0].permission, Some(make_c()));
    assert_eq!(played.begun.len(), 2, "two writes, no command");

    let first = vec![permit(make_c(), Grant::Once)];
    let played = play(&mut world, bare(), first, quiet);
    assert_eq!(played.ended, Some(EndState::Waiting));
    let check = world.asked[0].permission.clone().unwrap();
    assert_eq!(check.subject, "test -f c", "the check asks for itself");
    let played = play(&mut world, bare(), vec![permit(check, Grant::Run)], quiet);
    assert_eq!(played.ended, Some(EndState::Done));
    assert_eq!(world.performed.len(), 3);
}

#[test]
fn a_second_word_for_the_same_request_is_not_kept_for_later() {
    let mut world = World::new(WRITES);
    world.failing = vec!["make c"];
    let bare = || Config {
        sandboxed: false,
        ..World::config("{}")
    };
    let first = vec![permit(make_c(), Grant::Once)];
    let twice = once(vec![permit(make_c(), Grant::Once)], |effect| {
        matches!(effect, Effect::Perform { call: 1, .. })
    });
    let played = play(&mut world, bare(), first, twice);
    assert_eq!(played.ended, Some(EndState::Failed));
    assert_eq!(world.state().given, Vec::new());
    let retry = vec![Event::Steer(Steer::Retry {
        task: "T2".to_owned(),
    })];
    let played = play(&mut world, bare(), retry, quiet);
    assert_eq!(played.ended, Some(EndState::Waiting), "it is asked again");
}

#[test]
fn a_pause_finishes_the_step_in_hand_and_begins_no_other() {
    let mut world = World::new(WRITES);
    let said = once(vec![Event::Steer(Steer::Pause)], performs("T1"));
    let played = play(&mut world, World::config("{}"), Vec::new(), said);
    assert_eq!(played.ended, Some(EndState::Paused));
    assert_eq!(world.standing("T1"), Standing::Done);
    assert!(world.plan.contains("- [x] **T1**"), "{}", world.plan);
    assert_eq!(world.standing("T2"), Standing::Pending);
    let played = play(&mut world, World::config("{}"), Vec::new(), quiet);
    assert_eq!(played.ended, Some(EndState::Done));
    assert_eq!(world.performed.len(), 3);
}

#[test]
fn a_pause_in_the_last_step_ends_as_done() {
    let mut world = World::new(WRITES);
    let said = once(vec![Event::Steer(Steer::Pause)], performs("T3"));
    let played = play(&mut world, World::config("{}"), Vec::new(), said);
    assert_eq!(played.ended, Some(EndState::Done));
}

fn skip(task: &str) -> Event {
    Event::Steer(Steer::Skip {
        task: task.to_owned(),
        reason: "not today".to_owned(),
    })
}

#[test]
fn a_step_to_come_is_left_out_with_its_reason() {
    let mut world = World::new(WRITES);
    let said = once(vec![skip("T2")], performs("T1"));
    let played = play(&mut world, World::config("{}"), Vec::new(), said);
    assert_eq!(played.ended, Some(EndState::Waiting), "T3 needs T2");
    assert_eq!(world.asked[0].question, QuestionKind::SkippedDependency);
    assert_eq!(world.standing("T2"), Standing::Skipped(SkippedBy::Person));
    assert!(
        world.plan.contains("- skipped: not today"),
        "{}",
        world.plan
    );
    assert_eq!(world.performed.len(), 1);
}

#[test]
fn the_running_step_is_ended_and_left_out() {
    let mut world = World::new(WRITES);
    let said = once(
        vec![skip("T2")],
        |effect| matches!(effect, Effect::Perform { task, call: 1, .. } if task == "T2"),
    );
    let played = play(&mut world, World::config("{}"), Vec::new(), said);
    assert_eq!(played.interrupted, 1);
    assert_eq!(played.ended, Some(EndState::Waiting));
    assert_eq!(world.standing("T2"), Standing::Skipped(SkippedBy::Person));
    assert_eq!(world.performed.len(), 2, "`make c` was not carried out");
    assert!(world.state().open_intents().next().is_none());
}

#[test]
fn a_step_left_out_while_its_call_is_prepared_is_not_begun() {
    let mut world = World::new(WRITES);
    let said = once(vec![skip("T1")], |effect| {
        matches!(effect, Effect::Prepare { .. })
    });
    play(&mut world, World::config("{}"), Vec::new(), said);
    assert_eq!(world.standing("T1"), Standing::Skipped(SkippedBy::Person));
    assert_eq!(world.performed, Vec::<String>::new());
    let intended = |entry: &Entry| matches!(entry, Entry::Intended { .. });
    assert!(!world.journal.iter().any(intended));
}

#[test]
fn a_failed_step_is_left_out_or_tried_again() {
    for (said, standing) in [
        (skip("T2"), Standing::Skipped(SkippedBy::Person)),
        (
            Event::Steer(Steer::Retry {
                task: "T2".to_owned(),
            }),
            Standing::Done,
        ),
    ] {
        let mut world = World::new(WRITES);
        world.failing = vec!["make c"];
        let failed = play(&mut world, World::config("{}"), Vec::new(), quiet);
        assert_eq!(failed.ended, Some(EndState::Failed));
        world.failing.clear();
        play(&mut world, World::config("{}"), vec![said], quiet);
        assert_eq!(world.standing("T2"), standing);
    }
}

#[test]
fn a_failure_can_be_answered_before_the_process_has_ended() {
    let mut world = World::new(WRITES);
    world.failing = vec!["make c"];
    // After the failed call, the plan is read once more; this is when the answer arrives.
    let mut is_said = false;
    let played = play(
        &mut world,
        World::config("{}"),
        Vec::new(),
        |world, effect| {
            let has_failed = world.standing("T2") == Standing::Failed;
            if has_failed && *effect == Effect::ReadPlan && !is_said {
                is_said = true;
                world.failing.clear();
                return Some(vec![Event::Steer(Steer::Retry {
                    task: "T2".to_owned(),
                })]);
            }
            Some(Vec::new())
        },
    );
    assert!(is_said);
    assert_eq!(played.ended, Some(EndState::Done));
}

#[test]
fn what_is_not_valid_is_told_and_changes_nothing() {
    let mut world = World::new(WRITES);
    let said = once(
        vec![
            skip("T1"),
            skip("T9"),
            Event::Steer(Steer::Retry {
                task: "T3".to_owned(),
            }),
            run_it(&world, "T1"),
        ],
        performs("T2"),
    );
    let played = play(&mut world, World::config("{}"), Vec::new(), said);
    assert_eq!(played.ended, Some(EndState::Done));
    let words = played.notices.join("\n");
    for wanted in [
        "T1 is already done",
        "no step T9 in this run",
        "T3 hasn't failed",
        "your answer has no effect",
    ] {
        assert!(words.contains(wanted), "{wanted}: {words}");
    }
}

#[test]
fn an_unknown_outcome_can_be_left_out_by_a_skip() {
    let mut world = World::new(WRITES);
    play(&mut world, World::config("{}"), Vec::new(), |_, effect| {
        (!performs("T1")(effect)).then(Vec::new)
    });
    assert!(world.state().open_intents().next().is_some());
    play(&mut world, World::config("{}"), vec![skip("T1")], quiet);
    let state = world.state();
    let reason = state.tasks["T1"].reason.clone().unwrap();
    assert!(reason.contains("interrupted during"), "{reason}");
    assert!(reason.contains("not today"), "{reason}");
}

#[test]
fn an_unknown_outcome_is_answered_with_the_plan_as_it_reads_now() {
    let mut world = World::new(WRITES);
    play(&mut world, World::config("{}"), Vec::new(), |_, effect| {
        (!performs("T1")(effect)).then(Vec::new)
    });
    let how = Unknown::Repeat;
    let answer = |world: &World| {
        let print = print_in(&world.plan, "T1");
        let answer = Answer::Unknown { how };
        Event::Steer(Steer::Answer(given(
            "T1",
            QuestionKind::Unknown,
            print,
            answer,
        )))
    };
    let stale = answer(&world);
    let text = world.plan.clone();
    world.plan = text.replace("the first file", "any file");
    let played = play(&mut world, World::config("{}"), vec![stale], quiet);
    assert_eq!(played.ended, Some(EndState::Waiting));
    assert!(
        world.asked[0]
            .message
            .contains("changed after you answered")
    );
    world.plan = text;
    let fresh = answer(&world);
    let played = play(&mut world, World::config("{}"), vec![fresh], quiet);
    assert_eq!(played.ended, Some(EndState::Done));
}

#[test]
fn open_questions_are_what_waits_for_a_person() {
    let open = |world: &World, lives| {
        let (plan, _) = plan::parse(&world.plan);
        open_questions(&world.state(), &plan, lives)
    };
    let mut world = World::new(BRANCHES);
    assert_eq!(open(&world, false), Vec::new());
    play(&mut world, World::config("{}"), Vec::new(), quiet);
    assert_eq!(open(&world, false), world.asked);
    assert_eq!(open(&world, true), world.asked);

    let mut world = World::new(WRITES);
    play(&mut world, World::config("{}"), Vec::new(), |_, effect| {
        (!performs("T2")(effect)).then(Vec::new)
    });
    assert_eq!(open(&world, true), Vec::new(), "it is under way");
    let unknown = &open(&world, false)[0];
    assert_eq!(
        (unknown.task.as_str(), unknown.question),
        ("T2", QuestionKind::Unknown)
    );
    assert_eq!(unknown.fingerprint, print_in(&world.plan, "T2"));
    let asked = vec![unknown.clone()];
    let sandbox = "none".to_owned();
    world.journal.push(Entry::Resumed { sandbox });
    assert_eq!(
        open(&world, true),
        asked,
        "who takes the run up did not begin it"
    );
    world.journal.push(Entry::Answered {
        task: "T2".to_owned(),
        question: QuestionKind::Unknown,
        answer: Answer::Unknown {
            how: Unknown::Check,
        },
        permission: None,
    });
    assert_eq!(open(&world, true), Vec::new(), "it is being looked at");
    world.plan = world.plan.replace("**T2**", "**T7**");
    assert_eq!(open(&world, false).len(), 1, "though the step is gone");

    let mut world = World::new(WRITES);
    world.failing = vec!["make c"];
    play(&mut world, World::config("{}"), Vec::new(), quiet);
    let failed = &open(&world, false)[0];
    assert_eq!(
        (failed.task.as_str(), failed.question),
        ("T2", QuestionKind::Failure)
    );
    world.plan = world.plan.replace("- [ ] **T2**", "- [x] **T2**");
    assert_eq!(
        open(&world, false).len(),
        1,
        "a tick by hand is a claim, no answer"
    );
}

#[test]
fn a_journal_of_before_is_read() {
    let asked = r#"{"kind":"asked","question":{"task":"T1","question":"approval","message":"?","options":[]}}"#;
    let entry: Entry = serde_json::from_str(asked).unwrap();
    let Entry::Asked { question } = entry else {
        panic!("{entry:?}");
    };
    assert_eq!(question.fingerprint, None);
}

/// A random input from a person.
#[derive(Debug, Clone)]
enum Said {
    Answer(usize, QuestionKind, Print, u8),
    Pause,
    Skip(usize),
    Retry(usize),
    Cancel,
    /// Changes a step in the plan file.
    Spoil(usize),
    /// Restores the step.
    Mend(usize),
    Die,
}

#[derive(Debug, Clone, Copy)]
enum Print {
    None,
    Approved,
    Present,
}

const STEPS: [&str; 3] = ["T1", "T2", "T3"];
const TITLES: [&str; 3] = ["Write the first", "Write the second", "Look at what"];

fn said() -> impl Strategy<Value = Said> {
    let step = 0..STEPS.len();
    let kind = prop::sample::select(vec![
        QuestionKind::Approval,
        QuestionKind::Approval,
        QuestionKind::Permission,
        QuestionKind::Permission,
        QuestionKind::Unknown,
        QuestionKind::Failure,
        QuestionKind::SkippedDependency,
    ]);
    let print = prop::sample::select(vec![Print::None, Print::Approved, Print::Present]);
    prop_oneof![
        8 => (step.clone(), kind, print, 0..4_u8).prop_map(|(s, k, p, n)| Said::Answer(s, k, p, n)),
        1 => Just(Said::Pause),
        1 => step.clone().prop_map(Said::Skip),
        1 => step.clone().prop_map(Said::Retry),
        1 => Just(Said::Cancel),
        1 => step.clone().prop_map(Said::Spoil),
        1 => step.prop_map(Said::Mend),
        1 => Just(Said::Die),
    ]
}

/// Enough answers for a run to finish if there is no other input.
fn willing() -> Vec<Said> {
    let answer = |step, kind, variant| Said::Answer(step, kind, Print::Present, variant);
    let approvals = (0..STEPS.len()).map(|step| answer(step, QuestionKind::Approval, 1));
    let unknown = (0..STEPS.len()).map(|step| answer(step, QuestionKind::Unknown, 0));
    let skipped = (0..STEPS.len()).map(|step| answer(step, QuestionKind::SkippedDependency, 1));
    let permissions = [0, 1].map(|variant| answer(1, QuestionKind::Permission, variant));
    approvals
        .chain(unknown)
        .chain(skipped)
        .chain(permissions)
        .collect()
}

fn spoiled(step: usize) -> String {
    format!("Evil {}", TITLES[step])
}

fn to_event(said: &Said, world: &World) -> Option<Event> {
    Some(match said {
        Said::Answer(step, kind, print, variant) => {
            let task = STEPS[*step];
            let fingerprint = match print {
                Print::None => None,
                Print::Approved => print_in(WRITES, task),
                Print::Present => print_in(&world.plan, task),
            };
            let answer = match (kind, variant) {
                (QuestionKind::Permission, _) => Answer::Permission {
                    grant: [Grant::Once, Grant::Once, Grant::Run, Grant::No][usize::from(*variant)],
                    words: None,
                },
                (QuestionKind::Unknown, _) => Answer::Unknown {
                    how: Unknown::Check,
                },
                (QuestionKind::Failure, _) => Answer::Retry,
                (_, 0) => Answer::Skip {
                    reason: "no".to_owned(),
                },
                _ => Answer::Run,
            };
            let subject = ["make c", "test -f c"][usize::from(variant % 2)].to_owned();
            let request = PermissionRequest {
                subject,
                danger: None,
                ..make_c()
            };
            let permission = (*kind == QuestionKind::Permission).then_some(request);
            Event::Steer(Steer::Answer(GivenAnswer {
                permission,
                ..given(task, *kind, fingerprint, answer)
            }))
        }
        Said::Pause => Event::Steer(Steer::Pause),
        Said::Skip(step) => skip(STEPS[*step]),
        Said::Retry(step) => Event::Steer(Steer::Retry {
            task: STEPS[*step].to_owned(),
        }),
        Said::Cancel => Event::Cancel,
        Said::Spoil(_) | Said::Mend(_) | Said::Die => return None,
    })
}

/// Checks for a complete journal that everything that was carried out was allowed.
fn nothing_unapproved(journal: &[Entry]) {
    let mut approved = std::collections::BTreeSet::new();
    let mut state = State::replay(&journal[..1]).unwrap();
    for entry in &journal[1..] {
        match entry {
            Entry::Answered {
                task,
                question: QuestionKind::Approval,
                answer: Answer::Run,
                ..
            } => {
                approved.insert(task.clone());
            }
            Entry::TaskStarted { task, .. } => {
                assert!(
                    task == "T3" || approved.contains(task),
                    "{task} was not approved"
                );
            }
            Entry::Intended { task, line, .. } => {
                assert_eq!(
                    state.standing(&TaskId::from(task.as_str())),
                    Standing::Running
                );
                if line.starts_with("run_command") {
                    let known = &state.tasks[task];
                    let once = known.permitted == Some(make_c())
                        && matches!(
                            known.answers.get(&QuestionKind::Permission),
                            Some(Answer::Permission {
                                grant: Grant::Once | Grant::Run,
                                ..
                            })
                        );
                    assert!(
                        once || state.granted.contains(&make_c()),
                        "{line} was not allowed"
                    );
                }
            }
            _ => {}
        }
        state.apply(entry);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400.max(ProptestConfig::default().cases), ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_said_whenever(
        processes in prop::collection::vec((
            prop::bool::weighted(0.7),
            prop::collection::vec(said(), 0..6),
            prop::collection::vec((0..8_usize, said()), 0..10),
        ), 1..6),
        failing in prop::sample::subsequence(vec!["make c", "test -f c"], 0..=2),
    ) {
        let mut world = World::with_policy(WRITES, Policy::Each);
        let bare = || Config { sandboxed: false, ..World::config("{}") };
        world.failing = failing;
        let mut begun = Vec::new();
        for (is_willing, before, script) in processes {
            let willing = if is_willing { willing() } else { Vec::new() };
            let first = willing
                .iter()
                .chain(&before)
                .filter_map(|said| to_event(said, &world))
                // A process that is cancelled before it starts does nothing.
                .filter(|event| !matches!(event, Event::Cancel))
                .collect();
            let mut script: VecDeque<(usize, Said)> = script.into();
            let mut countdown = script.front().map_or(0, |(gap, _)| *gap);
            // The plan as last read by the machine.
            let mut read = world.plan.clone();
            let played = play(&mut world, bare(), first, |world, effect| {
                // Checks still run for work that was done before the step was changed.
                if let Effect::Perform { task, .. } = effect {
                    let step = STEPS.iter().position(|step| step == task).unwrap();
                    assert!(!read.contains(&spoiled(step)), "{task} was not covered");
                }
                let mut events = Vec::new();
                while countdown == 0 && let Some((_, said)) = script.pop_front() {
                    countdown = script.front().map_or(0, |(gap, _)| *gap);
                    match &said {
                        Said::Die => return None,
                        Said::Spoil(step) if !world.plan.contains(&spoiled(*step)) => {
                            world.plan = world.plan.replace(TITLES[*step], &spoiled(*step));
                        }
                        Said::Mend(step) => {
                            world.plan = world.plan.replace(&spoiled(*step), TITLES[*step]);
                        }
                        _ => {}
                    }
                    events.extend(to_event(&said, world));
                }
                countdown = countdown.saturating_sub(1);
                if matches!(effect, Effect::ReadPlan | Effect::EditPlan(_)) {
                    read.clone_from(&world.plan);
                }
                Some(events)
            });
            begun.extend(played.begun);
        }
        nothing_unapproved(&world.journal);
        // For every write and command that started, an intent was recorded before, and every intent
        // has a recorded outcome or is still waiting for the person's answer.
        let state = world.state();
        let count = |wanted: &dyn Fn(&Entry) -> bool| {
            world.journal.iter().filter(|entry| wanted(entry)).count()
        };
        let intended = count(&|entry| matches!(entry, Entry::Intended { .. }));
        prop_assert!(world.performed.len() <= intended);
        let reads = |task: &str| task == "T3";
        let settled = count(&|entry| {
            matches!(entry, Entry::Finished { task, .. } if !reads(task))
                || matches!(entry, Entry::Cleared { .. })
        });
        let open: usize = state.tasks.values().map(|task| task.intents.len()).sum();
        let left_out = count(&|entry| {
            matches!(entry, Entry::Skipped { reason, .. } if reason.contains("interrupted during"))
        });
        prop_assert_eq!(settled + open + left_out, intended);
        // A write that was completed is never repeated.
        let writes = |part: &str| world.performed.iter().filter(|line| line.contains(part)).count();
        prop_assert!(writes("\"a\"") <= 1 && writes("\"b\"") <= 1);
    }
}

/// A plan with a group that depends on a step and whose first part is skipped.
const GROUPED: &str = "\
# Send what was counted to the bank

## Tasks
- [ ] **T1** Count the money in the box
  - call: `run_command {\"command\": \"make count\"}`
- [ ] **T2** Send it to the bank
  - depends: T1
  - [ ] **T3** Call the bank before it is sent
    - by: person
  - [ ] **T4** Send the money that was counted
    - call: `run_command {\"command\": \"make pay\"}`
- [ ] **C1** Review the letter to the customers
  - type: checkpoint
  - option: Continue -> continue
  - option: No letter -> skip T5
- [ ] **T5** Tell the customers what was sent
  - [ ] **T6** Send the letter to the customers
    - call: `run_command {\"command\": \"make letter\"}`
";

#[test]
fn leaving_a_step_out_lets_nobody_jump_the_queue() {
    let mut world = World::new(GROUPED);
    world.failing.push("make count");
    world.journal.push(Entry::Skipped {
        task: "T3".to_owned(),
        reason: "no need".to_owned(),
        by: SkippedBy::Person,
    });
    for _ in 0..2 {
        world.play(World::config(r#"{"T4": "Run"}"#), Die::Never);
        assert!(
            world.performed.iter().all(|line| line.contains("count")),
            "{:?}",
            world.performed
        );
    }
}

#[test]
fn an_option_that_skips_a_group_skips_its_steps() {
    let mut world = World::new(GROUPED);
    let answers = r#"{"T3": {"done": true, "note": "signed"}, "C1": "No letter"}"#;
    let (ended, _) = world.play(World::config(answers), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
    assert_eq!(world.standing("T6"), Standing::Skipped(SkippedBy::Branch));
    assert!(!world.performed.iter().any(|line| line.contains("letter")));
}

#[test]
fn a_step_in_hand_waits_for_what_was_taken_back_before_it() {
    let mut world = World::new(WRITES);
    // T2 has started and is interrupted after its first call.
    let cut_off = (0..).find(|at| {
        let mut tried = World::new(WRITES);
        tried.play(World::config("{}"), Die::Before(*at));
        let begun = tried
            .state()
            .tasks
            .get("T2")
            .is_some_and(|task| !task.calls.is_empty());
        begun && tried.state().open_intents().next().is_none()
    });
    world.play(World::config("{}"), Die::Before(cut_off.unwrap()));
    let before = world.performed.len();
    world.journal.push(Entry::Undone {
        task: "T1".to_owned(),
        files: Vec::new(),
    });
    world.plan = WRITES.to_owned();
    let (ended, _) = world.play(World::config("{}"), Die::Never);
    assert_eq!(
        (ended, world.performed.len()),
        (Some(EndState::Waiting), before)
    );
    let (ended, _) = world.play(World::config(r#"{"T1": {"retry": true}}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
}

#[test]
fn a_run_is_not_done_while_a_step_in_hand_is_held_up() {
    let begun = |task: &str| Entry::TaskStarted {
        task: task.to_owned(),
        holds: Some(Vec::new()),
    };
    let mut world = World::new(GROUPED);
    let Some(Entry::Started(started)) = world.journal.first_mut() else {
        panic!("a run begins so")
    };
    started.parallel = 2;
    world.journal.push(begun("T4"));
    for task in ["T1", "T3", "C1", "T6"] {
        world.journal.push(Entry::Skipped {
            task: task.to_owned(),
            reason: "no need".to_owned(),
            by: SkippedBy::Person,
        });
    }
    let (ended, _) = world.play(World::config("{}"), Die::Never);
    assert_eq!((ended, world.performed.len()), (Some(EndState::Waiting), 0));
    let (ended, _) = world.play(World::config(r#"{"T4": "Run"}"#), Die::Never);
    assert_eq!((ended, world.performed.len()), (Some(EndState::Done), 1));
}
