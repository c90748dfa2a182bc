//! Locates the words of a task in the file.

use plan::{Span, Task};

/// The byte range of these words in the title or in the value of a key; the whole title if the file
/// spells them differently.
pub(crate) fn words_at(task: &Task, words: &str) -> Span {
    let whole = task.title_span.clone();
    if let Some(span) = within(&task.title, &whole, words) {
        return span;
    }
    task.fields
        .iter()
        .find_map(|field| within(&field.value, &field.value_span, words))
        .unwrap_or(whole)
}

/// The byte range of the key's first value, or of the title if the task doesn't have the key.
pub(crate) fn key_at(task: &Task, key: &str) -> Span {
    task.fields
        .iter()
        .find(|field| field.key == key)
        .map_or_else(|| task.title_span.clone(), |field| field.value_span.clone())
}

/// The byte range of these words in the values of a key, or of the key's first value if the file
/// spells them differently, as with an escaped path.
pub(crate) fn value_at(task: &Task, key: &str, words: &str) -> Span {
    task.fields
        .iter()
        .filter(|field| field.key == key)
        .find_map(|field| within(&field.value, &field.value_span, words))
        .unwrap_or_else(|| key_at(task, key))
}

fn within(text: &str, span: &Span, words: &str) -> Option<Span> {
    // The offsets are valid only if the file contains the parsed text byte for byte.
    if words.is_empty() || span.len() != text.len() {
        return None;
    }
    let at = span.start + text.find(words)?;
    Some(at..at + words.len())
}
