//! Exec mode: the person's input is passed to a run of the plan, with its own policy, gates and
//! receipt. The conversation's model isn't used.
//!
//! Text answers the only open question of a step's model. Anything else that is pending must be
//! answered explicitly, so that text never counts as an approval or a permission. Any other text is
//! added to the requests of all later steps.

use plan::word_list::WordList;
use std::path::PathBuf;

use agent::journal::EndState;
use agent::pending_answers::GivenAnswer;
use agent::session::entry::{Mode, ModeSetBy};
use agent::session::machine::{Effect, Event, MAX_REQUESTS};
use agent::session::{Config, Machine, Profile};
use gate::answers::{Answer, Grant};
use gate::path::PlanPlace;
use gate::policy::Policy;
use gate::question::{Question, QuestionKind};
use store::SessionRow;
use tools::sandbox::CancelToken;

use super::rows;
use crate::Workbench;
use crate::driver::Sink;
use crate::error::{Error, Result};
use crate::run_control::{RunControl, Steer};
use crate::running::{ModelChoice, RunRequest, StepExecutors};
use crate::wire::RunEvent;

/// The text recorded when a run is started without any.
const DEFAULT_TEXT: &str = "Carry out the plan.";

/// The states in which a run can continue with new input.
const OPEN_STATES: WordList =
    WordList("running waiting paused failed interrupted stopped cancelled not_covered");

/// A person's input in exec mode.
#[derive(Debug, Clone, Default)]
pub struct WorkRequest {
    /// The session's ID.
    pub session: String,
    /// The text that the person typed, if any.
    pub words: Option<String>,
    /// The permission that the person granted, if one was requested.
    pub allow: Option<Grant>,
    /// The revision approved with this input, as the first 12 or more digits of its hash; starts a
    /// new run.
    pub revision: Option<String>,
    /// How often a new run asks for approval; `None` uses the settings, else `all`.
    pub policy: Option<Policy>,
    /// A file with prepared answers.
    pub answers: Option<PathBuf>,
    /// The reason for running steps that the quality gate blocks, or a thin plan despite
    /// enforcement.
    pub reason: Option<String>,
    /// The model for steps without `call:` lines.
    pub model: ModelChoice,
}

impl Workbench {
    /// The current mode of a session.
    pub fn mode_of(&self, session: &str) -> Result<Mode> {
        let row = self.find_session(session)?;
        Ok(rows::state(&self.store, &row.id)?.mode)
    }

    /// Continues the open run of a session's plan, or starts one of the approved revision, as
    /// [`Workbench::run`] and [`Workbench::resume`] do. Switches to exec mode. Fails with
    /// [`crate::Code::NotCovered`] if no revision of the plan is approved; otherwise as those two
    /// do.
    pub fn work_in_session(
        &mut self,
        request: &WorkRequest,
        cancel: &CancelToken,
        sink: Sink<'_>,
    ) -> Result<EndState> {
        let row = self.find_session(&request.session)?;
        let control = RunControl::unattended(cancel);
        let open = match request.revision {
            Some(_) => None,
            None => self.open_run(&row.plan)?,
        };
        if open.is_some() && request.policy.is_some() {
            return Err(err!(Usage:
                "a run keeps the policy it started with; remove --policy"));
        }
        let (mut given, mut said) = (Vec::new(), None);
        match &open {
            Some(run) => {
                for steer in self.interpret_input(run, request.words.as_deref(), request.allow)? {
                    match steer {
                        Steer::Answer(answer) => given.push(answer),
                        other => said = Some(other),
                    }
                }
            }
            None if request.allow.is_some() => return Err(nothing_asked()),
            None => said = request.words.clone().map(|words| Steer::Say { words }),
        }
        if let Some(said) = said {
            control.send(said);
        }
        let other = self.again()?;
        let mut failed = None;
        let mut begun = |event: RunEvent| {
            if let RunEvent::Started { run, revision, .. } = &event {
                let words = request.words.as_deref();
                let approved = open.is_none().then_some(revision.as_str());
                failed = other.record_run_input(&row, run, words, approved).err();
            }
            sink(event);
        };
        let ended = match &open {
            Some(run) => {
                let answers = self.read_answers(request.answers.as_deref())?;
                let executors = StepExecutors::new(&request.model, None);
                control.while_open(given, || {
                    self.resume_run(run, answers, &executors, &control, &mut begun)
                })
            }
            None => {
                let revision = match &request.revision {
                    Some(revision) => revision.clone(),
                    None => self
                        .approved_revision(&row.id)?
                        .ok_or_else(nothing_approved)?,
                };
                let request = RunRequest {
                    file: PathBuf::from(&row.plan),
                    revision,
                    workspace: Some(PathBuf::from(&row.workspace)),
                    policy: request.policy,
                    upto: None,
                    answers: request.answers.clone(),
                    reason: request.reason.clone(),
                    parallel: 1,
                    model: request.model.clone(),
                    choice: agent::micro_planning::RunChoice::default(),
                    hand_over: None,
                };
                self.run_controlled(&request, &control, &mut begun)
            }
        };
        if let Some(error) = failed {
            return Err(error);
        }
        let ended = ended?;
        if matches!(
            ended,
            EndState::Done | EndState::Stopped | EndState::Cancelled
        ) {
            let by = ModeSetBy::RunEnd;
            self.record(&row, Event::SetMode { to: Mode::Plan, by })?;
        }
        Ok(ended)
    }

