//! Finds the definitions in a text: functions and types in code, headings in prose, keys in data.
//! See [`super`] for the rule.

use super::hollow::does_nothing;
use plan::word_list::WordList;

/// The kind of a file, which determines what counts as a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Prose,
    Data,
    Style,
    Code,
}

impl Kind {
    pub(super) fn of(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        let ending = name.rsplit('.').next().unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "md" | "mdx" | "markdown" | "rst" | "adoc" | "org" | "txt" => Self::Prose,
            "json" | "json5" | "jsonc" | "yaml" | "yml" | "toml" | "ini" | "cfg" | "conf"
            | "properties" | "env" => Self::Data,
            "css" | "scss" | "less" => Self::Style,
            _ => Self::Code,
        }
    }

    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Prose => "heading",
            Self::Data => "key",
            Self::Style => "rule",
            Self::Code => "definition",
        }
    }
}

pub(super) fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The names that a text defines, in order.
pub(super) fn definitions(kind: Kind, text: &str) -> Vec<String> {
    if kind == Kind::Code {
        let lines = code(text);
        let defined = (0..lines.len()).filter(|at| !is_stub(&lines[*at..], does_nothing));
        return defined.filter_map(|at| defined_by(lines[at])).collect();
    }
    let mut names = Vec::new();
    let mut is_fenced = false;
    for line in text.lines() {
        let bare = line.trim();
        match kind {
            Kind::Prose => {
                is_fenced ^= bare.starts_with("```") || bare.starts_with("~~~");
                let words = bare.trim_start_matches('#');
                if !is_fenced && words.len() < bare.len() && words.starts_with(' ') {
                    names.push(words.trim().to_owned());
                }
            }
            Kind::Data => keys(bare, &mut names),
            Kind::Style => {
                if let Some(rule) = bare.strip_suffix('{') {
                    names.push(rule.trim().to_owned());
                }
            }
            Kind::Code => {}
        }
    }
    names
}

/// Start and end of multi-line comments and strings, and whether they may start within a line.
const BLOCKS: [(&str, &str, bool); 8] = [
    ("/*", "*/", false),
    ("<!--", "-->", false),
    ("=begin", "=end", false),
    ("#if 0", "#endif", false),
    ("\"\"\"", "\"\"\"", true),
    ("'''", "'''", true),
    ("r#\"", "\"#", true),
    ("`", "`", true),
];

/// The lines of code outside multi-line comments and strings.
pub(super) fn code(text: &str) -> Vec<&str> {
    let mut lines = text.lines();
    let mut code = Vec::new();
    while let Some(line) = lines.next() {
        let bare = line.trim_start();
        let opened = BLOCKS.iter().find(|(open, close, is_within)| {
            let at = if *is_within {
                bare.find(open)
            } else {
                bare.starts_with(open).then_some(0)
            };
            let behind = at.map(|at| &bare[at + open.len()..]);
            behind.is_some_and(|behind| match open == close {
                true => behind.matches(close).count() % 2 == 0,
                false => !behind.contains(close),
            })
        });
        code.push(line);
        if let Some((.., close, _)) = opened {
            let mut ahead = lines.clone();
            // If the block is never closed, this isn't really its start.
            if ahead.any(|line| line.contains(close)) {
                lines = ahead;
            }
        }
    }
    code
}

/// Whether the definition that starts here has a body that does nothing.
pub(super) fn is_stub(lines: &[&str], does_nothing: fn(&str) -> bool) -> bool {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let Some((first, rest)) = lines.split_first() else {
        return false;
    };
    let head = first.trim_end();
    if head.ends_with(['{', ':']) {
        let body = rest.iter().map(|line| line.trim_end());
        let body = body.take_while(|line| line.is_empty() || depth(line) > depth(first));
        let mut body = body.filter(|line| !line.is_empty() && !is_comment(line.trim()));
        return body.all(does_nothing);
    }
    let braced = head
        .strip_suffix('}')
        .and_then(|head| head.rsplit_once('{'));
    let inside = braced.or_else(|| head.rsplit_once("): "));
    inside.is_some_and(|(_, inside)| inside.trim().is_empty() || does_nothing(inside))
}

/// The keys in a line of data; a line of JSON may have several.
fn keys(line: &str, names: &mut Vec<String>) {
    if line.starts_with(['#', ';']) || line.starts_with("//") {
        return;
    }
    if line.contains('"') && line.contains("\":") {
        let parts: Vec<&str> = line.split("\":").collect();
        let (_, before) = parts.split_last().unwrap_or((&"", &[]));
        names.extend(before.iter().map(|part| {
            let key = part.rsplit('"').next();
            key.unwrap_or_default().to_owned()
        }));
        return;
    }
    if let Some(section) = line.strip_prefix('[') {
        names.push(section.trim_end_matches(']').to_owned());
        return;
    }
    let key = line.trim_start_matches("- ").split([':', '=']).next();
    let key = key.filter(|key| key.len() < line.len()).map(str::trim);
    let is_key = |key: &&str| {
        let is_letter = |letter: char| is_name(letter) || "-./\"'".contains(letter);
        !key.is_empty() && key.chars().all(is_letter)
    };
    names.extend(key.filter(is_key).map(str::to_owned));
}

