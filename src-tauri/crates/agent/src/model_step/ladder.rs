//! What comes next in a step, from the replies so far: a call, a word to the model, another request, or
//! the end. For each kind of fault a first, a second and a third answer; what was tried is counted from
//! the replies themselves.

use plan::{Task, ToolName};

use super::entry::{FailureKind, Report, StepCall, StepReply};
use super::loops;
use super::request::{Offer, StepProfile};
use super::table;
use super::work::{Turn, Work};
use crate::model_tool::ModelTool;
use crate::repair::{FaultKind, Finish};
use crate::session::envelope::one_line;

/// Replies without a usable call, in a row, before the attempt ends.
const BARREN: usize = 4;
/// Replies in a row that a server cut.
const CUTS: usize = 3;
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
        call: StepCall,
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

/// What comes next, by the replies so far.
pub fn next(task: &Task, work: &Work) -> Next {
    if let Some(report) = &work.report {
        return Next::Claimed(report.clone());
    }
    let Some(last) = work.turns.last() else {
        return Next::Ask;
    };
    if let Some((position, call)) = last.open_call() {
        return Next::Call {
            number: last.first_call + position,
            call: call.clone(),
        };
    }
    if !last.told.is_empty() {
        return Next::Ask;
    }
    if last.has_results() {
        return after_calls(work, last);
    }
    after_words(task, work, last)
}

/// The calls were carried out or answered.
fn after_calls(work: &Work, last: &Turn) -> Next {
    if let Some(reason) = gave_up(work) {
        let kind = missing_or(work, FailureKind::GaveUp);
        return Next::Fail { kind, reason };
    }
    if loops::idle(work) >= loops::REPEATS {
        let kind = missing_or(work, FailureKind::Loop);
        let reason = "the same calls were made again and again".to_owned();
        return Next::Fail { kind, reason };
    }
    let circle = loops::circle(work).map(|circle| circle.join(", "));
    let is_warned = work.turns.iter().any(|turn| {
        let mut told = turn.told.iter();
        told.any(|words| words.contains(CIRCLE))
    });
    if let Some(circle) = circle.as_ref().filter(|_| is_warned) {
        let kind = FailureKind::Loop;
        let reason = format!("the model goes round in a circle: {circle}");
        return Next::Fail { kind, reason };
    }
    if work.turns.len() >= MAX_REQUESTS {
        let kind = FailureKind::Cap;
        let reason = format!("{MAX_REQUESTS} requests were made for this step");
        return Next::Fail { kind, reason };
    }
    // Calls that could not be read stand beside those that could.
    let faults = last.reply.faults.iter();
    let mut words: Vec<String> = faults.map(|fault| fault.message.clone()).collect();
    words.extend(circle.map(|circle| {
        let circle = one_line(&circle, 400);
        format!("{CIRCLE}, with the same results: {circle}. Choose another action.")
    }));
    match words.is_empty() {
        true => Next::Ask,
        false => Next::Tell(words.join("\n")),
    }
}

/// How a model is told that it goes round in a circle; the next round ends the attempt.
const CIRCLE: &str = "You make the same calls in turn";

/// A reply of which nothing could be carried out.
fn after_words(task: &Task, work: &Work, last: &Turn) -> Next {
    let reply = &last.reply;
    let barren = work.barren();
    match reply.finish {
        Finish::ContentFilter => {
            return Next::Fail {
                kind: FailureKind::Format,
                reason: "the provider's content filter stopped the reply".to_owned(),
            };
        }
        Finish::Cut if barren < CUTS => return Next::Ask,
        Finish::Cut => {
            return Next::Fail {
                kind: FailureKind::Server,
                reason: "the replies broke off before their end".to_owned(),
            };
        }
        Finish::Length if barren < BARREN => return Next::Tell(TOO_LONG.to_owned()),
        Finish::Length | Finish::Stop | Finish::ToolCalls => {}
    }
    let is_reminder = is_words(reply) && has_work_to_report(task, work);
    if barren >= BARREN || work.turns.len() >= MAX_REQUESTS {
        if is_reminder {
            return Next::Infer;
        }
        return Next::Fail {
            kind: FailureKind::Format,
            reason: format!("{barren} replies in a row held no call that could be made"),
        };
    }
    Next::Tell(words_for(work, reply, is_reminder))
}

/// Whether words in place of a report are likely an end that was not reported: after a change or a
/// command, and, in a step that is to change nothing, after a look.
fn has_work_to_report(task: &Task, work: &Work) -> bool {
    work.has_effects() || (!table::is_to_change(task) && work.performed().any(|(_, r)| r.ok))
}

