//! Sends requests to a model one at a time: reports them, counts usage, and checks how each answer
//! ended.

use std::time::Duration;

use model::{ChatRequest, Failed, Finish, Format, Message, ModelError};
use planning::drafting::tokens;
use serde_json::Value;
use tools::sandbox::CancelToken;

use super::{NoPlan, PlanningSink};
use crate::Workbench;
use crate::endpoints::ModelAccess;
use crate::error::Result;
use crate::new_plan::provenance::ModelUsage;
use crate::runtime;
use crate::text::counted;
use crate::wire::{ModelEvent, PlanningEvent};

/// How often cancellation is checked while waiting for an answer.
const TICK: Duration = Duration::from_millis(20);

pub(super) struct Question<'a> {
    /// The purpose of the request, for events: `goal`, `draft`, `gaps` or `round`.
    pub(super) purpose: &'static str,
    pub(super) system: &'a str,
    pub(super) message: String,
    /// Expected length of the answer, in tokens.
    pub(super) target: u32,
    /// The JSON schema of the answer, enforced by the server if it can.
    pub(super) schema: Option<Value>,
}

#[derive(Debug)]
pub(super) enum Answer {
    /// A complete answer.
    Whole(String),
    /// An incomplete answer that must not be read, and why.
    Broken(&'static str),
}

/// A model in use, and its usage so far.
pub(crate) struct Requester<'a> {
    bench: &'a Workbench,
    pub(crate) access: &'a mut ModelAccess,
    cancel: &'a CancelToken,
    /// Cancelled when the person asks for the best plan so far.
    enough: Option<&'a CancelToken>,
    sink: PlanningSink<'a>,
    runtime: tokio::runtime::Runtime,
    usage: ModelUsage,
}

impl<'a> Requester<'a> {
    pub(crate) fn new(
        bench: &'a Workbench,
        access: &'a mut ModelAccess,
        cancel: &'a CancelToken,
        sink: PlanningSink<'a>,
    ) -> Result<Self> {
        let runtime = runtime::runtime()?;
        let usage = ModelUsage {
            model: access.client.endpoint().model.clone(),
            ..ModelUsage::default()
        };
        Ok(Self {
            bench,
            access,
            cancel,
            enough: None,
            sink,
            runtime,
            usage,
        })
    }

    /// Sets a token that ends requests early.
    pub(crate) fn enough_when(&mut self, enough: &'a CancelToken) {
        self.enough = Some(enough);
    }

    /// Usage so far; `None` if nothing was requested.
    pub(crate) fn usage(&self) -> Option<ModelUsage> {
        (self.usage.requests > 0).then(|| self.usage.clone())
    }

    /// Input and output tokens so far.
    pub(super) fn used(&self) -> u64 {
        self.usage.input.saturating_add(self.usage.output)
    }

    /// Whether there is budget left; 0 means no limit.
    pub(super) fn is_within(&self, budget: u64) -> bool {
        budget == 0 || self.used() < budget
    }

