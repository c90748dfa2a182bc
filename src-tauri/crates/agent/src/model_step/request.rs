//! Builds a request for a step. A request is a function of the plan and the journal, and never
//! larger than the model's context window.

use plan::{Plan, Task};
use serde_json::Value;

use super::act::{self, Act, EditForms};
use super::instructions;
use super::ladder;
use super::recovery;
use super::schema;
use super::step_tools;
use super::work::Work;
use crate::envelope::elide_middle;
use crate::model_tool::ModelTool;
use crate::session::message::{Message, Part};
use crate::session::request::{BYTES_OF_A_TOKEN, tokens};
use crate::turn::Round;

/// The properties of a model that affect requests to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepProfile {
    /// Maximum number of tokens of a request and its reply together.
    pub context_window: u32,
    /// Maximum number of tokens of a reply.
    pub max_output_tokens: u32,
    /// Whether the model needs short prompts with a single task.
    pub is_small: bool,
    /// Whether the model changes small files best by rewriting them.
    pub writes_whole_files: bool,
    /// Whether the model's server can force a call.
    pub can_force_calls: bool,
    /// Whether the model's server may enforce a JSON schema, that is, it has not been seen to fail
    /// at it.
    pub can_force_schema: bool,
    /// Whether to use the smallest kind of request from the start, because the model is small and
    /// its server was seen to enforce a schema.
    pub is_schema_bound: bool,
    /// The forms in which this model can be asked to change a small file.
    pub forms: EditForms,
}

/// What a reply may contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Offer {
    /// A call to any of the step's tools, or text.
    All,
    /// A call to any of the step's tools, but no text.
    OneCall,
    /// A call to any of the step's tools except this one, which was repeated too often.
    AllBut(ModelTool),
    /// A call to this tool.
    Only(ModelTool),
    /// A call to one of these tools, written as text that follows a JSON schema.
    Schema(Vec<ModelTool>),
    /// One change to one file.
    Act(Box<Act>),
    /// One of this many letters.
    Letters(usize),
    /// Free text, from which the answer of a planner is parsed.
    Words,
}

/// A request to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct StepRequest {
    /// The system prompt.
    pub system: String,
    /// The messages, in order.
    pub messages: Vec<Message>,
    /// The tools of the step.
    pub tools: Vec<ModelTool>,
    /// The files that the step names.
    pub files: Vec<String>,
    /// What the reply may contain.
    pub offer: Offer,
    /// Maximum number of tokens of the reply.
    pub max_output_tokens: u32,
    /// Whether to limit the model's thinking, because it thought without answering.
    pub thinks_less: bool,
}

/// Maximum number of tokens of a reply that consists of a letter and a few words.
const LETTER_TOKENS: u32 = 200;

/// Maximum bytes of a call's result that are sent to the model.
pub fn result_bytes(profile: &StepProfile) -> usize {
    const MAX_BYTES: usize = 16_000;
    const LEAST: usize = 1_200;
    let part = profile.context_window as usize / 6 * BYTES_OF_A_TOKEN;
    part.clamp(LEAST, MAX_BYTES)
}

/// Maximum number of tokens of the context for a step.
pub fn context_tokens(profile: &StepProfile) -> u32 {
    const MAX_TOKENS: u32 = 6_000;
    let room = profile
        .context_window
        .saturating_sub(profile.max_output_tokens);
    (room / 3).min(MAX_TOKENS)
}

/// The next request of a step.
///
/// `said` contains the messages that a person sent to the run.
pub fn next(
    plan: &Plan,
    task: &Task,
    work: &Work,
    said: &[String],
    profile: &StepProfile,
) -> StepRequest {
    if profile.is_schema_bound
        && let Some(asked) = act::next(task, work, profile.forms, profile.max_output_tokens)
    {
        return StepRequest {
            system: asked.system,
            messages: asked.messages,
            tools: Vec::new(),
            files: task.files.clone(),
            offer: Offer::Act(Box::new(asked.act)),
            max_output_tokens: asked.max_output_tokens,
            thinks_less: ladder::thought_only(work),
        };
    }
    let tools = step_tools::for_step(task);
    let offer = ladder::offer(task, work, profile);
    let first = instructions::words(plan, task, work, said);
    let mut messages = vec![Message::user(vec![(Part::Plan, first)])];
    for round in work.rounds.all() {
        messages.extend(messages_of(round));
    }
    let mut request = StepRequest {
        system: instructions::system(profile.writes_whole_files),
        messages,
        tools,
        files: task.files.clone(),
        offer,
        max_output_tokens: profile.max_output_tokens.min(profile.context_window / 2),
        thinks_less: ladder::thought_only(work),
    };
    shrink(&mut request, profile);
    request
}

