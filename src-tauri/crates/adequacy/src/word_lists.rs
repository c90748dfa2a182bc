//! English word lists for the rules about text.

/// Words before "todo" that show that it is a thing.
#[rustfmt::skip] // rustfmt would put each word on its own line
pub(crate) const DETERMINERS: &[&str] = &[
    "a", "an", "the", "each", "every", "one", "new", "this", "that", "single", "completed",
    "open", "per",
];

/// Words after "todo" that show that it is part of a name.
#[rustfmt::skip] // rustfmt would put each word on its own line
pub(crate) const TODO_NOUNS: &[&str] = &[
    "api", "app", "application", "apps", "board", "card", "cards", "comment", "comments",
    "component", "components", "counter", "crud", "demo", "endpoint", "entries", "entry",
    "example", "form", "item", "items", "list", "lists", "marker", "markers", "model", "note",
    "notes", "page", "record", "records", "row", "rows", "screen", "service", "store", "table",
    "text", "title", "titles", "view", "widget",
];

/// Words after "placeholder" that show that it is part of a name.
#[rustfmt::skip] // rustfmt would put each word on its own line
pub(crate) const PLACEHOLDER_NOUNS: &[&str] = &[
    "attribute", "avatar", "color", "colour", "hint", "icon", "image", "label", "name", "names",
    "parameter", "parameters", "prop", "string", "syntax", "text", "token", "tokens",
];

/// Words after "stub" that show that it is a test double.
#[rustfmt::skip] // rustfmt would put each word on its own line
pub(crate) const STUB_NOUNS: &[&str] = &[
    "client", "object", "resolver", "response", "responses", "server", "servers", "service",
];

/// Generic words that fit any plan, sorted for binary search.
#[rustfmt::skip] // rustfmt would put each word on its own line
pub(crate) const GENERIC_WORDS: &[&str] = &[
    "a", "about", "again", "all", "an", "and", "any", "appropriate", "are", "as", "be", "begin",
    "best", "brainstorm", "carefully", "case", "cases", "change", "changes", "check", "clean",
    "cleanly", "code", "codebase", "coding", "communicate", "complete", "completed", "confirm",
    "consider", "continue", "coordinate", "corner", "correct", "correctly", "discuss", "do", "done",
    "double", "edge", "efficient", "efficiently", "ensure", "everything", "expected", "final",
    "finalise", "finalize", "fine", "finish", "first", "fix", "follow", "following", "for",
    "further", "get", "goal", "goals", "good", "guideline", "guidelines", "handle", "high", "ideas",
    "if", "implement", "implementation", "improve", "improvements", "in", "is", "issues", "it",
    "its", "keep", "look", "made", "maintain", "maintainable", "make", "more", "necessary",
    "needed", "next", "nice", "objectives", "of", "ok", "on", "once", "organise", "organize",
    "other", "overall", "perform", "plan", "polish", "possible", "practice", "practices", "proceed",
    "progress", "project", "proper", "properly", "quality", "readable", "ready", "remaining",
    "required", "rest", "result", "results", "review", "robust", "smooth", "smoothly", "solution",
    "stakeholder", "stakeholders", "standards", "start", "step", "steps", "success", "sure", "task",
    "tasks", "team", "that", "the", "them", "things", "think", "this", "thorough", "thoroughly",
    "tidy", "to", "up", "verify", "well", "whole", "with", "work", "working", "works", "wrap",
];

/// Words that end the scope of the preceding word.
#[rustfmt::skip] // rustfmt would put each word on its own line
pub(crate) const BORDERS: &[&str] = &[
    "a", "after", "an", "and", "as", "at", "because", "before", "but", "by", "for", "from", "if",
    "in", "into", "on", "or", "so", "than", "that", "then", "to", "unless", "until", "via",
    "when", "where", "which", "while", "with",
];
