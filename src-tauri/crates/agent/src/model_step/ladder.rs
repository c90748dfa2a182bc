//! What comes next in a step, from the replies so far: a call, a word to the model, another request, or
//! the end. For each kind of fault a first, a second and a third answer; what was tried is counted from
//! the replies themselves.

use gate::path::workspace_path;
use plan::{Task, ToolName};

use super::act;
use super::entry::{FailureKind, Report};
use super::request::{Offer, StepProfile};
use super::table;
use super::work::Work;
use crate::context::Target;
use crate::model_tool::ModelTool;
use crate::turn::{self, Bounds, Call, FaultKind, Finish, Reply, Round, Stop, loops};

/// Requests of one attempt, where nothing else is said.
pub const MAX_REQUESTS: usize = 30;

/// What comes next.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// This call of the last reply is to be carried out.
    Call {
        /// Its number in the step.
        number: usize,
        /// The call.
        call: Call,
    },
    /// The model is told this, then asked.
    Tell(String),
    /// The model is asked.
    Ask,
    /// The model claims that the step is done.
    Claimed(Report),
    /// No report is to be had for work that was done: one is made from what is known.
    Infer,
    /// The attempt failed.
    Fail {
        /// As what.
        kind: FailureKind,
        /// One sentence.
        reason: String,
    },
}

/// How far one attempt goes.
const BOUNDS: Bounds = Bounds {
    barren: 4,
    cuts: 3,
    idle: 3,
    requests: MAX_REQUESTS,
    wants_call: true,
};

/// What comes next, by the replies so far. `is_small`: the check of a model's step is run after each
/// change, since such a model often does not know that it is done.
pub fn next(task: &Task, work: &Work, is_small: bool) -> Next {
    if let Some(report) = &work.report {
        return Next::Claimed(report.clone());
    }
    let targets = act::of(work);
    if !targets.is_empty() {
        return after_act(work, targets);
    }
    let next = turn::next(&work.rounds, &BOUNDS);
    if let turn::Next::Call { number, call } = next {
        let call = call.clone();
        return Next::Call { number, call };
    }
    let Some(last) = work.rounds.last().filter(|last| last.told.is_empty()) else {
        return Next::Ask;
    };
    if let Some(reason) = gave_up(work) {
        let kind = missing_or(work, FailureKind::GaveUp);
        return Next::Fail { kind, reason };
    }
    let is_said = last.reply.finish.is_whole() && is_words(&last.reply);
    let is_reminder = is_said && !last.has_results() && has_work_to_report(task, work);
    // What was changed and not checked yet may be all that the step wants.
    let is_untried = !task.verify.is_empty() && work.has_untried_change();
    match next {
        turn::Next::Ask
            if is_small && is_untried && last.has_results() && has_changed_all(task, work) =>
        {
            Next::Infer
        }
        turn::Next::Stop {
            stop: Stop::Barren | Stop::Cap | Stop::Loop,
            ..
        } if is_untried && work.replies_rejected == 0 => Next::Infer,
        turn::Next::Tell(_) if is_reminder => Next::Tell(REMINDER.to_owned()),
        turn::Next::Tell(message) => Next::Tell(message),
        turn::Next::Stop {
            stop: Stop::Barren | Stop::Cap,
            ..
        } if is_reminder && work.claims == 0 => Next::Infer,
        turn::Next::Stop { stop, reason } => Next::Fail {
            kind: match stop {
                Stop::Cut if last.reply.finish == Finish::Cut => FailureKind::Server,
                Stop::Cut | Stop::Filter | Stop::Barren => FailureKind::Format,
                Stop::Loop => missing_or(work, FailureKind::Loop),
                Stop::Cap => missing_or(work, FailureKind::Cap),
            },
            reason,
        },
        turn::Next::Call { .. } | turn::Next::Ask | turn::Next::Words => Next::Ask,
    }
}

/// What comes next where one change of one file is asked for at a time.
fn after_act(work: &Work, targets: &[Target]) -> Next {
    let rounds = work.rounds.all();
    let Some(last) = rounds.last() else {
        return Next::Ask;
    };
    if let Some((position, call)) = last.open_call() {
        let number = last.first_call + position;
        let call = call.clone();
        return Next::Call { number, call };
    }
    let cuts = rounds.iter().rev();
    let cuts = cuts.take_while(|round| round.reply.finish == Finish::Cut);
    if cuts.count() >= BOUNDS.cuts {
        let (kind, reason) = (
            FailureKind::Server,
            "the replies broke off before their end",
        );
        return Next::Fail {
            kind,
            reason: reason.to_owned(),
        };
    }
    let is_over = act::is_round_over(targets, rounds.len()) && last.told.is_empty();
    if is_over && work.has_untried_change() {
        return Next::Infer;
    }
    if rounds.len() < act::max_replies(targets) {
        return Next::Ask;
    }
    match work.rounds.has_effects() {
        true => Next::Fail {
            kind: FailureKind::Check,
            reason: format!(
                "{} changes were tried, and its check passed after none",
                rounds.len()
            ),
        },
        false => Next::Fail {
            kind: FailureKind::Format,
            reason: format!("{} replies in a row made no change", rounds.len()),
        },
    }
}

/// Whether each file that the step's own words name was changed.
fn has_changed_all(task: &Task, work: &Work) -> bool {
    let changed: Vec<&str> = work
        .rounds
        .performed()
        .filter(|(call, result)| result.ok && turn::rounds::changes(call))
        .filter_map(|(call, _)| call.text("path"))
        .collect();
    let named = task
        .files
        .iter()
        .filter(|path| task.title.contains(path.as_str()));
    let mut named = named.map(|path| workspace_path(path));
    named.all(|path| {
        changed
            .iter()
            .any(|changed| workspace_path(changed) == path)
    })
}

