//! Where words of a task stand in the file.

use plan::{Span, Task};

/// The bytes of these words: in the title, in the value of a key, or the whole title where the file
/// does not write them as they were read.
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

/// The value of the first line of a key; the title where there is none.
pub(crate) fn key_at(task: &Task, key: &str) -> Span {
    task.fields
        .iter()
        .find(|field| field.key == key)
        .map_or_else(|| task.title_span.clone(), |field| field.value_span.clone())
}

/// The bytes of these words in the values of one key; the key's first value where they are written
/// otherwise, as an escaped path is.
pub(crate) fn value_at(task: &Task, key: &str, words: &str) -> Span {
    task.fields
        .iter()
        .filter(|field| field.key == key)
        .find_map(|field| within(&field.value, &field.value_span, words))
        .unwrap_or_else(|| key_at(task, key))
}

fn within(text: &str, span: &Span, words: &str) -> Option<Span> {
    // Offsets hold only where what was read is, byte for byte, what stands in the file.
    if words.is_empty() || span.len() != text.len() {
        return None;
    }
    let at = span.start + text.find(words)?;
    Some(at..at + words.len())
}
