//! Sends a step's requests to its model and reads the replies.
//!
//! A reply is turned into calls only by `repair`. While waiting for the model, the driver
//! accepts steering: a step can be skipped and the run cancelled at any time.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use agent::model_step::act::{self, EditForms};
use agent::model_step::schema;
use agent::model_step::{Offer, StepProfile, StepRequest};
use agent::model_tool;
use agent::run::{Event, Machine};
use agent::turn::{Reply, Usage};
use model::profile::{ChangeForms, EditForm, ToolChannel};
use model::{ChatRequest, Failed, Format, ModelError, ReasoningEffort, ToolChoice};
use repair::Want;

use tools::documents;
use tools::files::MAX_FILE;

use super::Driver;
use super::report_timing::ReportTimer;
use super::server_wait::ServerAnswer;
use crate::clock::millis;
use crate::endpoints::ModelAccess;
use crate::error::{Code, Error, Result};
use crate::exchange;
use crate::runtime;
use crate::wire::ModelEvent;
use crate::wire::RunEvent;

/// How often steering is checked and new output passed on while waiting for a model.
pub(super) const TICK: Duration = Duration::from_millis(40);
/// The temperature for a retry that should give a different reply.
const RETRY_TEMPERATURE: f64 = 0.7;
const MAX_REPLY_TOKENS: u32 = 4_096;

/// The parts of a model's profile that a step depends on.
pub(crate) fn step_profile(access: &ModelAccess) -> StepProfile {
    let profile = &access.profile;
    let is_native = profile.tool_channel == ToolChannel::Native;
    StepProfile {
        context_window: u32::try_from(profile.context_window).unwrap_or(u32::MAX),
        max_output_tokens: profile.output_limit(MAX_REPLY_TOKENS),
        writes_whole_files: profile.edit_form == EditForm::WholeFile,
        is_small: profile.needs_simplified_prompts,
        can_force_calls: is_native && profile.honours_tool_choice,
        can_force_schema: access.may_hold_to_a_schema(),
        forms: match profile.change_forms {
            ChangeForms::All => EditForms::ALL,
            ChangeForms::NoChoices => EditForms {
                choices: false,
                ..EditForms::ALL
            },
            ChangeForms::NoBlocks => EditForms {
                blocks: false,
                ..EditForms::ALL
            },
            ChangeForms::Free => EditForms {
                free: true,
                ..EditForms::NONE
            },
            ChangeForms::Off => EditForms::NONE,
        },
        is_schema_bound: profile.needs_simplified_prompts && access.holds_to_a_schema(),
    }
}

