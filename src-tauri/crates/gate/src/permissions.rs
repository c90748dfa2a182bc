//! Permission rules, and how they apply to a request.
//!
//! The strictest matching rule wins, and a rule never allows what it cannot match. A rule names a
//! tool and either the exact subject or a prefix of it, compared byte for byte. For a command, the
//! subject is the whole line. An allowing prefix never covers a *shell* command or a line break,
//! since another command could follow. It must also end at a word or folder boundary: `rm -r build`
//! is not a prefix of `rm -r build2`, nor is `docs` of `docs2/a.md`.

use plan::{CommandLine, ToolCall, ToolName};
use serde_json::{Map, Value};

use crate::destructive::starts_others;
use crate::question::PermissionRequest;

plan::named! {
    /// The verdict of a rule, ordered from least to most strict.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
    pub enum Verdict {
        /// Allowed without asking.
        Allow = "allow",
        /// Ask a person.
        Ask = "ask",
        /// Never allowed.
        Deny = "deny",
    }
}

/// The subjects that a rule applies to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Match {
    /// Exactly this subject.
    Exact(String),
    /// Every subject that starts with this; an empty prefix matches all.
    Prefix(String),
}

impl Match {
    /// Reads `exact …` or `prefix …`.
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once(' ') {
            Some(("exact", rest)) => Some(Self::Exact(rest.trim().to_owned())),
            Some(("prefix", rest)) => Some(Self::Prefix(rest.trim().to_owned())),
            None if text == "prefix" => Some(Self::Prefix(String::new())),
            _ => None,
        }
    }
}

/// A permission rule for a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The tool's name.
    pub tool: String,
    /// The subjects it matches.
    pub matches: Match,
    /// The verdict on matching requests.
    pub verdict: Verdict,
}

impl Rule {
    /// Whether the rule matches this request.
    pub fn applies(&self, request: &PermissionRequest) -> bool {
        if self.tool != request.tool {
            return false;
        }
        match &self.matches {
            Match::Exact(subject) => *subject == request.subject,
            // Deny and Ask rules may match more than they name; Allow rules may not.
            Match::Prefix(prefix) if self.verdict == Verdict::Allow => {
                if request.tool == ToolName::RunCommand.as_str() {
                    !request.subject.contains(['\n', '\r'])
                        && begins_with(&request.subject, prefix, char::is_whitespace)
                        && CommandLine::parse(&request.subject).is_some_and(|line| !line.is_shell())
                } else {
                    let climbs = request.subject.split('/').any(|part| part == "..");
                    begins_with(&request.subject, prefix, |letter| letter == '/') && !climbs
                }
            }
            Match::Prefix(prefix) => request.subject.starts_with(prefix.as_str()),
        }
    }
}

/// Whether a subject starts with a prefix that ends at a boundary.
fn begins_with(subject: &str, prefix: &str, is_border: impl Fn(char) -> bool) -> bool {
    subject.strip_prefix(prefix).is_some_and(|rest| {
        prefix.is_empty()
            || prefix.ends_with(&is_border)
            || rest.chars().next().is_none_or(&is_border)
    })
}

/// The prefixes that a rule for this request could use, shortest first. For a command: its program
/// and first argument, or if it is destructive, up to the whole line. For a file: its folder. Empty
/// if a prefix would not show what happens: `bash -c`, `sudo cp`, `git -C folder`.
pub fn beginnings(request: &PermissionRequest) -> Vec<String> {
    let subject = request.subject.as_str();
    if request.tool != ToolName::RunCommand.as_str() {
        let folder = subject.rsplit_once('/').map(|(folder, _)| folder);
        let folder = folder.filter(|folder| !folder.is_empty() && !folder.starts_with('.'));
        let folder = folder.map(|folder| format!("{folder}/"));
        return folder.into_iter().collect();
    }
    let Some(CommandLine::Argv(words)) = CommandLine::parse(subject) else {
        return Vec::new();
    };
    if starts_others(&words) {
        return Vec::new();
    }
    let is_option = |at: usize| words.get(at).is_some_and(|word| word.starts_with('-'));
    // Commands that run a module or a script: `python3 -m unittest`, `npm run lint`.
    let is_module = words
        .get(1)
        .is_some_and(|word| word == "-m" || word == "run");
    let (shortest, longest) = match &request.danger {
        Some(_) => (2, words.len()),
        None if is_option(if is_module { 2 } else { 1 }) => return Vec::new(),
        None if is_module => (3, 3.min(words.len().saturating_sub(1))),
        None => (2, 2.min(words.len().saturating_sub(1))),
    };
    (shortest..=longest)
        .filter_map(|count| {
            let prefix = words.get(..count)?.join(" ");
            // Rules compare byte for byte, so quoted words can't be part of a prefix.
            subject.starts_with(&prefix).then_some(prefix)
        })
        .collect()
}

/// The request that a call makes.
pub fn request_of(call: &ToolCall) -> PermissionRequest {
    let subject = call
        .string("command")
        .or_else(|| call.path())
        .unwrap_or_default();
    PermissionRequest {
        tool: call.tool.as_str().to_owned(),
        subject: subject.trim().to_owned(),
        danger: None,
        content: None,
    }
}

/// The tool call that a `verify:` line stands for.
pub fn call_of_check(line: &str) -> ToolCall {
    let command = Value::String(line.trim().to_owned());
    ToolCall {
        tool: ToolName::RunCommand,
        arguments: Map::from_iter([("command".to_owned(), command)]),
    }
}

/// The request that a `verify:` line makes.
pub fn request_of_check(line: &str) -> PermissionRequest {
    request_of(&call_of_check(line))
}

/// The verdict on a request made by an approved step. If the step does not name the request, the
/// person is asked unless one of their rules allows it.
pub fn judge_in_step(
    request: &PermissionRequest,
    rules: &[Rule],
    sandboxed: bool,
    is_named: bool,
) -> Verdict {
    let said = judge(request, rules, sandboxed);
    let has_rule = || {
        rules
            .iter()
            .any(|rule| rule.verdict == Verdict::Allow && rule.applies(request))
    };
    if said == Verdict::Allow && !is_named && !has_rule() {
        return Verdict::Ask;
    }
    said
}

/// The verdict on a request that an approved step names.
///
/// Reading is allowed, and so is a call or check written in an approved step, since its exact text
/// was approved, unless a rule says otherwise. Without a sandbox, a command still asks unless a
/// rule allows exactly this command.
pub fn judge(request: &PermissionRequest, rules: &[Rule], sandboxed: bool) -> Verdict {
    let is_command = request.tool == ToolName::RunCommand.as_str();
    let base = if is_command && !sandboxed {
        Verdict::Ask
    } else {
        Verdict::Allow
    };
    let said = rules
        .iter()
        .filter(|rule| rule.applies(request))
        .map(|rule| rule.verdict)
        .max();
    match said {
        // Without a sandbox, only a rule that names the exact command may skip the question.
        Some(Verdict::Allow) if base == Verdict::Ask => {
            let exact = rules.iter().any(|rule| {
                rule.verdict == Verdict::Allow
                    && rule.applies(request)
                    && matches!(rule.matches, Match::Exact(_))
            });
            if exact { Verdict::Allow } else { Verdict::Ask }
        }
        Some(verdict) => verdict.max(base),
        None => base,
    }
}