/// The request to choose a letter after a step failed.
pub fn letter(task: &Task, reason: &str) -> StepRequest {
    let words = recovery::question(&task.title, &elide_middle(reason, 1_500));
    StepRequest {
        system: "Answer with one letter.".to_owned(),
        messages: vec![Message::user(vec![(Part::Host, words)])],
        tools: Vec::new(),
        files: task.files.clone(),
        offer: Offer::Letters(recovery::LETTERS.len()),
        max_output_tokens: LETTER_TOKENS,
        thinks_less: false,
    }
}

/// The messages of one round: each call with its result, in order, followed by the app's message.
fn messages_of(round: &Round) -> Vec<Message> {
    let mut calls = round.reply.calls.clone();
    for (position, call) in calls.iter_mut().enumerate() {
        call.id = id_of(round.first_call + position);
    }
    // Many chat templates require alternating roles, so even an empty reply must be a message.
    let text = match round.reply.text.trim().is_empty() && calls.is_empty() {
        true => "(nothing)",
        false => round.reply.text.as_str(),
    };
    let mut out = vec![Message::assistant(text, calls)];
    for (position, result) in &round.results {
        let text = match result.content.is_empty() {
            true => "(no output)".to_owned(),
            false => result.content.clone(),
        };
        let id = id_of(round.first_call + position);
        out.push(Message::tool(&id, vec![(Part::Results, text)]));
    }
    for words in &round.told {
        Message::tell(&mut out, words);
    }
    out
}

fn id_of(number: usize) -> String {
    format!("call_{number}")
}

/// Replaces a result that doesn't fit into the request any more.
const LEFT_OUT: &str = "(left out to save space; make the call again if you need it)";

/// If request and reply don't fit, replaces the oldest results with [`LEFT_OUT`] until the request
/// takes up at most half of the room, so that the following requests can share a prefix. If they
/// still don't fit, drops the oldest turns and shortens the remaining results.
fn shrink(request: &mut StepRequest, profile: &StepProfile) {
    let room = profile
        .context_window
        .saturating_sub(request.max_output_tokens);
    if request.tokens() <= room {
        return;
    }
    let wanted = room / 2;
    // The next reply will be about the newest result.
    let mut results: Vec<usize> = (1..request.messages.len())
        .filter(|at| request.messages[*at].call.is_some())
        .collect();
    let last = results.pop();
    for at in results {
        if request.tokens() <= wanted {
            return;
        }
        if let Some(id) = request.messages[at].call.clone() {
            request.messages[at] = Message::tool(&id, vec![(Part::Results, LEFT_OUT.to_owned())]);
        }
    }
    // Only messages remain, so the oldest turns are dropped, together with the results of their
    // calls.
    while request.tokens() > room && request.messages.len() > 3 {
        let end = (2..request.messages.len())
            .find(|at| request.messages[*at].call.is_none())
            .unwrap_or(2);
        if last.is_some() && end + 1 >= request.messages.len() {
            break;
        }
        request.messages.drain(1..end);
    }
    let bytes = room as usize / 2 * BYTES_OF_A_TOKEN;
    if request.tokens() > room {
        for message in request.messages.iter_mut().skip(1) {
            if let Some(id) = message.call.clone() {
                let short = elide_middle(&message.content, bytes);
                *message = Message::tool(&id, vec![(Part::Results, short)]);
            }
        }
    }
    if request.tokens() > room {
        let first = elide_middle(&request.messages[0].content, bytes);
        request.messages[0] = Message::user(vec![(Part::Plan, first)]);
    }
}

impl StepRequest {
    /// An upper estimate of the request's tokens, including the tool table.
    pub fn tokens(&self) -> u32 {
        let messages: u32 = self
            .messages
            .iter()
            .map(|message| tokens(&message.to_json().to_string()))
            .sum();
        let tools = match &self.offer {
            Offer::Act(act) => act
                .schema
                .as_ref()
                .map_or(0, |schema| tokens(&schema.to_string())),
            _ => tokens(&self.tool_table().to_string()),
        };
        tokens(&self.system) + messages + tools
    }

    /// The tools that this request offers.
    pub fn offered(&self) -> Vec<ModelTool> {
        match &self.offer {
            Offer::Only(tool) => vec![*tool],
            Offer::AllBut(tool) => {
                let others = self.tools.iter().filter(|other| *other != tool);
                others.copied().collect()
            }
            Offer::Letters(_) | Offer::Words | Offer::Act(_) => Vec::new(),
            Offer::Schema(tools) => tools.clone(),
            Offer::All | Offer::OneCall => self.tools.clone(),
        }
    }

    /// The tool table in the endpoint's format.
    pub fn tool_table(&self) -> Value {
        let all = self.offered().into_iter();
        let all = all.map(|tool| tool.to_json(tool.describes()));
        Value::Array(all.collect())
    }

    /// The schema of a call written as text, with one branch for each offered tool.
    pub fn call_schema(&self) -> Value {
        schema::of_calls(&self.offered(), &self.files)
    }
}
