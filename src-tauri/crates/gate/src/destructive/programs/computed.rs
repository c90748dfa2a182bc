//! Programs whose name the line computes from a variable or from a command's output.

use super::launched::base;
use crate::destructive::shell;

/// The words that a name expands to; `None` if they can't be determined. As in a shell, a variable
/// that the line does not set is empty. An unknown folder doesn't matter for the program's name.
pub(super) fn resolved(program: &str) -> Option<Vec<String>> {
    let mut told = String::new();
    let mut rest = program;
    let in_last_folder = |behind: &str| program.rfind('/') < Some(program.len() - behind.len());
    while let Some(at) = rest.find(['$', '`']) {
        let (before, computed) = rest.split_at(at);
        let (value, behind) = value(computed)?;
        told.push_str(before);
        match value {
            Some(value) => told.push_str(&value),
            None if !in_last_folder(behind) => {}
            None => return None,
        }
        rest = behind;
    }
    told.push_str(rest);
    Some(told.split_whitespace().map(str::to_owned).collect())
}

/// The value of the variable or command substitution at the start of a text, if it can be
/// determined, and the rest of the text.
fn value(text: &str) -> Option<(Option<String>, &str)> {
    if let Some(inner) = text.strip_prefix('`') {
        let (line, behind) = inner.split_once('`')?;
        return Some((printed(line), behind));
    }
    let inner = &text[1..];
    if !inner.starts_with(['(', '{']) {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = inner.find(|c| !is_name(c)).unwrap_or(inner.len());
        return Some((Some(String::new()), &inner[end..]));
    }
    let mut nesting = 0_usize;
    let end = inner.find(|c| {
        nesting += usize::from(matches!(c, '(' | '{'));
        nesting -= usize::from(matches!(c, ')' | '}'));
        nesting == 0
    })?;
    let (inside, behind) = (&inner[1..end], &inner[end + 1..]);
    if inner.starts_with('(') {
        return Some((printed(inside), behind));
    }
    // The default value in `${NAME:-value}`.
    let default = inside.split_once(['-', '=']).map_or("", |(_, value)| value);
    Some((Some(default.to_owned()), behind))
}

/// The output of `echo` or `printf`; for `which` and similar commands, the program's name.
fn printed(line: &str) -> Option<String> {
    let mut nesting = 0_usize;
    let mut commands = shell::commands(line);
    commands.retain(|one| {
        nesting += usize::from(one.is_begin());
        let is_outer = nesting == 0;
        nesting = nesting.saturating_sub(usize::from(one.is_end()));
        is_outer
    });
    let (program, rest) = commands.last()?.words.split_first()?;
    match (base(program), rest) {
        ("which" | "command" | "type" | "whence", [.., found]) => Some(found.clone()),
        _ if commands.len() > 1 => None,
        ("echo", [option, words @ ..]) if option.starts_with('-') => Some(words.join(" ")),
        ("echo", words) => Some(words.join(" ")),
        ("printf", [format, word]) if format.starts_with("%s") => Some(word.clone()),
        ("printf", [word]) if !word.contains(['%', '\\']) => Some(word.clone()),
        _ => None,
    }
}
