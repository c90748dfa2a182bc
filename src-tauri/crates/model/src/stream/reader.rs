//! Reads a response body as it arrives, producing events and a reply.

use serde_json::Value;

use super::calls::Calls;
use super::chunk::{self, Chunk};
use super::lines::Lines;
use super::think::{Piece, Think, orphan};
use super::{CutBy, Event, Finish, Limits, Reply, Usage};

/// Why a response body can't be read as a reply.
#[derive(Debug, Clone, PartialEq)]
pub enum Broken {
    /// The server reported an error instead of an answer, or in the middle of one.
    Reported(Value),
    /// It is not a chat response; contains its start.
    NotChat(String),
    /// It exceeds this many bytes.
    TooLong(usize),
    /// It ended before anything arrived.
    Empty,
    /// It ended in the middle of an object.
    Half,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Not determined yet.
    Unknown,
    /// Server-sent events.
    Events,
    /// JSON: an answer that wasn't streamed, or one object per line.
    Json,
}

/// Reads one response body. It may arrive in chunks that are split anywhere.
#[derive(Debug)]
pub struct Reader {
    limits: Limits,
    lines: Lines,
    shape: Shape,
    event: String,
    /// Data lines of an incomplete event, or the body of an answer that isn't streamed.
    data: String,
    is_done: bool,
    think: Think,
    calls: Calls,
    reply: Reply,
    size: usize,
}

