//! Answers to a run's questions: matched to the question on screen, or rejected.

use std::path::Path;
use std::sync::Arc;

use agent::run::scope;
use gate::answers::{Answer, Grant, Unknown};
use gate::policy;
use gate::question::{PermissionRequest, Question, QuestionKind, label};
use plan::{By, TaskId, TaskKind};
use store::{MatchKind, NewPermission};

use crate::run_views::{RunRead, permission};
use crate::wire::{AnswerRequest, GivenAnswer as Given, RuleOffer};
use crate::{Desktop, Shared};
use workbench::error::{Code, Error, Result};
use workbench::{GivenAnswer, Steer};

impl Desktop {
    /// Answers a question of a run. The answer applies to the step as it was on screen.
    ///
    /// # Errors
    /// [`Code::NotCovered`] if the step has changed; the question stays open. [`Code::Usage`] if
    /// there is no such question, or the answer doesn't fit it. [`Code::PlanIsRunning`] if another
    /// process is carrying out the run.
    pub fn answer(&self, request: AnswerRequest) -> Result<()> {
        let carried = self.shared.carried(&request.run)?;
        self.shared.here(&carried)?;
        let read = self.shared.read_run(&carried.run)?;
        let question = asked(&read, &request)?;
        let seen = is_as_seen(&read, &question, &request)?;
        let rule = match &request.answer {
            Given::AllowAlways { rule } => Some(offered(&self.shared, &read, &question, rule)?),
            _ => None,
        };
        let said = said(&read, &question, request, seen)?;
        if let Some(rule) = rule {
            self.shared.allow_always(&read, &question, &rule)?;
        }
        self.shared.take_up(&carried, said, false)?;
        self.shared.run_changed(&carried);
        Ok(())
    }
}

impl Shared {
    /// Stores the rule exactly as shown.
    fn allow_always(
        self: &Arc<Self>,
        read: &RunRead,
        question: &Question,
        rule: &RuleOffer,
    ) -> Result<()> {
        let Some(request) = &question.permission else {
            return Ok(());
        };
        let workbench = self.workbench();
        // A workspace's rules are stored under its path with symlinks resolved.
        let workspace = workbench.open_workspace(Path::new(&read.row.workspace))?;
        workbench.store.permissions().add(&NewPermission {
            workspace: &workspace.path().display().to_string(),
            tool: &request.tool,
            match_kind: match rule.kind.as_str() {
                "prefix" => MatchKind::Prefix,
                _ => MatchKind::Exact,
            },
            text: &rule.text,
            answer: "allow",
            at_ms: workbench.clock.now_ms(),
        })?;
        Ok(())
    }
}

/// The question that the answer is for.
fn asked(read: &RunRead, request: &AnswerRequest) -> Result<Question> {
    let questions = read.questions();
    let found = questions
        .into_iter()
        .find(|asked| asked.task == request.task && asked.question.as_str() == request.kind);
    found.ok_or_else(|| {
        err!(Usage:
        "this question about {} is closed: it was answered, or the run has moved on", request.task)
    })
}

/// Rejects an answer if the step has changed, or if the answer is to an earlier question. Returns
/// the fingerprint that was on screen.
fn is_as_seen(
    read: &RunRead,
    question: &Question,
    request: &AnswerRequest,
) -> Result<Option<String>> {
    let refused = |message: String| Err(Error::new(Code::NotCovered, message));
    let task = &request.task;
    let seen = request.fingerprint.as_deref();
    let Some((print, number)) = seen.and_then(|seen| seen.rsplit_once('.')) else {
        return refused(format!(
            "the answer doesn't say which question of {task} it is for, so it wasn't used"
        ));
    };
    let token = read.token(question);
    let now = token.rsplit_once('.');
    if now.is_none_or(|(_, now)| now != number) {
        return refused(format!(
            "{task} now has a different question, so your answer wasn't used. Read it, then answer"
        ));
    }
    let now = read.fingerprint(task);
    if !print.is_empty() && now.as_deref() != Some(print) {
        return refused(format!(
            "{task} has changed since you were asked, so your answer wasn't used. Read the step again, then answer"
        ));
    }
    Ok(Some(print.to_owned()).filter(|print| !print.is_empty()))
}

/// The rule, if it is among those offered.
fn offered(
    shared: &Arc<Shared>,
    read: &RunRead,
    question: &Question,
    rule: &RuleOffer,
) -> Result<RuleOffer> {
    let request = question.permission.as_ref();
    let offers = request.map(|request| permission::offers(shared, read, request));
    let is_offered = offers.is_some_and(|offers| offers.contains(rule));
    is_offered.then(|| rule.clone()).ok_or_else(|| {
        err!(Usage:
        "this rule wasn't offered, so nothing was allowed")
    })
}