const TOO_LONG: &str = "Your reply ran into its limit and nothing of it was used. Make one call with \
                        less in it: change a part of the file with edit_file, not the whole.";

fn is_words(reply: &StepReply) -> bool {
    reply
        .faults
        .iter()
        .all(|fault| fault.kind == FaultKind::NoCall)
        && !reply.text.trim().is_empty()
}

fn words_for(work: &Work, reply: &StepReply, is_reminder: bool) -> String {
    if is_reminder {
        return "That is not the end of the step. Call report_progress with a summary and done true or \
                false, or make the next call."
            .to_owned();
    }
    let kinds: Vec<FaultKind> = reply.faults.iter().map(|fault| fault.kind).collect();
    if kinds.contains(&FaultKind::ReasoningOnly) {
        return "You only thought. Answer with one call now.".to_owned();
    }
    if kinds.contains(&FaultKind::Empty) || (kinds.is_empty() && reply.text.trim().is_empty()) {
        return match work.barren() {
            1 => "Your reply was empty. Answer with one call.".to_owned(),
            _ => "Empty again. Answer with exactly one call, for example read_file.".to_owned(),
        };
    }
    let messages: Vec<&str> = reply
        .faults
        .iter()
        .map(|fault| fault.message.as_str())
        .collect();
    if messages.is_empty() {
        return "Words change nothing here. Answer with one call of a tool.".to_owned();
    }
    messages.join("\n")
}

/// Twice in a row the model reported that it is not done, and did nothing between.
fn gave_up(work: &Work) -> Option<String> {
    let reports: Vec<&StepCall> = work
        .turns
        .iter()
        .rev()
        .map_while(|turn| {
            let only = turn.reply.calls.iter().all(StepCall::is_report);
            turn.reply.calls.last().filter(|_| only)
        })
        .collect();
    let not_done = |call: &&&StepCall| call.arguments.get("done") == Some(&false.into());
    let given_up = reports.iter().take_while(not_done).count();
    (given_up >= 2).then(|| {
        let summary = reports
            .first()
            .and_then(|call| call.arguments.get("summary"))
            .and_then(|summary| summary.as_str())
            .unwrap_or_default();
        format!("the model says that it cannot: {summary}")
    })
}

/// What lies behind an attempt that came to nothing: something that is not there, where the calls were
/// refused for that.
fn missing_or(work: &Work, kind: FailureKind) -> FailureKind {
    const MARKS: [&str; 3] = ["there is no `", "does not contain old_text", "No such file"];
    let failed: Vec<_> = work.performed().filter(|(_, result)| !result.ok).collect();
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
    let barren = work.barren();
    let Some(last) = work.turns.last() else {
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
        0 => loops::stuck(work).map_or(Offer::All, Offer::AllBut),
        1 => Offer::All,
        2 if wants_report => Offer::Only(ModelTool::ReportProgress),
        2 if profile.can_be_held_to_calls => Offer::OneCall,
        // A call that was damaged needs another form, not fewer tools.
        2 if is_unspecific => Offer::Only(likely(task, work, last, profile)),
        _ if profile.can_be_held_to_a_schema => Offer::Schema,
        _ if wants_report => Offer::Only(ModelTool::ReportProgress),
        _ if profile.can_be_held_to_calls => Offer::OneCall,
        _ if is_unspecific => Offer::Only(likely(task, work, last, profile)),
        _ => Offer::OneCall,
    }
}

/// Whether one of the replies since the last call was nothing but thinking.
pub fn thought_only(work: &Work) -> bool {
    let barren = work.turns.iter().rev().take(work.barren());
    let mut faults = barren.flat_map(|turn| &turn.reply.faults);
    faults.any(|fault| fault.kind == FaultKind::ReasoningOnly)
}

/// The tool that most likely comes next, for a request that offers one alone: the one that the model
/// speaks of, else a look before a change and a change after it, else the report. Never one that takes
/// something away.
fn likely(task: &Task, work: &Work, last: &Turn, profile: &StepProfile) -> ModelTool {
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
    let has_looked = work.performed().any(|(_, result)| result.ok);
    let usual = match (has_looked, table::is_to_change(task)) {
        (false, _) if task.files.is_empty() => of(&[SearchFiles, ListFiles, ReadFile, RunCommand]),
        (false, _) => of(&[ReadFile]),
        (true, true) if work.has_effects() => None,
        (true, true) if profile.writes_whole_files => of(&[WriteFile, EditFile]),
        (true, true) => of(&[EditFile, WriteFile]),
        (true, false) => None,
    };
    of(&spoken).or(usual).unwrap_or(ModelTool::ReportProgress)
}
