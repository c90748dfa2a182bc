//! Chooses the next action in a step from the replies so far: a call, a message to the model,
//! another request, or the end of the step. The responses to each kind of fault escalate; attempts
//! are counted from the replies themselves.

use gate::path::workspace_path;
use plan::{Task, ToolName};

use super::act;
use super::entry::{FailureKind, Report};
use super::request::{Offer, StepProfile};
use super::step_tools;
use super::work::Work;
use crate::context::Target;
use crate::model_tool::ModelTool;
use crate::turn::{self, Bounds, Call, FaultKind, Finish, Reply, Round, Stop, loops};

/// The default for the maximum number of requests in one attempt.
pub const MAX_REQUESTS: usize = 30;

/// Maximum number of calls that another agent may make in one attempt.
const MAX_AGENT_CALLS: usize = 300;

/// The next action.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// Carry out this call of the last reply.
    Call {
        /// The call's number in the step.
        number: usize,
        /// The call to carry out.
        call: Call,
    },
    /// Send this message to the model with the next request.
    Tell(String),
    /// Send the next request to the model.
    Ask,
    /// The model claims that the step is done.
    Claimed(Report),
    /// Infer a report from the results of the step, because the model didn't make one.
    Infer,
    /// The attempt failed.
    Fail {
        /// The kind of failure.
        kind: FailureKind,
        /// The reason in one sentence.
        reason: String,
    },
}

const BOUNDS: Bounds = Bounds {
    barren: 4,
    cuts: 3,
    idle: 3,
    requests: MAX_REQUESTS,
    wants_call: true,
};

/// Chooses the next action from the replies so far. If `is_small` is true, the step's check runs
/// after each change, since a small model often doesn't notice that the step is done.
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
    // A change that hasn't been checked yet may be all that the step needs.
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

/// Chooses the next action for another agent, which has its own loop: carry out its next call or
/// accept its report. If its turn ended without a report, it is asked to continue.
pub fn after_agent(work: &Work) -> Next {
    if let Some(report) = &work.report {
        return Next::Claimed(report.clone());
    }
    let Some(last) = work.rounds.last() else {
        return Next::Ask;
    };
    if let Some((position, call)) = last.open_call() {
        let number = last.first_call + position;
        let call = call.clone();
        return Next::Call { number, call };
    }
    match work.rounds.all().len() < MAX_AGENT_CALLS {
        true => Next::Ask,
        false => Next::Fail {
            kind: FailureKind::Cap,
            reason: format!("not finished after {MAX_AGENT_CALLS} changes"),
        },
    }
}

/// Chooses the next action when the model is asked for one change to one file at a time.
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
        let (kind, reason) = (FailureKind::Server, "the model's replies were cut off");
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
            reason: format!("tried {} changes, but the check never passed", rounds.len()),
        },
        false => Next::Fail {
            kind: FailureKind::Format,
            reason: format!("{} replies in a row changed nothing", rounds.len()),
        },
    }
}

/// Whether every file in `files:` that the step's title mentions was changed.
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

/// Whether text without a report probably means that the model has finished: it comes after a
/// change or a command or, in a read-only step, after reading something.
fn has_work_to_report(task: &Task, work: &Work) -> bool {
    work.rounds.has_effects()
        || (!step_tools::is_edit(task) && work.rounds.performed().any(|(_, r)| r.ok))
}

fn is_words(reply: &Reply) -> bool {
    reply
        .faults
        .iter()
        .all(|fault| fault.kind == FaultKind::NoCall)
        && !reply.text.trim().is_empty()
}

/// Detects two reports in a row that the step isn't done, without any work between them.
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
        format!("the model gave up: {}", summary.unwrap_or_default())
    })
}

/// The kind of failure of an attempt: `NotFound` if the last failed call looked for a missing file
/// or text, otherwise `kind`.
fn missing_or(work: &Work, kind: FailureKind) -> FailureKind {
    const MARKS: [&str; 3] = [
        "no such file or folder: `",
        "does not contain old_text",
        "No such file",
    ];
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

/// The allowed content of the next reply. It gets narrower with each unusable reply in a row.
pub fn offer(task: &Task, work: &Work, profile: &StepProfile) -> Offer {
    let barren = work.rounds.barren();
    let tools = step_tools::for_step(task);
    if profile.is_schema_bound {
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
        2 if profile.can_force_calls => Offer::OneCall,
        // A damaged call calls for a different form, not for fewer tools.
        2 if is_unspecific => Offer::Only(likely(task, work, last, profile)),
        _ if profile.can_force_schema => Offer::Schema(tools),
        _ if wants_report => Offer::Only(ModelTool::ReportProgress),
        _ if profile.can_force_calls => Offer::OneCall,
        _ if is_unspecific => Offer::Only(likely(task, work, last, profile)),
        _ => Offer::OneCall,
    }
}

/// Whether a reply after the last call contained only the model's thinking.
pub fn thought_only(work: &Work) -> bool {
    let barren = work.rounds.all().iter().rev().take(work.rounds.barren());
    let mut faults = barren.flat_map(|round| &round.reply.faults);
    faults.any(|fault| fault.kind == FaultKind::ReasoningOnly)
}

/// The most likely next tool, for a request that offers only one tool. This is the tool that the
/// model mentions; otherwise, a tool that reads if nothing was read yet, a tool that changes
/// something after that, or the report. Never a tool that deletes.
fn likely(task: &Task, work: &Work, last: &Round, profile: &StepProfile) -> ModelTool {
    use ToolName::{EditFile, ListFiles, ReadFile, RunCommand, SearchFiles, WriteFile};
    let tools = step_tools::for_step(task);
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
    let usual = match (has_looked, step_tools::is_edit(task)) {
        (false, _) if task.files.is_empty() => of(&[SearchFiles, ListFiles, ReadFile, RunCommand]),
        (false, _) => of(&[ReadFile]),
        (true, true) if work.rounds.has_effects() => None,
        (true, true) if profile.writes_whole_files => of(&[WriteFile, EditFile]),
        (true, true) => of(&[EditFile, WriteFile]),
        (true, false) => None,
    };
    of(&spoken).or(usual).unwrap_or(ModelTool::ReportProgress)
}