impl Reader {
    /// Creates a reader at the start of a body.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            lines: Lines::new(limits.line),
            shape: Shape::Unknown,
            event: String::new(),
            data: String::new(),
            is_done: false,
            think: Think::default(),
            calls: Calls::default(),
            reply: Reply::default(),
            size: 0,
        }
    }

    /// Whether the server marked the end, so that there is nothing to wait for.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Whether the server sent a finish reason. Only token counts may still follow.
    #[must_use]
    pub fn has_finish(&self) -> bool {
        self.reply.finish_said.is_some()
    }

    /// Whether any part of the answer has arrived.
    #[must_use]
    pub fn has_output(&self) -> bool {
        self.size > 0
    }

    /// Reads more bytes and reports the resulting events. Fails with [`Broken`]; the part received
    /// before is still available from [`cut`](Self::cut).
    pub fn push(&mut self, bytes: &[u8], on: &mut dyn FnMut(Event)) -> Result<(), Broken> {
        let mut bytes = bytes;
        while !self.is_done && !bytes.is_empty() {
            match self.lines.next(&mut bytes) {
                Ok(None) => break,
                Ok(Some(line)) => match self.line(&line, on) {
                    // Damaged data after the finish reason isn't part of the answer.
                    Err(Broken::Half | Broken::Reported(Value::String(_))) if self.has_finish() => {
                        self.is_done = true;
                    }
                    other => other?,
                },
                Err(super::lines::TooLong) => return Err(Broken::TooLong(self.limits.line)),
            }
        }
        Ok(())
    }

    /// The reply, once the body has ended properly. Fails with [`Broken`] if the end of the body
    /// reports an error, or nothing was received.
    pub fn end(&mut self, on: &mut dyn FnMut(Event)) -> Result<Reply, Broken> {
        if !self.is_done {
            let rest = self.lines.rest();
            let last = rest
                .map_or(Ok(()), |line| self.line(&line, on))
                .and_then(|()| self.flush(on));
            if !self.has_finish() {
                last?;
            }
        }
        let reply = self.settle(on);
        if reply.is_empty() && reply.finish == Finish::Unsaid {
            return Err(Broken::Empty);
        }
        Ok(reply)
    }

    /// The partial reply of an interrupted answer.
    pub fn cut(&mut self, by: CutBy, on: &mut dyn FnMut(Event)) -> Reply {
        let mut reply = self.settle(on);
        reply.finish = Finish::Cut(by);
        reply
    }

    fn line(&mut self, line: &str, on: &mut dyn FnMut(Event)) -> Result<(), Broken> {
        if self.shape == Shape::Unknown {
            self.shape = match line.trim_start().chars().next() {
                None => return Ok(()),
                Some('{' | '[') => Shape::Json,
                Some(_) if is_event_field(line) => Shape::Events,
                Some(_) => return Err(Broken::NotChat(beginning(line))),
            };
        }
        if self.shape == Shape::Json {
            return self.json_line(line, on);
        }
        if line.is_empty() {
            return self.flush(on);
        }
        // Some servers write an error into the stream without `data:`.
        if line.starts_with('{') {
            return self.datum(line, on);
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => self.datum(value, on),
            "event" => {
                value.clone_into(&mut self.event);
                Ok(())
            }
            // Ignore comments, which begin with a colon, and irrelevant fields.
            _ => Ok(()),
        }
    }

    /// Handles one `data:` line. A complete value is processed immediately, because some servers
    /// omit the blank line after it.
    fn datum(&mut self, value: &str, on: &mut dyn FnMut(Event)) -> Result<(), Broken> {
        if self.data.is_empty() {
            if value.trim() == "[DONE]" {
                self.is_done = true;
                return Ok(());
            }
            if let Ok(object) = serde_json::from_str::<Value>(value) {
                return self.object(&object, on);
            }
        } else {
            self.data.push('\n');
        }
        self.hold(value)
    }

    fn json_line(&mut self, line: &str, on: &mut dyn FnMut(Event)) -> Result<(), Broken> {
        if self.data.is_empty()
            && let Ok(object) = serde_json::from_str::<Value>(line)
        {
            return self.object(&object, on);
        }
        self.hold(line)?;
        self.data.push('\n');
        Ok(())
    }

    fn hold(&mut self, text: &str) -> Result<(), Broken> {
        if self.data.len() + text.len() > self.limits.line {
            return Err(Broken::TooLong(self.limits.line));
        }
        self.data.push_str(text);
        Ok(())
    }

    /// Parses the collected data at the end of an event or of the body.
    fn flush(&mut self, on: &mut dyn FnMut(Event)) -> Result<(), Broken> {
        let data = std::mem::take(&mut self.data);
        let event = std::mem::take(&mut self.event);
        if data.trim().is_empty() {
            return Ok(());
        }
        for object in serde_json::Deserializer::from_str(&data).into_iter::<Value>() {
            match object {
                Ok(object) => self.object(&object, on)?,
                Err(error) if error.is_eof() && event != "error" => return Err(Broken::Half),
                Err(_) if event == "error" || self.shape == Shape::Events => {
                    return Err(Broken::Reported(Value::String(beginning(&data))));
                }
                Err(_) => return Err(Broken::NotChat(beginning(&data))),
            }
        }
        Ok(())
    }

    fn object(&mut self, object: &Value, on: &mut dyn FnMut(Event)) -> Result<(), Broken> {
        if chunk::error_in(object) || self.event == "error" {
            return Err(Broken::Reported(object.clone()));
        }
        if !object.is_object() {
            return match self.shape {
                Shape::Events => Ok(()),
                _ => Err(Broken::NotChat(beginning(&object.to_string()))),
            };
        }
        let is_chat = ["choices", "usage", "id", "object"]
            .iter()
            .any(|name| object.get(*name).is_some());
        if self.shape == Shape::Json && !is_chat {
            return Err(Broken::NotChat(beginning(&object.to_string())));
        }
        self.take(chunk::read(object), on)
    }

    fn take(&mut self, chunk: Chunk, on: &mut dyn FnMut(Event)) -> Result<(), Broken> {
        let parts = chunk
            .calls
            .iter()
            .map(|part| part.arguments.len() + part.name.len());
        self.size += chunk.text.len() + chunk.reasoning.len() + parts.sum::<usize>();
        if self.size > self.limits.reply {
            return Err(Broken::TooLong(self.limits.reply));
        }
        self.think_of(chunk.reasoning, on);
        if !chunk.text.is_empty() {
            let mut pieces = Vec::new();
            self.think.push(&chunk.text, &mut pieces);
            self.tell(pieces, on);
        }
        for part in chunk.calls {
            let Some(grown) = self.calls.add(part) else {
                return Err(Broken::TooLong(self.limits.reply));
            };
            on(Event::CallDelta {
                index: grown.at,
                name: grown.name,
                arguments: grown.arguments,
            });
        }
        if chunk.finish.is_some() {
            self.reply.finish_said = chunk.finish;
        }
        if chunk.model.is_some() {
            self.reply.model = chunk.model;
        }
        if let Some(usage) = chunk.usage {
            self.count(usage, on);
        }
        Ok(())
    }

    fn count(&mut self, usage: Usage, on: &mut dyn FnMut(Event)) {
        if self.reply.usage != Some(usage) {
            self.reply.usage = Some(usage);
            on(Event::Usage(usage));
        }
    }

    fn tell(&mut self, pieces: Vec<Piece>, on: &mut dyn FnMut(Event)) {
        for piece in pieces {
            match piece {
                Piece::Thinking(text) => self.think_of(text, on),
                Piece::Text(text) if text.is_empty() => {}
                Piece::Text(text) => {
                    self.reply.text.push_str(&text);
                    on(Event::TextDelta { text });
                }
            }
        }
    }

    fn think_of(&mut self, text: String, on: &mut dyn FnMut(Event)) {
        if !text.is_empty() {
            self.reply.reasoning.push_str(&text);
            on(Event::ReasoningDelta { text });
        }
    }

    fn settle(&mut self, on: &mut dyn FnMut(Event)) -> Reply {
        let mut pieces = Vec::new();
        self.think.finish(&mut pieces);
        self.tell(pieces, on);
        let mut reply = std::mem::take(&mut self.reply);
        if reply.reasoning.is_empty()
            && let Some((thinking, text)) = orphan(&reply.text)
        {
            (reply.reasoning, reply.text) = (thinking.to_owned(), text.to_owned());
        }
        let has_calls = !self.calls.is_empty();
        reply.calls = std::mem::take(&mut self.calls).finish();
        reply.finish = finish(reply.finish_said.as_deref(), has_calls);
        reply
    }
}

/// Interprets the finish reason sent by a server.
fn finish(said: Option<&str>, has_calls: bool) -> Finish {
    match said.unwrap_or_default().to_ascii_lowercase().as_str() {
        // Some servers send “stop” after calls too.
        "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" | "completed" if has_calls => {
            Finish::ToolCalls
        }
        "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" | "completed" => Finish::Stop,
        "tool_calls" | "tool_call" | "tool_use" | "function_call" if has_calls => Finish::ToolCalls,
        // Calls were announced but none arrived, so the answer is incomplete.
        "tool_calls" | "tool_call" | "tool_use" | "function_call" => Finish::Unsaid,
        "length" | "max_tokens" | "max_output_tokens" | "model_length" => Finish::Length,
        "content_filter" | "safety" | "refusal" | "recitation" => Finish::ContentFilter,
        _ => Finish::Unsaid,
    }
}

/// Whether an event stream may begin with this line.
fn is_event_field(line: &str) -> bool {
    let field = line.split(':').next().unwrap_or_default();
    matches!(field, "" | "data" | "event" | "id" | "retry")
}

fn beginning(text: &str) -> String {
    text.trim().chars().take(300).collect()
}
