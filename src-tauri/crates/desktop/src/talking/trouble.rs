//! Classifies why a turn failed, so that the screen can offer help.
//!
//! The rows contain the reason as a sentence for the person. Its kind is derived from how the error
//! messages of the `model` crate begin; a test keeps the two in sync.

use crate::wire::TalkTrouble;

/// How the messages of [`model::ModelError`] and of the session begin, each with its kind.
const KINDS: [(&str, &str); 16] = [
    ("no model is ", "no_model"),
    ("the server rejected the key", "key"),
    ("the key ", "key"),
    ("the server has no model", "unknown_model"),
    ("couldn't connect to", "unreachable"),
    ("couldn't set up a connection", "unreachable"),
    ("no response for ", "unreachable"),
    ("the connection closed", "broken_off"),
    ("the server stopped with an error", "broken_off"),
    ("server error (", "broken_off"),
    ("the request exceeds", "window"),
    ("the context window of ", "window"),
    ("rate limited by the server", "limit"),
    ("this account is out of credit", "limit"),
    ("invalid endpoint", "endpoint"),
    ("unexpected response from the server", "endpoint"),
];

/// Phrases anywhere in a message that identify its kind.
const SIGNS: [(&str, &str); 3] = [
    ("is not an openai-compatible endpoint", "endpoint"),
    (" redirects to ", "endpoint"),
    ("context window", "window"),
];

/// Classifies a failure.
pub(super) fn of(reason: &str) -> TalkTrouble {
    let lower = reason.trim().to_lowercase();
    let begins = KINDS.iter().find(|(begin, _)| lower.starts_with(begin));
    let found = begins.or_else(|| SIGNS.iter().find(|(sign, _)| lower.contains(sign)));
    told(found.map_or("other", |(_, kind)| kind), reason)
}

/// Classifies a failure to ask the configured model.
pub(super) fn of_model(reason: &str) -> TalkTrouble {
    let trouble = of(reason);
    if trouble.kind == "other" {
        return told("no_model", reason);
    }
    trouble
}

/// The text before a command line in a message.
const LINE: &str = "; start its server with: ";

/// A failure of the given kind. A command line at the end of the message is split off.
pub(super) fn told(kind: &str, message: &str) -> TalkTrouble {
    let (message, line) = match message.split_once(LINE) {
        Some((what, line)) => (
            format!("{what}. Start its server with:"),
            Some(line.to_owned()),
        ),
        None => (message.to_owned(), None),
    };
    TalkTrouble {
        kind: kind.to_owned(),
        message,
        line,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use model::servers::Preset;
    use model::{Endpoint, ModelError};

    use super::of;
    use workbench::endpoints::problem;

    #[test]
    fn each_failure_of_an_endpoint_has_its_kind() {
        let said = || "\u{201c}words\u{201d}".to_owned();
        let address = || "http://127.0.0.1:1/v1".to_owned();
        let failures = [
            (
                ModelError::KeyRefused {
                    status: 401,
                    said: said(),
                },
                "key",
            ),
            (
                ModelError::UnknownModel {
                    model: "m".to_owned(),
                    said: said(),
                },
                "unknown_model",
            ),
            (
                ModelError::Unreachable {
                    address: address(),
                    why: "refused".to_owned(),
                },
                "unreachable",
            ),
            (ModelError::Setup("why".to_owned()), "unreachable"),
            (
                ModelError::Stalled {
                    silence: Duration::from_secs(60),
                    at_start: true,
                },
                "unreachable",
            ),
            (ModelError::Cut, "broken_off"),
            (ModelError::Reported { said: said() }, "broken_off"),
            (
                ModelError::TooLarge {
                    said: said(),
                    window: None,
                },
                "window",
            ),
            (ModelError::NoCredit { said: said() }, "limit"),
            (
                ModelError::NotAnEndpoint {
                    address: address(),
                    status: 404,
                },
                "endpoint",
            ),
            (ModelError::NotJson { what: said() }, "endpoint"),
        ];
        for (failure, kind) in failures {
            let trouble = of(&failure.to_string());
            assert_eq!(trouble.kind, kind, "{failure}");
            assert_eq!(trouble.message, failure.to_string());
        }
        assert_eq!(of("something else altogether").kind, "other");
    }

    #[test]
    fn a_window_that_is_too_small_has_the_line_that_raises_it_apart() {
        let endpoint = Endpoint {
            base_url: "http://localhost:11434/v1".to_owned(),
            model: "small".to_owned(),
            key_variable: None,
        };
        let small = problem::window(&endpoint, Preset::Ollama, 4_096, 8_192);
        let trouble = of(&small.sentence());
        let line = small.problem().line;
        assert_eq!(trouble.kind, "window");
        assert!(line.is_some());
        assert_eq!(trouble.line, line);
        assert!(!trouble.message.contains(line.unwrap_or_default().as_str()));
    }
}
