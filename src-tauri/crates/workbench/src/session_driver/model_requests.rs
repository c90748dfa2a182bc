//! Sends requests to the session's model and reads the replies.
//!
//! A reply is turned into calls only by `repair`; a reply that was cut off is marked as
//! such. For a model without native tool calls, the tools are described in the system prompt and
//! its calls are parsed from its text.

use std::time::{Duration, Instant};

use agent::session::machine::{Event, Machine};
use agent::session::notice;
use agent::session::request::Request;
use agent::session::tools::{TOOLS, describes};
use agent::turn::{Reply, Usage};
use model::profile::ToolChannel;
use model::{ChatRequest, Failed, ModelError};
use repair::Want;

use super::SessionDriver;
use crate::approval::revision_text;
use crate::clock::millis;
use crate::error::Result;
use crate::exchange;
use crate::runtime;
use crate::wire::{ModelEvent, SessionEvent};

/// How often cancellation is checked while waiting for a model.
const TICK: Duration = Duration::from_millis(20);

impl SessionDriver<'_> {
    /// Sends a request; returns the reply, or why there is none.
    pub(super) fn ask(&mut self, machine: &mut Machine, request: &Request) -> Result<Event> {
        self.report_context(machine);
        let began = Instant::now();
        let answer = self.chat(&self.chat_request(request, true));
        let elapsed_ms = millis(began.elapsed());
        Ok(match answer {
            Ok(reply) => Event::ReplyArrived(self.read(reply, elapsed_ms)?),
            Err(Failed {
                error: ModelError::Cancelled,
                partial,
                ..
            }) => Event::ReplyStopped {
                usage: partial.map_or_else(Usage::default, |partial| exchange::usage(&partial)),
            },
            // A partial reply counts as cut off: it is requested once more, then the turn ends as
            // cut off.
            Err(Failed {
                partial: Some(partial),
                error,
                ..
            }) => {
                (self.sink)(SessionEvent::Notice {
                    message: error.to_string(),
                });
                Event::ReplyArrived(self.read(*partial, elapsed_ms)?)
            }
            Err(Failed { error, .. }) => Event::ModelFailed {
                reason: error.to_string(),
            },
        })
    }

    /// Lets the model summarize the conversation; without a usable answer, the machine does so by
    /// rules.
    pub(super) fn summarize(&mut self, request: &Request) -> Result<Event> {
        Ok(match self.chat(&self.chat_request(request, false)) {
            Ok(reply) => Event::Compacted {
                usage: exchange::usage(&reply),
                summary: reply.is_whole().then_some(reply.text),
            },
            Err(Failed {
                error: ModelError::Cancelled,
                ..
            }) => Event::Cancel,
            Err(_) => Event::Compacted {
                summary: None,
                usage: Usage::default(),
            },
        })
    }

    fn chat(&mut self, request: &ChatRequest) -> std::result::Result<model::Reply, Failed> {
        self.requests += 1;
        let number = self.requests;
        let (client, cancel) = (self.access.client.clone(), self.cancel.clone());
        let sink = &mut *self.sink;
        let mut bytes = 0;
        let mut names: Vec<String> = Vec::new();
        let mut on = |event: model::Event| {
            let shown = match event {
                model::Event::Sent { attempt } => SessionEvent::Request { number, attempt },
                model::Event::CallDelta {
                    index,
                    name,
                    arguments,
                } => {
                    let is_new = name.is_some() && names.len() <= index;
                    if let (true, Some(name)) = (is_new, name) {
                        names.resize(index, String::new());
                        names.push(name);
                        bytes = 0;
                    }
                    bytes += arguments.len();
                    let name = names.get(index).cloned().unwrap_or_default();
                    SessionEvent::Calling { name, bytes }
                }
                other => match ModelEvent::of(other) {
                    Some(news) => SessionEvent::Model(news),
                    None => return,
                },
            };
            sink(shown);
        };
        runtime::wait_for(
            &self.runtime,
            TICK,
            async |dropped| client.chat(request, dropped, &mut on).await,
            || cancel.is_cancelled(),
        )
    }

    fn chat_request(&self, request: &Request, with_tools: bool) -> ChatRequest {
        let profile = &self.access.profile;
        let as_text = profile.tool_channel == ToolChannel::JsonText;
        let all = TOOLS.map(|tool| exchange::tool(tool, describes(tool)));
        let mut system = request.system.to_owned();
        if as_text {
            system.push_str(&exchange::tools_as_text(&all, None));
        }
        let mut messages = vec![model::Message::system(system)];
        messages.extend(exchange::wire(&request.messages, as_text));
        let tools = if as_text || !with_tools && request.tools.is_null() {
            Vec::new()
        } else {
            all.into()
        };
        ChatRequest {
            messages,
            tools,
            max_output_tokens: Some(request.max_output_tokens),
            ..self.access.request(request.max_output_tokens)
        }
    }

    /// Converts a reply for the machine.
    fn read(&mut self, reply: model::Reply, elapsed_ms: u64) -> Result<Reply> {
        let usage = exchange::usage(&reply);
        let given = exchange::repair_reply(reply);
        let recovered = repair::recover(&given, &self.tools, Want::Either);
        if let Some(message) = self.bench.note_reply(&mut self.access, &recovered)? {
            (self.sink)(SessionEvent::Notice { message });
        }
        Ok(exchange::turn_reply(
            given,
            recovered,
            true,
            (usage, elapsed_ms),
        ))
    }

    /// The event for changes that someone else made to the plan while the model was working; `None`
    /// if there are none.
    pub(super) fn plan_changes(&mut self, machine: &Machine) -> Result<Option<Event>> {
        let Some(known) = machine.state().plan.known.clone() else {
            return Ok(None);
        };
        let Some(now) = self.plan_now()? else {
            return Ok(None);
        };
        let revision = now.revision.as_str();
        if revision == known || self.seen.as_deref() == Some(revision) {
            return Ok(None);
        }
        let before = revision_text(&self.bench.store, &known).ok();
        let change = notice::edited(&known, before.as_deref(), revision, &now.text);
        self.seen = Some(revision.to_owned());
        Ok(Some(Event::PlanChanged { change }))
    }
}
