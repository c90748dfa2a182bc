//! Syntax highlighting of code blocks, with spans of six classes.
//!
//! Uses the grammars of `syntect`. Unknown languages, long blocks and long lines stay plain, so
//! that rendering never takes long.

use std::sync::LazyLock;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

use super::escaped;

/// The span classes: comment, string, number, keyword, function, type.
pub(super) const CLASSES: [&str; 6] = ["hl-c", "hl-s", "hl-n", "hl-k", "hl-f", "hl-t"];

/// The size limit of a highlighted block, in bytes.
const MAX_BLOCK_LEN: usize = 16 << 10;

/// The size limit of a highlighted line, in bytes; some grammars are slow on long lines.
const MAX_LINE_LEN: usize = 1_000;

static GRAMMARS: LazyLock<SyntaxSet> = LazyLock::new(SyntaxSet::load_defaults_newlines);

/// The class of each scope; the first match counts, from the innermost scope outward.
static COLOURS: LazyLock<Vec<(Scope, &'static str)>> = LazyLock::new(|| {
    let table = [
        ("comment", "hl-c"),
        ("string", "hl-s"),
        ("constant.character", "hl-s"),
        ("constant", "hl-n"),
        ("storage.type", "hl-k"),
        ("storage", "hl-k"),
        ("keyword.operator", ""),
        ("keyword", "hl-k"),
        ("entity.name.function", "hl-f"),
        ("support.function", "hl-f"),
        ("variable.function", "hl-f"),
        ("entity.name.tag", "hl-k"),
        ("entity.name", "hl-t"),
        ("support.type", "hl-t"),
        ("support.class", "hl-t"),
        ("entity.other.attribute-name", "hl-f"),
    ];
    let scopes = table.into_iter();
    scopes
        .filter_map(|(scope, class)| Some((Scope::new(scope).ok()?, class)))
        .collect()
});

/// A fenced code block as HTML. `info` is its info string.
pub(super) fn block(info: &str, code: &str) -> String {
    let mut out = String::with_capacity(code.len() * 2 + 32);
    out.push_str("<pre><code>");
    match grammar(info).filter(|_| code.len() <= MAX_BLOCK_LEN) {
        Some(grammar) => colour(grammar, code, &mut out),
        None => out.push_str(&escaped(code)),
    }
    out.push_str("</code></pre>\n");
    out
}

fn grammar(info: &str) -> Option<&'static SyntaxReference> {
    let name = info
        .split([' ', ',', '{', '\t'])
        .next()
        .unwrap_or_default()
        .trim();
    // Languages that are similar to a supported one.
    let name = match name.to_ascii_lowercase().as_str() {
        "" | "text" | "plain" | "console" => return None,
        "ts" | "typescript" | "tsx" | "jsx" | "mjs" => "js",
        "shell" | "zsh" | "sh-session" => "bash",
        "jsonc" | "json5" => "json",
        other => return GRAMMARS.find_syntax_by_token(other),
    };
    GRAMMARS.find_syntax_by_token(name)
}

fn colour(grammar: &SyntaxReference, code: &str, out: &mut String) {
    let mut state = ParseState::new(grammar);
    let mut stack = ScopeStack::new();
    for line in code.split_inclusive('\n') {
        let parsed = (line.len() <= MAX_LINE_LEN)
            .then(|| state.parse_line(line, &GRAMMARS).ok())
            .flatten();
        let Some(changes) = parsed else {
            out.push_str(&escaped(line));
            continue;
        };
        let mut from = 0;
        for (at, change) in changes {
            push(&line[from..at], &stack, out);
            from = at;
            if stack.apply(&change).is_err() {
                stack = ScopeStack::new();
            }
        }
        push(&line[from..], &stack, out);
    }
}

fn push(words: &str, stack: &ScopeStack, out: &mut String) {
    if words.is_empty() {
        return;
    }
    let words_html = escaped(words);
    match class_of(stack).filter(|_| !words.trim().is_empty()) {
        Some(class) => {
            out.push_str("<span class=\"");
            out.push_str(class);
            out.push_str("\">");
            out.push_str(&words_html);
            out.push_str("</span>");
        }
        None => out.push_str(&words_html),
    }
}

fn class_of(stack: &ScopeStack) -> Option<&'static str> {
    let scopes = stack.as_slice().iter().rev();
    let mut classes = scopes.filter_map(|scope| {
        let fits = |(colour, _): &&(Scope, &'static str)| colour.is_prefix_of(*scope);
        COLOURS.iter().find(fits).map(|(_, class)| *class)
    });
    classes.next().filter(|class| !class.is_empty())
}