    pub(super) fn bench(&self) -> &'a Workbench {
        self.bench
    }

    pub(super) fn sink(&mut self) -> PlanningSink<'_> {
        &mut *self.sink
    }

    /// Adds the usage of a conversation.
    pub(super) fn count(&mut self, other: &ModelUsage) {
        let usage = &mut self.usage;
        usage.requests = usage.requests.saturating_add(other.requests);
        usage.input = usage.input.saturating_add(other.input);
        usage.output = usage.output.saturating_add(other.output);
        usage.faults = usage.faults.saturating_add(other.faults);
    }

    pub(crate) fn tell(&mut self, event: PlanningEvent) {
        (self.sink)(event);
    }

    pub(super) fn notice(&mut self, message: impl Into<String>) {
        let message = message.into();
        self.tell(PlanningEvent::Notice { message });
    }

    pub(crate) fn cancel_token(&self) -> CancelToken {
        self.cancel.clone()
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled() || self.enough.is_some_and(CancelToken::is_cancelled)
    }

    /// Counts a fault if an answer was unreadable.
    pub(super) fn note_reading(&mut self, is_good: bool) {
        self.usage.faults += u32::from(!is_good);
    }

    /// Counts whether a JSON answer was valid; reports if the profile was downgraded.
    pub(super) fn note_json(&mut self, is_good: bool) -> std::result::Result<(), NoPlan> {
        self.note_reading(is_good);
        if let Some(message) = self.bench.note_json(self.access, is_good)? {
            self.notice(message);
        }
        Ok(())
    }

    /// Sends one request, unless the window is too small for question and answer.
    pub(super) fn ask(&mut self, question: Question<'_>) -> std::result::Result<Answer, NoPlan> {
        if self.is_cancelled() {
            return Err(NoPlan::Cancelled);
        }
        let estimate = tokens(question.system) + tokens(&question.message);
        let mut request = ChatRequest {
            messages: vec![
                Message::system(question.system),
                Message::user(question.message),
            ],
            ..self.access.request(question.target)
        };
        let limit = request.max_output_tokens.unwrap_or(question.target);
        if let Some(why) = self.access.too_small(estimate, limit) {
            return Err(NoPlan::Model(why));
        }
        if let Some(schema) = question.schema
            && self.access.profile.supports_structured_output
        {
            let name = question.purpose.to_owned();
            request.format = Format::JsonSchema { name, schema };
        }
        self.usage.requests += 1;
        let answer = self.chat(&request, question.purpose, estimate);
        self.counted(answer, estimate)
    }

    fn chat(
        &mut self,
        request: &ChatRequest,
        purpose: &str,
        estimate: u64,
    ) -> std::result::Result<model::Reply, Failed> {
        let number = self.usage.requests;
        let (client, cancel) = (self.access.client.clone(), self.cancel.clone());
        let enough = self.enough.cloned();
        let sink = &mut *self.sink;
        let mut on = |event: model::Event| {
            if let Some(event) = shown(event, number, purpose, estimate) {
                sink(event);
            }
        };
        runtime::wait_for(
            &self.runtime,
            TICK,
            async |dropped| client.chat(request, dropped, &mut on).await,
            || cancel.is_cancelled() || enough.as_ref().is_some_and(CancelToken::is_cancelled),
        )
    }

    /// Counts and reports an answer, and returns how it ended.
    fn counted(
        &mut self,
        answer: std::result::Result<model::Reply, Failed>,
        estimate: u64,
    ) -> std::result::Result<Answer, NoPlan> {
        let reply = match &answer {
            Ok(reply) => Some(reply),
            Err(failed) => failed.partial.as_deref(),
        };
        let usage = reply.and_then(|reply| reply.usage).unwrap_or_else(|| {
            let said = reply.map_or(0, |reply| tokens(&reply.text) + tokens(&reply.reasoning));
            model::Usage {
                input: estimate,
                output: said,
                ..model::Usage::default()
            }
        });
        self.usage.input = self.usage.input.saturating_add(usage.input);
        self.usage.output = self.usage.output.saturating_add(usage.output);
        let checked = checked(answer);
        self.usage.faults += u32::from(matches!(checked, Ok(Answer::Broken(_))));
        let summary = match &checked {
            Ok(Answer::Whole(text)) => counted(text.chars().count(), "character"),
            Ok(Answer::Broken(why)) => format!("unusable: the answer {why}"),
            Err(NoPlan::Model(why) | NoPlan::Answer(why)) => format!("no answer: {why}"),
            Err(_) => "cancelled".to_owned(),
        };
        self.tell(PlanningEvent::Replied {
            summary,
            input: usage.input,
            cached: usage.cached,
            output: usage.output,
        });
        checked
    }
}

/// Returns an answer, or why it is unusable. Fails if there is no answer, or if the request was
/// cancelled.
fn checked(
    answer: std::result::Result<model::Reply, Failed>,
) -> std::result::Result<Answer, NoPlan> {
    let reply = match answer {
        Ok(reply) => reply,
        Err(failed) => {
            return match failed.error {
                ModelError::Cancelled => Err(NoPlan::Cancelled),
                // The server works, but the answer is unusable.
                ModelError::TooLong { .. } => Ok(Answer::Broken("was too long")),
                // The client doesn't retry once part of the answer was shown.
                ModelError::Cut | ModelError::Reported { .. } if failed.partial.is_some() => {
                    Ok(Answer::Broken("was interrupted"))
                }
                error => Err(NoPlan::Model(error.to_string())),
            };
        }
    };
    Ok(match reply.finish {
        Finish::Length => Answer::Broken("was cut off at the length limit"),
        Finish::ContentFilter => Answer::Broken("was cut off by the provider's content filter"),
        Finish::Unsaid | Finish::Cut(_) => Answer::Broken("ended unexpectedly"),
        Finish::Stop | Finish::ToolCalls if reply.text.trim().is_empty() => {
            Answer::Broken(match reply.reasoning.is_empty() {
                true => "was empty",
                false => "contained only thinking",
            })
        }
        Finish::Stop | Finish::ToolCalls => Answer::Whole(reply.text),
    })
}

/// Converts an event of the client for display; `None` if it isn't shown.
fn shown(event: model::Event, number: u32, purpose: &str, estimate: u64) -> Option<PlanningEvent> {
    match event {
        model::Event::Sent { attempt } => Some(PlanningEvent::Request {
            number,
            purpose: purpose.to_owned(),
            tokens: estimate,
            attempt,
        }),
        // No tools are offered, and usage is reported with the answer.
        other => ModelEvent::of(other).map(PlanningEvent::Model),
    }
}
