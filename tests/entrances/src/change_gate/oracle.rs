//! The rules for the gate for changes, based on what Planwright promises and independent of its
//! code.
//!
//! A change is allowed only if it is to a file that the current step of the approved text names, or
//! if the person allowed exactly this file or command, once or for the whole run. Files that no
//! call may write are never allowed. While a plan governs the conversation, every change gets an
//! answer. If the person refuses with a message, the agent gets it word for word.

use super::Held;
use super::person::Reply;

/// The target of an agent's event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A file.
    File(Place),
    /// Any files, changed by this command line.
    Command(String),
    /// None: the event only reads, or ends a turn.
    Nothing,
    /// None that matters: the event is from another conversation, which no plan governs.
    Other,
}

impl Target {
    /// Whether the gate has to answer.
    pub fn is_change(&self) -> bool {
        matches!(self, Self::File(_) | Self::Command(_))
    }
}

/// Where a path leads, after resolving links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A file in the project, as a path relative to it.
    Project(String),
    /// A file that no call may write.
    Protected,
    /// Outside the project.
    Outside,
}

/// The answer that the agent got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The change may be made.
    Allowed,
    /// The change may not be made, for this reason.
    Refused(String),
    /// No answer.
    None,
}

/// An event of the agent with its answer, and the person's decisions before and during it.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The target of the event.
    pub target: Target,
    /// The plan that governed the conversation before the event.
    pub held: Option<Held>,
    /// The person's answers while the event waited, to this event or a concurrent one.
    pub replies: Vec<Reply>,
    /// Whether the person closed the window while the event waited.
    pub is_closed: bool,
    /// The answer to the event.
    pub answer: Answer,
}

/// The violations among concurrent events.
pub fn judge(seen: &[Seen]) -> Vec<String> {
    let mut violations: Vec<String> = seen.iter().filter_map(violation).collect();
    if let [alone] = seen {
        violations.extend(changed_words(alone));
    }
    let allowed = seen.iter().filter(|one| one.answer == Answer::Allowed);
    let once: usize = seen.first().map_or(0, |first| {
        let replies = first.replies.iter();
        replies.filter(|reply| reply.choice == "once").count()
    });
    let on_once = allowed.filter(|one| !is_covered(one) && !is_for_the_run(one));
    if on_once.count() > once {
        violations.push(format!("one yes allowed two changes: {seen:?}"));
    }
    violations
}

fn violation(seen: &Seen) -> Option<String> {
    let is_live = seen.held.as_ref().is_some_and(Held::is_live);
    let wrong = |what: &str| Some(format!("{what}: {seen:?}"));
    match &seen.answer {
        Answer::None if is_live && seen.target.is_change() => {
            let ends = ends_meanwhile(seen);
            match ends {
                true => None,
                false => wrong("a change was left without an answer"),
            }
        }
        Answer::None => None,
        Answer::Refused(reason) if reason.trim().is_empty() => wrong("a refusal has no reason"),
        Answer::Refused(_) => None,
        Answer::Allowed if !seen.target.is_change() => wrong("what changes nothing was allowed"),
        Answer::Allowed if seen.held.as_ref().is_none_or(Held::has_ended) => {
            wrong("allowed without an approved plan")
        }
        Answer::Allowed if is_forbidden(seen) => wrong("a protected file was allowed"),
        Answer::Allowed if is_covered(seen) || is_for_the_run(seen) || is_once(seen) => None,
        Answer::Allowed => wrong("nobody allowed it"),
    }
}

/// A violation if the person's only answer refuses this call, but the agent got a different
/// message.
fn changed_words(seen: &Seen) -> Option<String> {
    let (Answer::Refused(reason), [reply], false) =
        (&seen.answer, seen.replies.as_slice(), seen.is_closed)
    else {
        return None;
    };
    let is_it = reply.choice == "no" && names(seen, reply);
    let words = reply
        .words
        .as_ref()
        .filter(|words| is_it && *words != reason)?;
    Some(format!("“{words}” didn't arrive as it is: {seen:?}"))
}

fn is_forbidden(seen: &Seen) -> bool {
    matches!(seen.target, Target::File(Place::Protected | Place::Outside))
}

/// Whether the current step names the file: the first step that the person hasn't marked, at any
/// point while the event waited.
fn is_covered(seen: &Seen) -> bool {
    let (Some(held), Target::File(Place::Project(file))) = (&seen.held, &seen.target) else {
        return false;
    };
    let mut states = vec![held.clone()];
    for reply in &seen.replies {
        let mut next = states[states.len() - 1].clone();
        reply.apply(&mut next);
        states.push(next);
    }
    let current = states.iter().filter(|state| !state.is_stopped);
    let mut files = current.flat_map(|state| {
        let steps = state.steps.iter().enumerate();
        let open = steps.filter(|(at, _)| !state.ended.contains(at));
        open.take(1 + state.may_end)
    });
    files.any(|(_, files)| files.contains(file))
}

/// Whether the person allowed it for the whole run, earlier or while the event waited.
fn is_for_the_run(seen: &Seen) -> bool {
    let before = seen.held.iter().flat_map(|held| &held.always);
    let run = seen.replies.iter().filter(|reply| reply.choice == "run");
    let meanwhile = run.filter_map(|reply| reply.subject.as_ref());
    let mut subjects = before.chain(meanwhile);
    subjects.any(|subject| is_about(&seen.target, subject))
}

fn is_once(seen: &Seen) -> bool {
    let mut once = seen.replies.iter().filter(|reply| reply.choice == "once");
    once.any(|reply| names(seen, reply))
}

fn names(seen: &Seen, reply: &Reply) -> bool {
    let subject = reply.subject.as_ref();
    subject.is_some_and(|subject| is_about(&seen.target, subject))
}

fn is_about(target: &Target, subject: &str) -> bool {
    match target {
        Target::File(Place::Project(file)) => file == subject,
        Target::Command(line) => line == subject,
        _ => false,
    }
}

/// Whether the plan may have stopped governing the conversation while the event waited.
fn ends_meanwhile(seen: &Seen) -> bool {
    let Some(mut held) = seen.held.clone() else {
        return true;
    };
    seen.replies.iter().for_each(|reply| reply.apply(&mut held));
    !held.is_live()
}

impl Held {
    /// Whether the plan has certainly ended.
    fn has_ended(&self) -> bool {
        self.is_discarded || self.ended.len() >= self.steps.len()
    }

    /// Whether the plan certainly still governs the conversation.
    fn is_live(&self) -> bool {
        !self.is_discarded && self.ended.len() + self.may_end < self.steps.len()
    }
}
