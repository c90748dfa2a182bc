//! Special tokens of chat templates that leak into text: those that end a turn and those that start
//! a call. This is only a table.

use plan::word_list::WordList;

/// What a token means for the text after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// The turn ends here; the model invented the rest.
    End,
    /// The name of a role follows.
    Role,
    /// A call follows.
    Opens,
    /// The name of a channel follows.
    Channel,
    /// The token has no meaning.
    Noise,
}

/// Maximum length of a token, in bytes.
const MAX_TOKEN_LEN: usize = 80;

/// The token that starts at `at` with `<|` or `<｜`, and the offset of the byte after it.
pub(super) fn token_at(text: &str, at: usize) -> Option<(Token, usize)> {
    let (name, end) = name_at(text, at)?;
    Some((meaning(&name), end))
}

fn name_at(text: &str, at: usize) -> Option<(String, usize)> {
    let rest = text.get(at..)?;
    let bar = ["<|", "<｜"]
        .into_iter()
        .find(|open| rest.starts_with(open))?;
    let inner = &rest[bar.len()..];
    let mut name = String::new();
    for (i, c) in inner.char_indices() {
        if i > MAX_TOKEN_LEN {
            return None;
        }
        match c {
            '|' | '｜' if inner[i + c.len_utf8()..].starts_with('>') => {
                let end = at + bar.len() + i + c.len_utf8() + 1;
                return (!name.is_empty()).then_some((name, end));
            }
            '▁' | ' ' | '-' => name.push('_'),
            '_' | '/' => name.push(c),
            c if c.is_alphanumeric() => name.extend(c.to_lowercase()),
            _ => return None,
        }
    }
    None
}

fn meaning(name: &str) -> Token {
    let ends = WordList(
        "im_end eot_id eom_id eot eom endoftext end_of_text end_of_sentence eos end_of_turn \
        end_of_turn_token call return user system observation tool_response tool_result \
        tool_outputs_begin tool_output_begin tool_results end_of_role ipython",
    );
    let roles = WordList("im_start start_header_id start start_of_role start_of_turn_token");
    let opens = WordList(
        "python_tag start_action action_start plugin function_call functions \
        tool_calls_section_begin",
    );
    let is_call = name.contains("tool_call") && !WordList("end arg").are_in(name);
    match name {
        "channel" => Token::Channel,
        _ if ends.contains(name) => Token::End,
        _ if roles.contains(name) => Token::Role,
        _ if opens.contains(name) || is_call && !name.starts_with('/') => Token::Opens,
        _ => Token::Noise,
    }
}

/// Whether a tag surrounds a supposed result of a tool.
pub(super) fn is_result_tag(name: &str) -> bool {
    WordList(
        "tool_response tool_result tool_results function_results function_result function_response \
        tool_output tool_outputs observation function_outputs",
    )
    .has_in_any_case(name)
}

/// Markers around thinking; [`is_think_tag`] recognizes tags with other names.
pub(super) const THINKING: [(&str, &str); 4] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
];

/// Whether a tag surrounds thinking.
pub(super) fn is_think_tag(name: &str) -> bool {
    WordList(
        "think thinking thought reasoning reflection scratchpad seed-think thoughts analysis \
        inner_monologue",
    )
    .has_in_any_case(name)
}

/// Whether a tag surrounds calls: `Some(true)` for unambiguous names; `Some(false)` for common
/// words, which only count if there is a call inside.
pub(super) fn is_call_tag(name: &str) -> Option<bool> {
    let sure = WordList(
        "tool_call tool_calls toolcall toolcalls function_call function_calls functioncall \
        functioncalls start_function_call tool_use tool_request invoke tool-call use_tool \
        function-call",
    );
    let perhaps = WordList(
        "tools tool action call function tool_code json response answer output xml calls actions",
    );
    match sure.has_in_any_case(name) {
        true => Some(true),
        false => perhaps.has_in_any_case(name).then_some(false),
    }
}

/// Whether a line introduces supposed output from a tool or the user. Such lines only count after a
/// call.
pub(super) fn is_invented_line(line: &str) -> bool {
    let line = line.trim_start_matches(['*', '#', ' ', '>']);
    WordList(
        "observation:|observation**|tool result:|tool output:|tool response:|function result:|\
        function response:|result:|output:|user:|human:|system:|tool:|response:|tool_response:|\
        tool_output:|assistant:|function output:",
    )
    .iter()
    .any(|known| {
        line.get(..known.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(known))
    })
}