    /// The newest run of a plan, if it can continue with new input.
    pub fn open_run(&self, plan: &str) -> Result<Option<String>> {
        let Some(newest) = self.store.runs().of_plan(plan)?.into_iter().next() else {
            return Ok(None);
        };
        let state = self.live_state(&newest)?;
        Ok(OPEN_STATES.contains(state.as_str()).then_some(newest.id))
    }

    /// Interprets text or a permission for the run's current state. Fails with
    /// [`crate::Code::Usage`] for a permission if none or several are requested.
    pub fn interpret_input(
        &self,
        run: &str,
        words: Option<&str>,
        allow: Option<Grant>,
    ) -> Result<Vec<Steer>> {
        let questions = self.questions_of(run)?.into_iter();
        let questions: Vec<Question> = questions.map(|open| open.question).collect();
        if let Some(grant) = allow {
            let mut asked = questions.iter().filter(|asked| asked.permission.is_some());
            let (Some(asked), None) = (asked.next(), asked.next()) else {
                return Err(nothing_asked());
            };
            let answer = Answer::Permission { grant, words: None };
            return Ok(vec![Steer::Answer(answered(asked, answer))]);
        }
        let Some(words) = words else {
            return Ok(Vec::new());
        };
        let mut of_models = questions
            .iter()
            .filter(|asked| asked.question == QuestionKind::Question);
        let words = words.to_owned();
        Ok(vec![match (of_models.next(), of_models.next()) {
            (Some(asked), None) => {
                let answer = Answer::Choice {
                    label: words,
                    note: None,
                };
                Steer::Answer(answered(asked, answer))
            }
            _ => Steer::Say { words },
        }])
    }

    /// Records in the session that text was passed to a run.
    pub fn record_run_input(
        &self,
        row: &SessionRow,
        run: &str,
        words: Option<&str>,
        approved: Option<&str>,
    ) -> Result<()> {
        let event = Event::Worked {
            run: run.to_owned(),
            words: words.unwrap_or(DEFAULT_TEXT).to_owned(),
            approved: approved.map(str::to_owned),
        };
        self.record(row, event)
    }

    /// Applies an event that needs no model to the session.
    fn record(&self, row: &SessionRow, event: Event) -> Result<()> {
        let state = rows::state(&self.store, &row.id)?;
        let mut next_seq = i64::try_from(state.rows)
            .unwrap_or(i64::MAX)
            .saturating_add(1);
        let config = Config {
            session: row.id.clone(),
            plan: PlanPlace::default(),
            rules: Vec::new(),
            can_run_read_only: false,
            is_enforced: false,
            max_requests: MAX_REQUESTS,
            profile: Profile {
                context_window: u32::MAX,
                max_output_tokens: u32::MAX,
            },
        };
        let mut machine = Machine::of(state, config);
        let now = self.clock.now_ms();
        for effect in machine.handle(event) {
            if let Effect::Store(entries) = effect {
                next_seq = rows::append(&self.store, &row.id, next_seq, &entries, now)?;
            }
        }
        let used = machine.state().used;
        self.keep_told(
            &row.id,
            &store::SessionTold {
                state: "idle",
                mode: machine.state().mode.as_str(),
                base_url: &row.base_url,
                model: &row.model,
                input_tokens: used.input,
                cached_tokens: used.cached,
                output_tokens: used.output,
                at_ms: now,
            },
        )
    }
}

fn answered(asked: &Question, answer: Answer) -> GivenAnswer {
    GivenAnswer {
        task: asked.task.clone(),
        question: asked.question,
        fingerprint: asked.fingerprint.clone(),
        answer,
        permission: asked.permission.clone(),
    }
}

fn nothing_asked() -> Error {
    err!(Usage: "--allow needs exactly one pending permission request; use --answers for several")
}

/// The error for carrying out a plan that wasn't approved.
pub fn nothing_approved() -> Error {
    err!(NotCovered:
        "the plan's current revision isn't approved; review and approve it, or switch to plan mode")
}