/// Converts an answer to input for the run.
fn said(
    read: &RunRead,
    question: &Question,
    request: AnswerRequest,
    seen: Option<String>,
) -> Result<Vec<Steer>> {
    let is_unknown = question.question == QuestionKind::Unknown;
    let is_permission = question.question.is_about_request();
    let grant = |grant: Grant, words: Option<String>| Answer::Permission { grant, words };
    let unknown = |how: Unknown| Answer::Unknown { how };
    let mut further = Vec::new();
    let answer = match request.answer {
        Given::Done { note } => Answer::Done {
            note: note.filter(|note| !note.trim().is_empty()),
        },
        Given::Choice { label, note } => {
            let note = note.filter(|note| !note.trim().is_empty());
            Answer::Choice { label, note }
        }
        Given::Run { upto } => {
            if let Some(upto) = upto {
                further = up_to(read, &question.task, &upto)?;
            }
            Answer::Run
        }
        Given::Reason { text } => Answer::Reason { reason: text },
        Given::Skip { .. } if is_unknown => unknown(Unknown::Skip),
        Given::Skip { reason } if reason.trim().is_empty() => {
            return Err(err!(Usage: "enter a reason to skip {}", question.task));
        }
        Given::Skip { reason } if is_permission => {
            let task = question.task.clone();
            return Ok(vec![Steer::Skip { task, reason }]);
        }
        Given::Skip { reason } => Answer::Skip { reason },
        Given::Retry => Answer::Retry,
        Given::Stop => Answer::Stop,
        Given::Check => unknown(Unknown::Check),
        Given::Repeat => unknown(Unknown::Repeat),
        Given::AllowOnce | Given::AllowAlways { .. } => grant(Grant::Once, None),
        Given::AllowRun => grant(Grant::Run, None),
        Given::Deny { words } => grant(Grant::No, words.filter(|words| !words.trim().is_empty())),
    };
    let given = GivenAnswer {
        task: question.task.clone(),
        question: question.question,
        fingerprint: seen,
        answer,
        permission: question.permission.clone(),
    };
    given
        .fits(question)
        .map_err(|words| Error::new(Code::Usage, words))?;
    let mut said = vec![Steer::Answer(given)];
    said.extend(further.into_iter().map(Steer::Answer));
    Ok(said)
}

/// “Approve up to here”: approves each step up to `upto` that hasn't changed since the approval.
fn up_to(read: &RunRead, from: &str, upto: &str) -> Result<Vec<GivenAnswer>> {
    let none = || err!(Usage: "this run has no step {upto}; reload the plan");
    let parsed = read.parsed.as_ref().ok_or_else(none)?;
    let plan = &parsed.plan;
    if plan.task(&TaskId::from(upto)).is_none() {
        return Err(none());
    }
    let prints = parsed.fingerprints();
    let started = &read.state.started;
    let has_model = started.model.is_some() || started.choice.hand_over.is_some();
    let in_run = scope(plan, read.state.started.upto.as_deref());
    let to_here = scope(plan, Some(upto));
    let steps = to_here.into_iter().filter(|index| in_run.contains(index));
    let steps = steps.map(|index| &plan.tasks[index]).filter(|task| {
        task.id.as_str() != from
            && task.kind == TaskKind::Normal
            && (has_model || !task.calls.is_empty())
            && task.carried_out_by(has_model) == By::Agent
            && read.is_open(task)
            && policy::asks(read.state.started.policy, task)
    });
    Ok(steps
        .filter_map(|task| {
            let print = prints.get(&task.id)?;
            // Changed steps are asked about when their turn comes.
            let is_approved = read.state.covered.get(task.id.as_str()) == Some(print);
            is_approved.then(|| GivenAnswer {
                task: task.id.0.clone(),
                question: QuestionKind::Approval,
                fingerprint: Some(print.clone()),
                answer: Answer::Run,
                permission: None::<PermissionRequest>,
            })
        })
        .collect())
}

/// The effect of a fixed label of a question; empty for any other label.
pub(crate) fn effect_of_label(kind: QuestionKind, words: &str) -> &'static str {
    match (kind, words) {
        (QuestionKind::Person, label::DONE) => "marks it as done, runs its checks and continues",
        (_, label::MARK_AS_DONE) => "marks the step as done",
        (QuestionKind::Destructive, label::ONCE) => "allows it now; asks again next time",
        (QuestionKind::Destructive, label::THIS_RUN) => "allows it for the rest of this run",
        (QuestionKind::Destructive, _) => "denies it; the step isn't done",
        (QuestionKind::Permission, "once") => "allows it now; asks again next time",
        (QuestionKind::Permission, "run") => "allows it for the rest of this run",
        (QuestionKind::Permission, _) => "denies it; the step fails with your reason",
        (QuestionKind::Claims, label::COUNT) => "counts them as done; they won't run",
        (QuestionKind::Claims, label::CARRY_OUT) => "runs them, whatever the file says",
        (QuestionKind::Claims, label::CARRY_OUT_AGAIN) => "runs them a second time",
        (QuestionKind::Changed, label::KEEP) => "ignores the changes in the file",
        (_, label::CHECK) => "checks what happened, reverts unfinished changes, then continues",
        (_, label::REPEAT) => "runs it again, whatever happened",
        (QuestionKind::Unknown, _) => "skips the step, whatever happened",
        (_, label::RUN) => "starts the step",
        (_, label::RETRY) => "retries the step from where it failed",
        (_, label::SKIP) => "skips the step; asks about steps that depend on it",
        (_, label::STOP) => "ends the run; completed steps stay",
        (_, label::CONTINUE) => "continues the run",
        _ => "",
    }
}
