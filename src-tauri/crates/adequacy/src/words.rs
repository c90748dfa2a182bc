//! Lists of English words that the text rules look things up in. Nothing else may stand here.

/// Before a "todo" that is a thing.
#[rustfmt::skip] // one word a line would bury the list
pub(crate) const DETERMINERS: &[&str] = &[
    "a", "an", "the", "each", "every", "one", "new", "this", "that", "single", "completed",
    "open", "per",
];

/// After a "todo" that is part of a name.
#[rustfmt::skip] // one word a line would bury the list
pub(crate) const TODO_NOUNS: &[&str] = &[
    "api", "app", "application", "apps", "board", "card", "cards", "comment", "comments",
    "component", "components", "counter", "crud", "demo", "endpoint", "entries", "entry",
    "example", "form", "item", "items", "list", "lists", "marker", "markers", "model", "note",
    "notes", "page", "record", "records", "row", "rows", "screen", "service", "store", "table",
    "text", "title", "titles", "view", "widget",
];

/// After a "placeholder" that is part of a name.
#[rustfmt::skip] // one word a line would bury the list
pub(crate) const PLACEHOLDER_NOUNS: &[&str] = &[
    "attribute", "avatar", "color", "colour", "hint", "icon", "image", "label", "name", "names",
    "parameter", "parameters", "prop", "string", "syntax", "text", "token", "tokens",
];

/// After a "stub" that is a test double.
#[rustfmt::skip] // one word a line would bury the list
pub(crate) const STUB_NOUNS: &[&str] = &[
    "client", "object", "resolver", "response", "responses", "server", "servers", "service",
];

/// Words that fit into any plan; sorted, so that they can be searched.
#[rustfmt::skip] // one word a line would bury the list
pub(crate) const GENERIC: &[&str] = &[
    "a", "again", "all", "an", "and", "any", "appropriate", "are", "as", "be", "carefully",
    "change", "changes", "check", "complete", "completed", "confirm", "continue", "correct",
    "correctly", "do", "done", "double", "ensure", "everything", "expected", "final",
    "finalise", "finalize", "fine", "finish", "first", "fix", "following", "for", "further",
    "good", "handle", "if", "implement", "implementation", "improve", "improvements", "in",
    "is", "issues", "it", "its", "keep", "look", "made", "make", "more", "necessary", "needed",
    "next", "of", "ok", "on", "once", "other", "overall", "perform", "plan", "proceed",
    "project", "proper", "properly", "quality", "ready", "remaining", "required", "rest",
    "result", "results", "review", "step", "steps", "sure", "task", "tasks", "that", "the",
    "them", "things", "this", "to", "up", "verify", "well", "whole", "with", "work", "working",
    "works", "wrap",
];
