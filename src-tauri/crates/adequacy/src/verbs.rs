//! Classifies the work of a step by the first word of its title.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

/// A kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WorkKind {
    /// Creates something new.
    Create,
    /// Changes or removes something that exists.
    Change,
    /// Only looks at, tests or reviews something, without changing anything.
    Check,
    /// Writes text for readers, or finds something out.
    Inform,
    /// Any other work, or a title in another language.
    Other,
}

#[rustfmt::skip] // rustfmt would put each word on its own line
const CREATE: &[&str] = &[
    "add", "build", "create", "develop", "draw", "generate", "implement", "introduce", "make", "new", "scaffold",
    "set", "setup", "store", "write",
];

#[rustfmt::skip] // rustfmt would put each word on its own line
const CHANGE: &[&str] = &[
    "adapt", "adjust", "apply", "change", "connect", "convert", "correct", "cut", "delete", "drop", "edit", "enable",
    "encrypt", "extend", "extract", "fix", "handle", "improve", "inline", "integrate", "limit", "merge", "migrate",
    "modify", "move", "optimise", "optimize", "parse", "patch", "port", "reduce", "refactor", "register", "remove",
    "rename", "render", "replace", "restructure", "rewrite", "rework", "simplify", "sort", "speed", "split", "swap",
    "switch", "teach", "tweak", "update", "upgrade", "use", "wire", "wrap",
];

#[rustfmt::skip] // rustfmt would put each word on its own line
const CHECK: &[&str] = &[
    "approve", "assert", "audit", "benchmark", "check", "confirm", "ensure", "inspect", "lint", "measure", "profile", "prove",
    "qa", "retest", "review", "smoke", "test", "validate", "verify",
];

#[rustfmt::skip] // rustfmt would put each word on its own line
const INFORM: &[&str] = &[
    "agree", "analyse", "analyze", "announce", "ask", "choose", "collect", "compare", "decide", "describe", "design",
    "discuss", "document", "draft", "evaluate", "explain", "explore", "find", "interview", "investigate", "learn",
    "list", "look", "mention", "note", "plan", "propose", "read", "research", "search", "sketch", "study",
    "summarise", "summarize", "survey", "translate", "watch",
];

impl WorkKind {
    /// The kind of work that a step with this title does.
    pub(crate) fn of(title: &str) -> Self {
        let mut words = title
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let word = words.next().unwrap_or_default();
        // "Make sure that it works" creates nothing.
        let is_sure = |next: &str| matches!(next, "sure" | "certain");
        if word.eq_ignore_ascii_case("make") && words.next().is_some_and(is_sure) {
            return Self::Check;
        }
        static VERBS: LazyLock<HashMap<&str, WorkKind>> = LazyLock::new(|| {
            [
                (CREATE, WorkKind::Create),
                (CHANGE, WorkKind::Change),
                (CHECK, WorkKind::Check),
                (INFORM, WorkKind::Inform),
            ]
            .into_iter()
            .flat_map(|(verbs, kind)| verbs.iter().map(move |verb| (*verb, kind)))
            .collect()
        });
        // Titles are capitalized, and every verb in the lists fits into the buffer.
        let mut room = [0; 16];
        let Some(lower) = room.get_mut(..word.len()) else {
            return Self::Other;
        };
        lower.copy_from_slice(word.as_bytes());
        lower.make_ascii_lowercase();
        std::str::from_utf8(lower)
            .ok()
            .and_then(|word| VERBS.get(word))
            .copied()
            // "DELETE /rows" is an HTTP request.
            .filter(|kind| {
                *kind == Self::Check
                    || word.len() < 2
                    || word.bytes().any(|byte| byte.is_ascii_lowercase())
            })
            .unwrap_or(Self::Other)
    }
}

/// Whether the whole step is a check: it tests, reviews or measures the work of other steps.
pub(crate) fn is_check(title: &str) -> bool {
    static CHECKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)^\W*(?:(?:re-?)?test|unit[ -]?test|load[ -]?test|verify|validate|confirm|review|check|qa|audit|inspect|proofread|benchmark|measure|smoke|have\s+\S+(?:\s+\S+)?\s+review|(?:run|execute|write|add|do|perform|finish|complete|get|create|make)\s+(?:[^\s.;]+\s+){0,5}(?:tests?|suite|review|qa|checks?|audit|approval|sign-?off)|teste[nrz]?|pr[üu]fe[n]?|[üu]berpr[üu]fe[n]?|v[ée]rifie[rz]?|valide[rz]?|prob(?:ar|e|ad)|verific(?:ar|a|are|he)|valid(?:ar|a|are)|revis(?:ar|a|ão)|testar[e]?|provare)(?-u:\b)|^\W*(?:протестир|провер|тест)|^[^。\n]{0,20}(?:测试|測試|验证|驗證|检查|审查|评审|テスト|検証|確認|レビュー|테스트|검증|확인|검토)",
        )
        .ok()
    });
    CHECKS.as_ref().is_some_and(|checks| checks.is_match(title))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_determines_the_kind_of_work() {
        for (title, kind) in [
            ("Add a button", WorkKind::Create),
            ("`Fix` the parser", WorkKind::Change),
            ("Test the parser", WorkKind::Check),
            ("Document the parser", WorkKind::Inform),
            ("Knopf bauen", WorkKind::Other),
            ("`DELETE /rows/3` is answered by 204", WorkKind::Other),
            ("", WorkKind::Other),
        ] {
            assert_eq!(WorkKind::of(title), kind, "{title}");
        }
    }

    #[test]
    fn a_step_that_tests_is_a_check() {
        for title in [
            "Test the pricing page with the new tax rules",
            "Run the whole test suite",
            "Write tests for the login form",
            "Review the change with a colleague",
            "Prüfe die Seite",
            "Vérifier la page",
            "Проверить страницу",
            "测试定价页面",
            "価格ページをテストする",
        ] {
            assert!(is_check(title), "{title}");
        }
        for title in [
            "Build the test server page",
            "Add a testimonial page",
            "Deploy it",
            "Move the tests",
        ] {
            assert!(!is_check(title), "{title}");
        }
    }
}