const REMINDER: &str = "That is not the end of the step. Call report_progress with a summary and done true \
                        or false, or make the next call.";

/// Whether words in place of a report are likely an end that was not reported: after a change or a
/// command, and, in a step that is to change nothing, after a look.
fn has_work_to_report(task: &Task, work: &Work) -> bool {
    work.rounds.has_effects()
        || (!table::is_to_change(task) && work.rounds.performed().any(|(_, r)| r.ok))
}

fn is_words(reply: &Reply) -> bool {
    reply
        .faults
        .iter()
        .all(|fault| fault.kind == FaultKind::NoCall)
        && !reply.text.trim().is_empty()
}

/// Twice in a row the model reported that it is not done, and did nothing between.
fn gave_up(work: &Work) -> Option<String> {
    let reports: Vec<&Call> = work
        .rounds
        .all()
        .iter()
        .rev()
        .map_while(|round| {
            let only = round.reply.calls.iter().all(Call::is_report);
            round.reply.calls.last().filter(|_| only)
        })
        .collect();
    let not_done = |call: &&&Call| call.arguments.get("done") == Some(&false.into());
    let given_up = reports.iter().take_while(not_done).count();
    (given_up >= 2).then(|| {
        let summary = reports.first().and_then(|call| call.text("summary"));
        format!(
            "the model says that it cannot: {}",
            summary.unwrap_or_default()
        )
    })
}

/// What lies behind an attempt that came to nothing: something that is not there, where the calls were
/// refused for that.
fn missing_or(work: &Work, kind: FailureKind) -> FailureKind {
    const MARKS: [&str; 3] = ["there is no `", "does not contain old_text", "No such file"];
    let failed: Vec<_> = work
        .rounds
        .performed()
        .filter(|(_, result)| !result.ok)
        .collect();
    let last = failed.last();
    match last {
        Some((_, result)) if MARKS.iter().any(|mark| result.content.contains(mark)) => {
            FailureKind::NotFound
        }
        _ => kind,
    }
}

/// What the next reply may be: the more replies in a row could not be used, the narrower.
pub fn offer(task: &Task, work: &Work, profile: &StepProfile) -> Offer {
    let barren = work.rounds.barren();
    let tools = table::of_step(task);
    if profile.is_held {
        let stuck = loops::stuck(&work.rounds);
        let but = tools.into_iter().filter(|tool| Some(*tool) != stuck);
        return Offer::Schema(but.collect());
    }
    let Some(last) = work.rounds.last() else {
        return Offer::All;
    };
    let is_unspecific = last.reply.faults.iter().all(|fault| {
        let kind = fault.kind;
        matches!(
            kind,
            FaultKind::NoCall | FaultKind::Empty | FaultKind::ReasoningOnly
        )
    });
    let wants_report = is_words(&last.reply) && has_work_to_report(task, work);
    match barren {
        0 => loops::stuck(&work.rounds).map_or(Offer::All, Offer::AllBut),
        1 => Offer::All,
        2 if wants_report => Offer::Only(ModelTool::ReportProgress),
        2 if profile.can_be_held_to_calls => Offer::OneCall,
        // A call that was damaged needs another form, not fewer tools.
        2 if is_unspecific => Offer::Only(likely(task, work, last, profile)),
        _ if profile.can_be_held_to_a_schema => Offer::Schema(tools),
        _ if wants_report => Offer::Only(ModelTool::ReportProgress),
        _ if profile.can_be_held_to_calls => Offer::OneCall,
        _ if is_unspecific => Offer::Only(likely(task, work, last, profile)),
        _ => Offer::OneCall,
    }
}

/// Whether one of the replies since the last call was nothing but thinking.
pub fn thought_only(work: &Work) -> bool {
    let barren = work.rounds.all().iter().rev().take(work.rounds.barren());
    let mut faults = barren.flat_map(|round| &round.reply.faults);
    faults.any(|fault| fault.kind == FaultKind::ReasoningOnly)
}

/// The tool that most likely comes next, for a request that offers one alone: the one that the model
/// speaks of, else a look before a change and a change after it, else the report. Never one that takes
/// something away.
fn likely(task: &Task, work: &Work, last: &Round, profile: &StepProfile) -> ModelTool {
    use ToolName::{EditFile, ListFiles, ReadFile, RunCommand, SearchFiles, WriteFile};
    let tools = table::of_step(task);
    let has = |tool: &ToolName| tools.contains(&ModelTool::Workspace(*tool));
    let of = |wanted: &[ToolName]| wanted.iter().copied().find(has).map(ModelTool::Workspace);
    let all = [
        ReadFile,
        SearchFiles,
        ListFiles,
        EditFile,
        WriteFile,
        RunCommand,
    ];
    let spoken = all
        .iter()
        .filter(|tool| last.reply.text.contains(tool.as_str()));
    let spoken: Vec<ToolName> = spoken.copied().collect();
    let has_looked = work.rounds.performed().any(|(_, result)| result.ok);
    let usual = match (has_looked, table::is_to_change(task)) {
        (false, _) if task.files.is_empty() => of(&[SearchFiles, ListFiles, ReadFile, RunCommand]),
        (false, _) => of(&[ReadFile]),
        (true, true) if work.rounds.has_effects() => None,
        (true, true) if profile.writes_whole_files => of(&[WriteFile, EditFile]),
        (true, true) => of(&[EditFile, WriteFile]),
        (true, false) => None,
    };
    of(&spoken).or(usual).unwrap_or(ModelTool::ReportProgress)
}
