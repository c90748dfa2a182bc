//! `chat`: a conversation with a model, at the terminal.
//!
//! Only `--approve` with a revision approves a plan. In exec mode, messages go to a run.

use std::path::Path;

use workbench::wire::{SessionEvent, SessionState};
use workbench::{Answer, Code, Error, Grant, Mode, Result, SessionInput, WorkRequest, Workbench};

use crate::args::{Allow, ChatArgs};
use crate::exit::Outcome;
use crate::memory;
use crate::print::{self, Out};

pub(crate) fn chat(args: &ChatArgs, bench: &mut Workbench, out: &mut Out) -> Result<Outcome> {
    memory::give_back_at_once();
    let session = session_named(args, bench)?;
    let session = session.as_str();
    let mode = match (&args.approve, args.mode) {
        (Some(_), _) => Mode::Exec,
        (None, Some(mode)) => mode.into(),
        (None, None) => bench.mode_of(session)?,
    };
    let says =
        args.approve.is_some() || args.message.is_some() || args.allow.is_some() || args.resume;
    if mode == Mode::Exec && says && args.changes.is_none() {
        return work(args, session, bench, out);
    }
    if args.policy.is_some() || args.answers.is_some() {
        let message = "--policy and --answers need --mode exec";
        return Err(Error::new(Code::Usage, message));
    }
    let cancel = workbench::cancel_on_signals()?;
    let mut printer = print::session::Printer::new(args.json);
    let mut sink = |event: SessionEvent| printer.event(&event);
    let model = args.model.as_deref();
    let before = args.mode.map(|to| SessionInput::SetMode { to: to.into() });
    let said = match (&args.message, args.allow, args.resume) {
        (_, Some(allow), _) => Some(allowed(bench, session, allow)?),
        (_, _, true) => Some(SessionInput::Resume),
        (Some(words), ..) => Some(match &args.changes {
            Some(revision) => SessionInput::Feedback {
                revision: revision.clone(),
                words: words.clone(),
            },
            None => SessionInput::Say {
                words: words.clone(),
            },
        }),
        (None, None, false) => None,
    };
    let inputs = before.into_iter().chain(said).collect();
    let end = bench.converse(session, inputs, model, &cancel, &mut sink)?;
    if !args.json {
        match end.state {
            SessionState::Waiting => print::session::how_to_answer(out, &end),
            SessionState::Proposed => {
                let revision = end.revision.clone().unwrap_or_default();
                print::session::how_to_go_on(out, &end.session, &revision);
            }
            SessionState::Answered | SessionState::Idle => {}
            SessionState::Cancelled
            | SessionState::Unfinished
            | SessionState::Cut
            | SessionState::Failed => out.notice(&end.message),
        }
    }
    Ok(end.state.into())
}

/// Handles exec mode, in which messages go to a run of the plan.
fn work(args: &ChatArgs, session: &str, bench: &mut Workbench, out: &mut Out) -> Result<Outcome> {
    let request = WorkRequest {
        session: session.to_owned(),
        words: args.message.clone(),
        allow: args.allow.map(|allow| match allow {
            Allow::Once => Grant::Once,
            Allow::Session => Grant::Run,
        }),
        revision: args.approve.clone(),
        policy: args.policy.map(Into::into),
        answers: args.answers.clone(),
        reason: args.reason.clone(),
        model: crate::choice(args.model.clone(), false),
    };
    crate::follow::follow(out, args.json, |cancel, sink| {
        bench.work_in_session(&request, cancel, sink)
    })
}

/// Finds a session by id or by plan. For a plan, returns its newest session, or starts a new one.
fn session_named(args: &ChatArgs, bench: &mut Workbench) -> Result<String> {
    let plan = Path::new(&args.session);
    // A session id never contains a dot or a slash; anything that does is a plan file, even if it
    // doesn't exist.
    if !plan.is_file() && !args.session.contains(['.', '/']) {
        return Ok(args.session.clone());
    }
    bench.session_about(plan, args.model.as_deref())
}

fn allowed(bench: &Workbench, session: &str, allow: Allow) -> Result<SessionInput> {
    let question = bench
        .open_question(session)?
        .ok_or_else(|| Error::new(Code::Usage, "no permission request is pending here"))?;
    Ok(SessionInput::Answer {
        call: question.call,
        answer: match allow {
            Allow::Once => Answer::Once,
            Allow::Session => Answer::Session,
        },
    })
}