/// Modifiers that may precede a definition.
const MODIFIERS: WordList = WordList(
    "pub export default async static public private protected internal final abstract unsafe \
    extern virtual override inline open sealed data partial declare global local suspend \
    constexpr noncomputable or replace create temporary",
);

/// Keywords that start a definition.
const KEYWORDS: WordList = WordList(
    "def defp defmodule defn fn func fun function class struct enum trait interface impl type \
    module namespace sub proc procedure protocol record object union macro_rules macro mod \
    extension actor mixin theorem lemma table view trigger typedef",
);

/// Keywords of statements that look like definitions but aren't.
const CONTROL: WordList = WordList(
    "if for while switch catch else return do try with match when foreach using lock synchronized \
    elif unless until loop case new",
);

pub(super) fn is_comment(bare: &str) -> bool {
    let marks = [
        "//", "#", "*", "/*", "--", ";", "%", "<!--", "\"\"\"", "'''",
    ];
    marks.iter().any(|mark| bare.starts_with(mark))
}

/// The name that a line of code defines.
pub(super) fn defined_by(line: &str) -> Option<String> {
    let bare = line.trim();
    if is_comment(bare) || bare.is_empty() {
        return None;
    }
    let mut rest = bare;
    loop {
        let (word, behind) = first_word(rest);
        if word.is_empty() {
            break;
        }
        let lower = word.to_ascii_lowercase();
        if MODIFIERS.contains(lower.as_str()) && !behind.trim_start().is_empty() {
            rest = without_group(behind.trim_start(), '(', ')');
            rest = without_group(rest, '"', '"');
            continue;
        }
        if KEYWORDS.contains(lower.as_str()) {
            return named_after(&lower, behind).or_else(|| before_brace(bare));
        }
        break;
    }
    before_brace(bare).or_else(|| at_the_margin(line))
}

/// The name after a keyword.
fn named_after(keyword: &str, behind: &str) -> Option<String> {
    if !behind.starts_with([' ', '\t', '!', '*', '<']) {
        return None;
    }
    let behind = behind.trim_start_matches(['!', '*']).trim_start();
    let behind = without_group(without_group(behind, '<', '>'), '(', ')');
    if keyword == "impl" {
        let whole = behind.split('{').next().unwrap_or(behind).trim();
        return (!whole.is_empty()).then(|| format!("impl {whole}"));
    }
    let end = behind
        .find(|letter: char| !is_name(letter) && !".:-?!".contains(letter))
        .unwrap_or(behind.len());
    let name = behind[..end].trim_end_matches([':', '.']);
    (!name.is_empty()).then(|| name.to_owned())
}

/// The name before a parameter list and a brace.
fn before_brace(line: &str) -> Option<String> {
    let open = line.find('(')?;
    let (head, tail) = line.split_at(open);
    let (first, _) = first_word(head.trim_start_matches(['}', ' ']));
    let is_block = line.ends_with('{') && tail.contains(')');
    let has_value = head.contains(['=', '.', ',', '"', '\'']);
    if !is_block || has_value || first.is_empty() || CONTROL.contains(first) {
        return None;
    }
    let name = head
        .trim_end()
        .rsplit(|letter: char| !is_name(letter))
        .next()?;
    (!name.is_empty()).then(|| name.to_owned())
}

/// A name without indentation that is assigned a value.
fn at_the_margin(line: &str) -> Option<String> {
    let (first, behind) = first_word(line);
    let (name, behind) = match first {
        "const" | "let" | "var" | "val" => first_word(behind.trim_start()),
        _ => (first, behind),
    };
    let behind = behind.trim_start();
    let is_value = behind.starts_with('=') && !behind.starts_with("==");
    let is_typed = behind.starts_with(':') && !behind.starts_with("::") && behind.contains(" = ");
    ((is_value || is_typed) && !name.is_empty()).then(|| name.to_owned())
}

fn first_word(text: &str) -> (&str, &str) {
    let end = text.find(|letter: char| !is_name(letter));
    text.split_at(end.unwrap_or(text.len()))
}

/// The text without a bracketed group at its start.
fn without_group(text: &str, open: char, close: char) -> &str {
    let Some(inside) = text.strip_prefix(open) else {
        return text;
    };
    inside
        .find(close)
        .map_or(text, |end| inside[end + close.len_utf8()..].trim_start())
}