impl Driver<'_> {
    /// Sends a request; returns the reply, or why there is none.
    pub(super) fn ask_model(
        &mut self,
        machine: &mut Machine,
        task: &str,
        request: &StepRequest,
    ) -> Result<Event> {
        if self.should_stop() {
            // If cancelled between two requests, send no more. The step's progress is kept.
            let usage = Usage::default();
            return Ok(Event::ModelStopped { usage });
        }
        let Some(access) = &self.access else {
            let reason =
                "no model is configured anymore; run `planwright models` to see how to set one up"
                    .to_owned();
            return Ok(Event::ModelFailed { reason });
        };
        let sent = chat_request(access, request);
        let client = access.client.clone();
        let began = Instant::now();
        let answer = match self.chat_until_answered(machine, task, &client, &sent)? {
            ServerAnswer::Answer(answer) => answer,
            ServerAnswer::Gone { reason } => return Ok(Event::ServerGone { reason }),
        };
        self.answered(request, answer, began)
    }

    /// Converts the result of a request into an event.
    pub(super) fn answered(
        &mut self,
        request: &StepRequest,
        answer: std::result::Result<model::Reply, Failed>,
        began: Instant,
    ) -> Result<Event> {
        let elapsed_ms = millis(began.elapsed());
        Ok(match answer {
            Ok(reply) => Event::Replied {
                reply: self.read_reply(request, reply, elapsed_ms)?,
            },
            Err(Failed {
                error: ModelError::Cancelled,
                partial,
                ..
            }) => Event::ModelStopped {
                usage: partial.map_or_else(Usage::default, |partial| exchange::usage(&partial)),
            },
            // Even if part of a reply arrived: the same request would fail again.
            Err(Failed {
                error: error @ ModelError::TooLarge { window, .. },
                ..
            }) => {
                if let (Some(window), Some(access)) = (window, &mut self.access) {
                    self.bench.note_window(access, window)?;
                }
                Event::WindowExceeded {
                    window,
                    reason: error.to_string(),
                }
            }
            // A partial reply counts as cut off.
            Err(Failed {
                partial: Some(partial),
                ..
            }) => Event::Replied {
                reply: self.read_reply(request, *partial, elapsed_ms)?,
            },
            // Waiting and retries have already been exhausted.
            Err(Failed { error, .. }) if error.is_late() => Event::ServerGone {
                reason: format!("paused: {error}. Run `planwright resume` to retry"),
            },
            Err(Failed { error, .. }) => Event::ModelFailed {
                reason: error.to_string(),
            },
        })
    }

    /// Asks for the next step, or for the parts of a step.
    pub(super) fn ask_planner(
        &mut self,
        machine: &mut Machine,
        request: &StepRequest,
    ) -> Result<Event> {
        Ok(match self.ask_model(machine, "plan", request)? {
            Event::Replied { reply } => {
                let named = agent::context::paths_in(&reply.text).into_iter();
                let there = named.filter(|path| {
                    let path = path.trim_start_matches("./");
                    documents::read(&self.workspace, path, MAX_FILE).is_ok()
                });
                let there = there
                    .map(|path| path.trim_start_matches("./").to_owned())
                    .collect();
                Event::Planned { reply, there }
            }
            other => other,
        })
    }

    /// The async runtime, shared by all requests because it owns the open connections.
    pub(super) fn runtime(&mut self) -> Result<Arc<tokio::runtime::Runtime>> {
        if let Some(runtime) = &self.runtime {
            return Ok(Arc::clone(runtime));
        }
        let runtime = Arc::new(runtime::runtime()?);
        self.runtime = Some(Arc::clone(&runtime));
        Ok(runtime)
    }

    pub(super) fn chat(
        &mut self,
        machine: &mut Machine,
        task: &str,
        client: &model::Client,
        request: &ChatRequest,
    ) -> Result<std::result::Result<model::Reply, Failed>> {
        let runtime = self.runtime()?;
        self.requests += 1;
        let number = self.requests;
        let (sender, heard) = channel();
        let mut on = |event: model::Event| drop(sender.send(event));
        let mut timer = ReportTimer::new(Instant::now());
        let mut failed = Ok(());
        let answer = runtime::wait_for(
            &runtime,
            TICK,
            async |cancel| client.chat(request, cancel, &mut on).await,
            || {
                self.pass_on(task, number, heard.try_iter().collect(), &mut timer);
                if failed.is_ok() {
                    failed = self.steer(machine);
                }
                if self.control.is_live() {
                    self.beat(task, &mut timer, Instant::now());
                }
                failed.is_err() || self.should_stop()
            },
        );
        self.pass_on(task, number, heard.try_iter().collect(), &mut timer);
        failed?;
        Ok(answer)
    }

    /// Passes on new output, with consecutive text merged.
    pub(super) fn pass_on(
        &mut self,
        task: &str,
        number: u64,
        events: Vec<model::Event>,
        timer: &mut ReportTimer,
    ) {
        let (mut text, mut thinking) = (String::new(), String::new());
        for event in events {
            timer.hear(Instant::now());
            if let model::Event::Sent { attempt } = event {
                let task = task.to_owned();
                (self.sink)(RunEvent::Request {
                    task,
                    number,
                    attempt,
                });
                continue;
            }
            let message = match ModelEvent::of(event) {
                Some(ModelEvent::Text { text: more }) => {
                    text.push_str(&more);
                    continue;
                }
                Some(ModelEvent::Thinking { text: more }) => {
                    thinking.push_str(&more);
                    continue;
                }
                Some(ModelEvent::Retry {
                    made,
                    of,
                    wait_ms,
                    reason,
                    ..
                }) => format!(
                    "{task}: attempt {made} of {of} failed ({reason}); retrying in {wait_ms} ms"
                ),
                Some(ModelEvent::Quiet { silence_ms }) => {
                    format!("no output from the model for {} s", silence_ms / 1_000)
                }
                Some(ModelEvent::Notice { message }) => {
                    (self.sink)(RunEvent::Notice { message });
                    continue;
                }
                None => continue,
            };
            (self.sink)(RunEvent::Delayed { message });
        }
        if !thinking.is_empty() {
            let (task, text) = (task.to_owned(), thinking);
            (self.sink)(RunEvent::Thinking { task, text });
        }
        if !text.is_empty() {
            let task = task.to_owned();
            (self.sink)(RunEvent::Text { task, text });
        }
    }

    fn read_reply(
        &mut self,
        request: &StepRequest,
        reply: model::Reply,
        elapsed_ms: u64,
    ) -> Result<Reply> {
        let usage = exchange::usage(&reply);
        let given = exchange::repair_reply(reply);
        if let Offer::Letters(_) | Offer::Words = request.offer {
            return Ok(Reply {
                text: given.text,
                calls: Vec::new(),
                faults: Vec::new(),
                finish: given.finish,
                usage,
                elapsed_ms,
            });
        }
        if let Offer::Act(act) = &request.offer {
            return Ok(act::read(act, given, (usage, elapsed_ms)));
        }
        // The model may call a tool of the step that wasn't offered in this request.
        let tools = model_tool::as_tools(&request.tools)
            .map_err(|error| Error::from_cause(Code::Internal, error))?;
        let recovered = repair::recover(&given, &tools, Want::Call);
        if let Some(access) = &mut self.access
            && let Some(message) = self.bench.note_reply(access, &recovered)?
        {
            (self.sink)(RunEvent::Notice { message });
        }
        Ok(exchange::turn_reply(
            given,
            recovered,
            false,
            (usage, elapsed_ms),
        ))
    }
}

