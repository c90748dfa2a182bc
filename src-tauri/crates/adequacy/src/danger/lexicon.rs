//! Word lists for the danger rules.

use std::sync::LazyLock;

use crate::word_lists::BORDERS;
use rustc_hash::FxHashMap;

/// Verbs that always express destruction.
#[rustfmt::skip] // rustfmt would put each word on its own line
const RUIN: &[&str] = &[
    "annihilate", "destroy", "erase", "nuke", "obliterate", "purge", "reformat", "shred", "wipe",
    "zero",
];

/// Verbs that apply to forms and lists as well as to stored data.
#[rustfmt::skip] // rustfmt would put each word on its own line
const TAKE_AWAY: &[&str] = &[
    "clear", "delete", "discard", "drop", "empty", "flush", "overwrite", "prune", "remove",
    "reset", "scrap", "terminate", "trash", "truncate",
];

/// Nouns formed from verbs in [`RUIN`] and [`TAKE_AWAY`]: "deletion of all accounts".
#[rustfmt::skip] // rustfmt would put each word on its own line
const AS_NOUN: &[&str] = &[
    "clearance", "deletion", "destruction", "erasure", "removal", "truncation",
];

/// Passive forms of verbs in [`RUIN`] and [`TAKE_AWAY`].
#[rustfmt::skip] // rustfmt would put each word on its own line
const DONE_TO: &[&str] = &[
    "cleared", "deleted", "destroyed", "discarded", "dropped", "emptied", "erased", "flushed",
    "lost", "nuked", "obliterated", "overwritten", "pruned", "purged", "reformatted", "removed",
    "reset", "scrapped", "shredded", "terminated", "trashed", "truncated", "wiped", "zeroed",
];

/// Gerunds of verbs in [`RUIN`] and [`TAKE_AWAY`]: "needs emptying".
#[rustfmt::skip] // rustfmt would put each word on its own line
const DOING: &[&str] = &[
    "clearing", "deleting", "destroying", "dropping", "emptying", "erasing", "flushing", "pruning",
    "purging", "removing", "truncating", "wiping",
];

/// Places that contain nothing but data.
#[rustfmt::skip] // rustfmt would put each word on its own line
const STORES: &[&str] = &[
    "backup", "backups", "bucket", "buckets", "cluster", "clusters", "database", "databases",
    "datastore", "db", "dbs", "keyspace", "keyspaces", "namespace", "namespaces", "partition",
    "partitions", "snapshots", "tablespace", "warehouse",
];

/// Words for places that contain data, but also for parts of a screen or a program.
#[rustfmt::skip] // rustfmt would put each word on its own line
const MAYBE_STORES: &[&str] = &[
    "archive", "archives", "collection", "collections", "column", "columns", "dataset", "datasets",
    "disk", "disks", "drive", "drives", "schema", "schemas", "snapshot", "storage", "table",
    "tables", "volume", "volumes",
];

/// Kinds of stored data.
#[rustfmt::skip] // rustfmt would put each word on its own line
const CONTENTS: &[&str] = &[
    "account", "accounts", "customers", "data", "documents", "invoices", "logs", "mails",
    "messages", "orders", "payments", "profiles", "records", "recordings", "rows", "tenants",
    "transactions", "uploads", "users",
];

/// Adjectives for data whose loss somebody would notice.
#[rustfmt::skip] // rustfmt would put each word on its own line
const PRECIOUS: &[&str] = &[
    "all", "archived", "client", "complete", "customer", "customer's", "customers", "entire",
    "every", "existing", "expired", "historic", "historical", "inactive", "legacy", "live", "old",
    "older", "orphaned", "outdated", "personal", "prod", "production", "production's", "remaining",
    "stale", "tenant", "user", "user's", "users", "whole",
];

/// Words that show that data is in use.
#[rustfmt::skip] // rustfmt would put each word on its own line
const IN_USE: &[&str] = &[
    "client", "customer", "customer's", "customers", "live", "prod", "production", "production's",
    "tenant", "user's",
];

/// Words after a phrase that denote a part of a program or screen, so that the phrase is only a
/// name.
#[rustfmt::skip] // rustfmt would put each word on its own line
pub(super) const PARTS: &[&str] = &[
    "abstraction", "action", "actions", "adapter", "annotation", "annotations", "api", "argument",
    "arguments", "attribute", "attributes", "binding", "bindings", "button", "buttons", "call",
    "callback", "callers", "calls", "cell", "cells", "checkbox", "class", "classes", "client",
    "code", "command", "commands", "comment", "comments", "component", "components", "config",
    "configuration", "connection", "connections", "console.log", "control", "crate", "css",
    "dependencies", "dependency", "diagram", "dialog", "dialogs", "docs", "documentation",
    "driver", "drivers", "endpoint", "endpoints", "enum", "error", "errors", "event", "events",
    "example", "examples", "feature", "features", "fixture", "fixtures", "flag", "flags",
    "function", "functions", "handle", "handler", "handlers", "handling", "header", "headers",
    "helper", "helpers", "hint", "icon", "icons", "import", "imports", "interface", "interfaces",
    "item", "keyword", "label", "layer", "layout", "library", "link", "links", "logic", "mapping",
    "menu", "message", "method", "methods", "mock", "mocks", "model", "models", "modal", "module",
    "modules", "mutation", "name", "names", "occurrences", "of-contents", "operation",
    "operations", "option", "options", "package", "packages", "page", "pages", "panel", "param",
    "parameter", "parameters", "parser", "path", "permission", "picker", "policy", "pool",
    "prefix", "prompt", "queries", "query", "reference", "references", "request", "requests",
    "route", "routes", "screen", "section", "semantics", "service", "setting", "settings",
    "shortcut", "statement", "statements", "states", "string", "strings", "style", "styles",
    "support", "syntax", "tab", "tabs", "test", "testing", "tests", "todos", "token", "tooltip",
    "type", "types", "ui", "url", "urls", "usage", "usages", "uses", "variable", "variables",
    "view", "views", "viewer", "warning", "warnings", "whitespace", "widget", "widgets", "wrapper",
];

