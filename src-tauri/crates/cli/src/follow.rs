//! `run`, `resume` and `answer`: follow a run until it ends, and ask the person at the terminal.
//!
//! Ctrl-C cancels a run once and leaves the journal intact.

use workbench::wire::RunEvent;
use workbench::{
    CancelToken, Code, EndState, Error, Result, ResumeRequest, RunRequest, Workbench, parse_answer,
};

use crate::args::{AnswerArgs, ResumeArgs, RunArgs};
use crate::choice;
use crate::exit::Outcome;
use crate::print::Out;
use crate::print::progress::Progress;
use crate::prompt::Prompt;

type Sink<'a> = &'a mut dyn FnMut(RunEvent);

pub(crate) fn run(args: RunArgs, bench: &mut Workbench, out: &mut Out) -> Result<Outcome> {
    let model = choice(args.model, args.offline);
    let further = further(model.clone(), args.hand_over.clone());
    let request = RunRequest {
        file: args.file,
        revision: args.approve,
        workspace: args.workspace,
        policy: args.policy.map(Into::into),
        upto: args.upto,
        answers: args.answers,
        reason: args.reason,
        parallel: args.parallel,
        model,
        choice: args.growing.into(),
        hand_over: args.hand_over,
    };
    carry(bench, out, args.json, further, |bench, cancel, sink| {
        bench.run(&request, cancel, sink)
    })
}

pub(crate) fn resume(args: ResumeArgs, bench: &mut Workbench, out: &mut Out) -> Result<Outcome> {
    let further = further(choice(args.model, args.offline), args.hand_over);
    let request = ResumeRequest {
        run: args.run,
        answers: args.answers,
        ..further.clone()
    };
    carry(bench, out, args.json, further, |bench, cancel, sink| {
        bench.resume(&request, cancel, sink)
    })
}

pub(crate) fn answer(args: AnswerArgs, bench: &mut Workbench, out: &mut Out) -> Result<Outcome> {
    let further = further(choice(args.model, args.offline), args.hand_over);
    let questions = bench.questions_of(&args.run)?;
    let asked = questions
        .iter()
        .find(|open| open.question.task == args.step);
    let Some(asked) = asked else {
        let steps = questions.iter().map(|open| open.question.task.as_str());
        let steps: Vec<&str> = steps.collect();
        let (run, step) = (&args.run, &args.step);
        let message = match steps.is_empty() {
            true => {
                format!("run {run} has no open question; continue with `planwright resume {run}`")
            }
            false => format!(
                "run {run} has no open question for {step}, only for: {}",
                steps.join(", ")
            ),
        };
        return Err(Error::new(Code::Usage, message));
    };
    let words = args.answer.join(" ");
    let given = parse_answer(&asked.question, &words, args.note.as_deref())?;
    let request = ResumeRequest {
        run: args.run,
        ..further.clone()
    };
    carry(bench, out, args.json, further, |bench, cancel, sink| {
        bench.resume_answered(&request, vec![given], cancel, sink)
    })
}

/// The request for resuming a run after an answer at the terminal. An answers file is read only
/// once, so this has none.
fn further(
    model: workbench::ModelChoice,
    hand_over: Option<workbench::HandOverChoice>,
) -> ResumeRequest {
    ResumeRequest {
        run: String::new(),
        answers: None,
        model,
        hand_over,
    }
}

/// Follows a run. At a terminal, asks its questions and resumes it, until it ends or the person
/// leaves it waiting.
fn carry(
    bench: &mut Workbench,
    out: &mut Out,
    json: bool,
    mut further: ResumeRequest,
    start: impl FnOnce(&mut Workbench, &CancelToken, Sink<'_>) -> Result<EndState>,
) -> Result<Outcome> {
    let cancel = workbench::cancel_on_signals()?;
    let mut prompt = Prompt::at_terminal().filter(|_| !json);
    let mut progress = Progress::new(json, prompt.is_some());
    let mut ended = start(bench, &cancel, &mut |event| progress.event(out, &event))?;
    while let (Some(prompt), Some(run)) = (&mut prompt, progress.run()) {
        if !matches!(ended, EndState::Waiting | EndState::Unverified) {
            break;
        }
        let mut questions = bench.questions_of(run)?;
        questions.retain(|open| progress.waits_at(&open.question.task));
        let answers = prompt.answers(&questions, &cancel);
        if answers.is_empty() {
            break;
        }
        further.run = run.to_owned();
        let sink = &mut |event| progress.event(out, &event);
        ended = bench.resume_answered(&further, answers, &cancel, sink)?;
    }
    progress.next(out);
    Ok(ended.into())
}

/// Follows a run in a conversation, where the person answers with messages.
pub(crate) fn follow(
    out: &mut Out,
    json: bool,
    run: impl FnOnce(&CancelToken, Sink<'_>) -> Result<EndState>,
) -> Result<Outcome> {
    let cancel = workbench::cancel_on_signals()?;
    let mut progress = Progress::new(json, false);
    let ended = run(&cancel, &mut |event| progress.event(out, &event))?;
    progress.next(out);
    Ok(ended.into())
}