pub(super) fn chat_request(access: &ModelAccess, request: &StepRequest) -> ChatRequest {
    let profile = &access.profile;
    let in_words = profile.tool_channel == ToolChannel::JsonText;
    let offered = request.offered().into_iter();
    let offered: Vec<model::Tool> = offered
        .map(|tool| exchange::tool(tool, tool.describes()))
        .collect();
    let by_schema = matches!(request.offer, Offer::Schema(_)) && access.may_hold_to_a_schema();
    let (act, temperature) = match &request.offer {
        Offer::Act(act) => (
            act.schema.clone(),
            Some(if act.is_varied {
                RETRY_TEMPERATURE
            } else {
                0.0
            }),
        ),
        _ => (None, None),
    };
    let in_words = in_words || by_schema;
    let mut system = request.system.clone();
    if in_words && !offered.is_empty() {
        system.push_str(&exchange::tools_as_text(&offered, request.files.first()));
    }
    let mut messages = vec![model::Message::system(system)];
    messages.extend(exchange::wire(&request.messages, in_words));
    let tool_choice = match &request.offer {
        _ if in_words || !profile.honours_tool_choice => ToolChoice::Auto,
        Offer::OneCall => ToolChoice::Required,
        Offer::Only(tool) => ToolChoice::Named(tool.as_str().to_owned()),
        Offer::All
        | Offer::AllBut(_)
        | Offer::Schema(_)
        | Offer::Act(_)
        | Offer::Letters(_)
        | Offer::Words => ToolChoice::Auto,
    };
    let is_schema_bound = step_profile(access).is_schema_bound;
    let schema = match request.offer {
        Offer::Letters(letters) if is_schema_bound => Some(schema::of_letters(letters)),
        _ => act.or_else(|| by_schema.then(|| request.call_schema())),
    };
    let format = schema.map_or(Format::Text, |schema| Format::JsonSchema {
        name: "call".to_owned(),
        schema,
    });
    let usual = access.request(request.max_output_tokens);
    ChatRequest {
        reasoning: match request.thinks_less {
            true => Some(less(usual.reasoning)),
            false => usual.reasoning,
        },
        messages,
        tools: if in_words { Vec::new() } else { offered },
        tool_choice,
        format,
        temperature: temperature.or(usual.temperature),
        ..usual
    }
}

/// The next lower reasoning effort. If a server doesn't know the field, the request is repeated
/// without it.
fn less(usual: Option<ReasoningEffort>) -> ReasoningEffort {
    use ReasoningEffort::{High, Low, Medium, Minimal};
    match usual {
        None | Some(High | Medium) => Low,
        Some(Low | Minimal | ReasoningEffort::None) => ReasoningEffort::None,
    }
}
