//! Counts malformed replies, and downgrades a model's profile accordingly.
//!
//! A reply counts only if it was requested in a certain form. Its content is not judged here.

use model::profile::{Downgrade, Fault, ToolChannel};
use repair::{FaultKind, Form, Recovered, RepairKind};

use super::ModelAccess;
use crate::Workbench;
use crate::error::Result;

impl Workbench {
    /// Counts a reply to a request with tools. If repeated faults downgrade the profile, returns a
    /// message for display that says so. Fails with [`crate::Code::Storage`].
    pub(crate) fn note_reply(
        &self,
        access: &mut ModelAccess,
        recovered: &Recovered,
    ) -> Result<Option<String>> {
        match of_calls(recovered, access.profile.tool_channel) {
            Some(fault) => self.note_form(access, fault),
            None => Ok(None),
        }
    }

    /// Counts a reply that should have been JSON text; `is_good` if it could be parsed.
    pub(crate) fn note_json(
        &self,
        access: &mut ModelAccess,
        is_good: bool,
    ) -> Result<Option<String>> {
        self.note_form(access, (!is_good).then_some(Fault::Json))
    }

    /// Stores the window that a server reported when it refused a request, if it is smaller than
    /// assumed.
    pub(crate) fn note_window(&self, access: &mut ModelAccess, window: u64) -> Result<()> {
        if window >= access.profile.context_window {
            return Ok(());
        }
        access.known.counters.note_window(window);
        access.settle();
        self.store_counters(access)
    }

    fn note_form(&self, access: &mut ModelAccess, fault: Option<Fault>) -> Result<Option<String>> {
        let down = access.known.counters.note(fault);
        // A good reply is stored with the next fault, or at the end of the turn.
        access.is_unkept = true;
        if fault.is_some() {
            access.settle();
            self.store_counters(access)?;
        }
        let model = &access.client.endpoint().model;
        Ok(down.map(|down| sentence(model, down)))
    }
}

fn sentence(model: &str, down: Downgrade) -> String {
    match down {
        Downgrade::Channel => {
            format!("{model} sends its tool calls as text, so requests now ask for text")
        }
        Downgrade::Tools => format!(
            "{model} repeatedly sent malformed tool calls, so it now gets simpler requests and a lower tool call rating"
        ),
        Downgrade::Json => format!(
            "{model} repeatedly sent malformed JSON, so it now gets simpler requests and a lower JSON rating"
        ),
    }
}

/// The fault in a reply's tool calls: `None` if there were no calls to judge, `Some(None)` if the
/// calls were well-formed.
fn of_calls(recovered: &Recovered, channel: ToolChannel) -> Option<Option<Fault>> {
    let fault = recovered.faults.iter().find_map(|fault| match fault.kind {
        FaultKind::UnknownTool | FaultKind::Unsure => Some(Fault::UnknownTool),
        FaultKind::MissingRequired
        | FaultKind::UnknownKey
        | FaultKind::WrongType
        | FaultKind::BadValue
        | FaultKind::BadArguments => Some(Fault::Arguments),
        FaultKind::NoStep | FaultKind::NoChoice | FaultKind::AmbiguousChoice => Some(Fault::Json),
        // These faults don't concern the form of a call, or aren't caused by the model.
        FaultKind::Empty
        | FaultKind::ReasoningOnly
        | FaultKind::Degenerate
        | FaultKind::NoCall
        | FaultKind::Cut
        | FaultKind::RepeatedStep
        | FaultKind::UnfeasibleStep => None,
    });
    if fault.is_some() {
        return Some(fault);
    }
    if recovered.calls.is_empty() {
        return None;
    }
    let as_text = |call: &repair::Call| call.form != Form::Native;
    if channel == ToolChannel::Native && recovered.calls.iter().any(as_text) {
        return Some(Some(Fault::TextCall));
    }
    let repairs = recovered.calls.iter().flat_map(|call| &call.repairs);
    let damaged = repairs.into_iter().any(|repair| is_damage(repair.kind));
    Some(damaged.then_some(Fault::Arguments))
}

/// Whether a repair fixed broken JSON. Alternative spellings of keys or values don't count.
fn is_damage(kind: RepairKind) -> bool {
    use RepairKind::*;
    matches!(
        kind,
        ExtraBracket
            | WrongBracket
            | OpenBrackets
            | CloseBrackets
            | DoubledBraces
            | TrailingComma
            | MissingComma
            | EqualsSign
            | UnquotedKeys
            | BareValue
            | SingleQuotes
            | SmartQuotes
            | TripleQuotes
            | Backticks
            | JoinedStrings
            | InnerQuotes
            | OverEscaped
            | BadEscape
            | ControlChars
            | HtmlEntities
            | PythonLiterals
            | NumberForm
            | Comments
            | DoubleEncoded
    )
}

#[cfg(test)]
mod tests {
    use repair::{Effect, Finish, NativeCall, Reply, Tool, Tools, Want};
    use serde_json::json;

    use super::*;

    fn seen(reply: &Reply, channel: ToolChannel) -> Option<Option<Fault>> {
        let schema = json!({
            "type": "object",
            "properties": {"path": {"type": "string"}},
            "required": ["path"],
        });
        let tools = Tools::new([Tool::new("read_file", Effect::Reads, &schema).unwrap()]);
        of_calls(&repair::recover(reply, &tools, Want::Either), channel)
    }

    fn native(name: &str, arguments: &str) -> Reply {
        Reply {
            calls: vec![NativeCall {
                id: Some("1".to_owned()),
                name: name.to_owned(),
                arguments: arguments.to_owned(),
            }],
            finish: Finish::ToolCalls,
            ..Reply::of_text("")
        }
    }

    #[test]
    fn an_answer_counts_where_a_form_was_asked_for() {
        use ToolChannel::{JsonText, Native};
        let good = r#"{"path": "a.txt"}"#;
        let text =
            format!("<tool_call>{{\"name\": \"read_file\", \"arguments\": {good}}}</tool_call>");
        let table = [
            (native("read_file", good), Native, Some(None)),
            (
                native("read_file", "{\"path\": \"a.txt\",}"),
                Native,
                Some(Some(Fault::Arguments)),
            ),
            (
                native("read_file", "{}"),
                Native,
                Some(Some(Fault::Arguments)),
            ),
            (native("fly", "{}"), Native, Some(Some(Fault::UnknownTool))),
            (
                Reply::of_text(text.as_str()),
                Native,
                Some(Some(Fault::TextCall)),
            ),
            (Reply::of_text(text.as_str()), JsonText, Some(None)),
            (Reply::of_text("The file is there."), Native, None),
        ];
        for (reply, channel, expected) in table {
            assert_eq!(seen(&reply, channel), expected, "{reply:?}");
        }
    }
}