/// Words near which "table" and "records" mean parts of a screen.
#[rustfmt::skip] // rustfmt would put each word on its own line
const ON_SCREEN: &[&str] = &[
    "button", "buttons", "cache", "component", "components", "dialog", "dropdown", "field",
    "filter", "form", "grid", "input", "list", "menu", "modal", "page", "panel", "popup", "screen",
    "selection", "sidebar", "state", "tab", "toolbar", "ui", "view", "widget",
];

/// Words that mark nearby data as test or temporary data, which can be regenerated.
#[rustfmt::skip] // rustfmt would put each word on its own line
const OF_TESTS: &[&str] = &[
    "demo", "dummy", "fake", "fixture", "fixtures", "in-memory", "mock", "sandbox", "scratch",
    "temp", "temporary", "test", "tests", "throwaway", "tmp",
];

/// Verb forms for data loss that don't name an actor.
const LEAVING: &[&str] = &[
    "blown",
    "disappear",
    "empty",
    "go",
    "thrown",
    "torn",
    "vanish",
];

/// The senses of a word as bits; 0 for most words.
pub(super) fn sense(word: &str) -> u16 {
    static SENSES: LazyLock<FxHashMap<String, u16>> = LazyLock::new(senses);
    SENSES.get(word).copied().unwrap_or(0)
}

pub(super) const IS_RUIN: u16 = 1;
pub(super) const IS_TAKING: u16 = 1 << 1;
pub(super) const IS_DONE: u16 = 1 << 2;
pub(super) const IS_DOING: u16 = 1 << 3;
pub(super) const IS_STORE: u16 = 1 << 4;
pub(super) const IS_MAYBE: u16 = 1 << 5;
pub(super) const IS_CONTENT: u16 = 1 << 6;
pub(super) const IS_PRECIOUS: u16 = 1 << 7;
pub(super) const IS_IN_USE: u16 = 1 << 8;
pub(super) const IS_PART: u16 = 1 << 9;
pub(super) const IS_ON_SCREEN: u16 = 1 << 10;
pub(super) const IS_OF_TESTS: u16 = 1 << 11;
pub(super) const IS_BORDER: u16 = 1 << 12;
pub(super) const IS_NOUN: u16 = 1 << 13;
/// Verbs for data loss that don't name an actor: "rows can go".
pub(super) const IS_LEAVING: u16 = 1 << 14;

/// All words for stored data.
pub(super) const IS_DATA: u16 = IS_STORE | IS_MAYBE | IS_CONTENT;
/// All words for loss of data.
pub(super) const IS_LOSS: u16 = IS_RUIN | IS_TAKING | IS_DONE | IS_DOING | IS_LEAVING;

fn senses() -> FxHashMap<String, u16> {
    let mut senses: FxHashMap<String, u16> = FxHashMap::default();
    let plain = [
        (DONE_TO, IS_DONE),
        (DOING, IS_DOING),
        (STORES, IS_STORE),
        (MAYBE_STORES, IS_MAYBE),
        (CONTENTS, IS_CONTENT),
        (PRECIOUS, IS_PRECIOUS),
        (IN_USE, IS_IN_USE),
        (PARTS, IS_PART),
        (ON_SCREEN, IS_ON_SCREEN),
        (OF_TESTS, IS_OF_TESTS),
        (BORDERS, IS_BORDER),
        (AS_NOUN, IS_TAKING | IS_NOUN),
        (LEAVING, IS_LEAVING),
    ];
    for (list, bit) in plain {
        for word in list {
            *senses.entry((*word).to_owned()).or_default() |= bit;
        }
    }
    for (verbs, bit) in [(RUIN, IS_RUIN), (TAKE_AWAY, IS_TAKING)] {
        for verb in verbs {
            for form in forms(verb) {
                *senses.entry(form).or_default() |= bit;
            }
        }
    }
    senses
}

/// A verb's base form, its "s" form and its "ing" forms.
fn forms(verb: &str) -> [String; 4] {
    let stem = verb.trim_end_matches('e');
    let last = verb.chars().next_back().unwrap_or_default();
    [
        verb.to_owned(),
        format!("{verb}s"),
        format!("{stem}ing"),
        format!("{verb}{last}ing"),
    ]
}

/// Whether a list contains a word.
pub(super) fn is_in(list: &[&str], word: &str) -> bool {
    list.contains(&word)
}
