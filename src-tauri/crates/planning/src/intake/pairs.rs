//! Parses the (old name, new name) pairs of a rename request, in each supported language.
//!
//! A clause is parsed completely or not at all: the verb, a list of pairs, then an optional
//! location or reason. One pair that can't be parsed rejects the whole clause, so that no name is
//! lost. The words after the last pair are returned separately, since names in them belong to no
//! pair.

use std::sync::LazyLock;

use regex::Regex;

use super::names::{group, last_part, pattern};
use super::paths::is_known_extension;

/// The names of a rename.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rename {
    /// The name as it appears in the code: the last component if it is dotted.
    pub from: String,
    /// The new name.
    pub to: String,
    /// What the goal says the name stands for, such as `function`; empty if unspecified.
    pub noun: String,
    /// The old name as the goal writes it.
    pub spelled: String,
}

impl Rename {
    /// The identifiers that code may use for a command-line option: `dry_run` and `dryRun` for
    /// `--dry-run`.
    pub(crate) fn names_in_code(&self) -> Vec<String> {
        let Some(bare) = self.from.strip_prefix("--") else {
            return Vec::new();
        };
        let mut camel = String::new();
        for (nth, part) in bare.split('-').enumerate() {
            let mut letters = part.chars();
            match (nth, letters.next()) {
                (1.., Some(first)) => camel.extend(first.to_uppercase().chain(letters)),
                _ => camel.push_str(part),
            }
        }
        let mut names = vec![bare.replace('-', "_"), camel];
        names.dedup();
        names
    }
}

/// The pairs in a clause, and its remaining words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Pairs {
    pub(super) renames: Vec<Rename>,
    /// The words that belong to no pair: one before each noun, and all after the last pair.
    pub(super) rest: String,
}

/// A name as written in code, or a command-line option, with or without quotes or backticks.
const NAME: &str = r#"[`"'„“]?(--?[A-Za-z][\w-]*|[A-Za-z_$][\w$]*(?:(?:::|\.|->|#)[A-Za-z_$][\w$]*)*)(?:\(\))?[`"'“”]?"#;
const ARROWS: &str = "->|=>|→";

/// How a language phrases a rename request. All fields except `nouns` are patterns.
struct Language {
    /// The verb; may be repeated before each pair.
    verb: &'static str,
    /// The infinitive that ends a clause whose verb comes last.
    infinitive: &'static str,
    /// The particle of a separable verb, which may follow a pair.
    particle: &'static str,
    article: &'static str,
    /// Nouns for what is renamed, with their English equivalents.
    nouns: &'static [(&'static str, &'static str)],
    to: &'static str,
    and: &'static str,
    /// A location that is given within a pair.
    scope: &'static str,
    /// The allowed beginnings of the text after the last pair.
    tail: &'static str,
    /// Words after the last pair that exclude something from the rename; no rule can interpret
    /// these.
    but: &'static str,
}

const LANGUAGES: [Language; 4] = [
    Language {
        verb: r"rename(?:\s+(?:all|every|each)\s+(?:occurrences?|uses?|instances?|mentions?)\s+of)?|change\s+the\s+name\s+of",
        infinitive: "",
        particle: "",
        article: "the",
        nouns: &[
            ("function", "function"),
            ("func", "func"),
            ("fn", "fn"),
            ("method", "method"),
            ("class", "class"),
            ("struct", "struct"),
            ("enum", "enum"),
            ("trait", "trait"),
            ("interface", "interface"),
            ("type", "type"),
            ("variable", "variable"),
            ("constant", "constant"),
            ("const", "const"),
            ("field", "field"),
            ("attribute", "attribute"),
            ("property", "property"),
            ("parameter", "parameter"),
            ("argument", "argument"),
            ("module", "module"),
            ("macro", "macro"),
            ("symbol", "symbol"),
            ("identifier", "identifier"),
            ("helper", "helper"),
            ("component", "component"),
            ("hook", "hook"),
            ("test", "test"),
            ("column", "column"),
            ("key", "key"),
            ("option", "option"),
            ("setting", "setting"),
            ("flag", "flag"),
        ],
        to: "to|into|as",
        and: "and|&|then",
        scope: r"(?:everywhere|throughout|across)(?:\s+(?:the|whole|entire|all|project|code|codebase|workspace|repository|files?))*",
        tail: r"everywhere|throughout|across|in|for|so|\(|at|within|project|because|to|with|wherever|globally|consistently|also|including",
        but: "only|just|solely|alone|nowhere|nothing|else|except|excluding|but|apart|unless|if|when|until|without|not|no",
    },
    Language {
        verb: "benenne",
        infinitive: "umbenennen",
        particle: "um|umbenennen",
        article: "die|den|das|der",
        nouns: &[
            ("Funktion", "function"),
            ("Methode", "method"),
            ("Klasse", "class"),
            ("Variable", "variable"),
            ("Konstante", "constant"),
            ("Modul", "module"),
            ("Feld", "field"),
            ("Option", "option"),
            ("Spalte", "column"),
            ("Parameter", "parameter"),
            ("Struktur", "struct"),
            ("Eigenschaft", "property"),
            ("Schnittstelle", "interface"),
        ],
        to: "in|zu|nach",
        and: "und|dann|sowie",
        scope: r"überall|durchgehend|im\s+(?:ganzen|gesamten)\s+(?:Projekt|Code)|im\s+Projekt",
        tail: "überall|durchgehend|im|in|damit|weil|auch|inklusive",
        but: "nur|allein|nirgends|sonst|außer|ausser|ohne|falls|wenn|bis|nicht|kein|keine|keinen",
    },
    Language {
        verb: "renomme|renommez|renommer",
        infinitive: "",
        particle: "",
        article: r"la|le|les|l['’]",
        nouns: &[
            ("fonction", "function"),
            ("méthode", "method"),
            ("classe", "class"),
            ("variable", "variable"),
            ("constante", "constant"),
            ("module", "module"),
            ("champ", "field"),
            ("option", "option"),
            ("paramètre", "parameter"),
            ("propriété", "property"),
            ("interface", "interface"),
        ],
        to: "en",
        and: "et|puis|ensuite",
        scope: r"partout|dans\s+tout\s+le\s+projet",
        tail: "partout|dans|pour|afin|car|aussi|y compris",
        but: "seulement|uniquement|sauf|hormis|excepté|sans|si|pas|nulle|rien|mais",
    },
    Language {
        verb: r"renombra|renombre|renombrar|cambia\s+el\s+nombre\s+de",
        infinitive: "",
        particle: "",
        article: "la|el|las|los",
        nouns: &[
            ("función", "function"),
            ("método", "method"),
            ("clase", "class"),
            ("variable", "variable"),
            ("constante", "constant"),
            ("módulo", "module"),
            ("campo", "field"),
            ("opción", "option"),
            ("parámetro", "parameter"),
            ("propiedad", "property"),
            ("interfaz", "interface"),
        ],
        to: "a|por|como",
        and: "y|e|luego|después",
        scope: r"en\s+todas\s+partes|en\s+todo\s+el\s+proyecto",
        tail: "en|para|porque|también|incluyendo",
        but: "solo|sólo|solamente|únicamente|salvo|excepto|menos|sin|si|no|nada|pero",
    },
];

/// The compiled patterns of a language.
struct Reader {
    /// Matches a clause of this language that asks for a rename.
    asks: Regex,
    /// Matches the separator between two pairs.
    joint: Regex,
    /// Matches a pair at the start of a text.
    begins: Regex,
    /// Matches exactly one pair.
    pair: Regex,
    tail: Regex,
    but: Regex,
    language: &'static Language,
}

static READERS: LazyLock<Vec<Reader>> =
    LazyLock::new(|| LANGUAGES.iter().filter_map(Reader::new).collect());

impl Reader {
    fn new(language: &'static Language) -> Option<Self> {
        let Language {
            verb,
            infinitive,
            particle,
            article,
            to,
            and,
            scope,
            tail,
            but,
            ..
        } = language;
        let nouns: Vec<&str> = language.nouns.iter().map(|(noun, _)| *noun).collect();
        let nouns = nouns.join("|");
        let ends = match *infinitive {
            "" => String::new(),
            word => format!(r"|\b{word}\b"),
        };
        let closing = match *particle {
            "" => String::new(),
            particle => format!(r"(?:\s+(?:{particle})\b)?"),
        };
        let head = format!(
            r"(?:(?:{verb})\s+)?(?:(?:{article})\s*\b)?(?:(\w+\s+)?({nouns})\s+)?(?:called\s+|named\s+)?"
        );
        let target = format!(r"\s*(?:\b(?:{to})\b|{ARROWS})\s*(?:be\s+called\s+)?{NAME}");
        Some(Self {
            asks: pattern(&format!(r"(?i)^(?:{verb})\s{ends}"))?,
            joint: pattern(&format!(
                r"(?i)\s*[,;]\s*(?:(?:{and})\s+)*|\s+(?:{and})\s+(?:(?:{and})\s+)*"
            ))?,
            begins: pattern(&format!(r"(?i)^{head}{NAME}{target}(?:[\s,.;]|$)"))?,
            pair: pattern(&format!(
                r"(?i)^{head}{NAME}(?:\s+({nouns})\b)?(?:\s+(?:{scope}))?{target}(?:\s+(?:{scope})\b)?{closing}(?:[\s,]+(.*))?$"
            ))?,
            tail: pattern(&format!(r"(?i)^(?:{tail})(?:\W|$|\b)"))?,
            but: pattern(&format!(r"(?i)\b(?:{but})\b"))?,
            language,
        })
    }

    fn read(&self, clause: &str) -> Option<Pairs> {
        let clause = clause.trim_end_matches(['?', '.', '!', ' ']);
        if !self.asks.is_match(clause) {
            return None;
        }
        let mut parts: Vec<&str> = Vec::new();
        let mut from = 0;
        for found in self.joint.find_iter(clause) {
            if self.begins.is_match(&clause[found.end()..]) {
                parts.push(&clause[from..found.start()]);
                from = found.end();
            }
        }
        parts.push(&clause[from..]);
        let mut pairs = Pairs::default();
        for (nth, part) in parts.iter().enumerate() {
            let (rename, beside, tail) = self.pair(part)?;
            let is_last = nth + 1 == parts.len();
            let is_understood = tail.is_empty()
                || is_last && self.tail.is_match(&tail) && !self.but.is_match(&tail);
            if !is_understood {
                return None;
            }
            pairs.renames.push(rename);
            pairs.rest.push_str(&format!(" {beside} {tail}"));
        }
        pairs.rest = pairs.rest.trim().to_owned();
        Some(pairs)
    }

    /// Parses one pair; also returns the word before its noun and the text after the pair.
    fn pair(&self, part: &str) -> Option<(Rename, String, String)> {
        let captures = self.pair.captures(part)?;
        let (spelled, target) = (group(&captures, 3), group(&captures, 5));
        let noun = [group(&captures, 2), group(&captures, 4)];
        let noun = noun.iter().find(|noun| !noun.is_empty());
        let english = noun.and_then(|noun| {
            let mut nouns = self.language.nouns.iter();
            let lower = noun.to_lowercase();
            nouns.find(|(word, _)| word.to_lowercase() == lower)
        });
        let (from, to) = (last_part(&spelled), last_part(&target));
        // Reject files, which are moved instead, and pairs in which only one name is an option.
        let is_file = |name: &str| {
            let end = name.rsplit_once('.');
            end.is_some_and(|(_, end)| is_known_extension(end))
        };
        let is_usable = from != to
            && !is_file(&spelled)
            && !is_file(&target)
            && from.starts_with('-') == to.starts_with('-');
        is_usable.then(|| {
            let rename = Rename {
                from: from.to_owned(),
                to: to.to_owned(),
                noun: english.map_or_else(String::new, |(_, english)| (*english).to_owned()),
                spelled: spelled.clone(),
            };
            let tail = group(&captures, 6);
            (rename, group(&captures, 1), tail.trim().to_owned())
        })
    }
}

/// The pairs in a clause, if it asks to rename identifiers and can be parsed completely.
pub(super) fn read(clause: &str) -> Option<Pairs> {
    READERS.iter().find_map(|reader| reader.read(clause))
}

/// Whether a word can separate the two names of a pair, in any language.
pub(super) fn is_joint(word: &str) -> bool {
    let word = word.to_lowercase();
    let mut all = LANGUAGES.iter().flat_map(|one| one.to.split('|'));
    ARROWS.split('|').any(|arrow| arrow == word) || all.any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_its_patterns() {
        assert_eq!(READERS.len(), LANGUAGES.len());
    }

    fn names(clause: &str) -> Vec<String> {
        let pairs = read(clause).unwrap_or_default();
        let both = |one: &Rename| format!("{}>{}", one.from, one.to);
        pairs.renames.iter().map(both).collect()
    }

    #[test]
    fn a_list_of_pairs_is_read_in_each_language() {
        for clause in [
            "Rename a to b and c to d",
            "rename `a` -> `b`, `c` -> `d`",
            "Rename the function a to b, then rename the method c to d",
            "Benenne a in b um und c in d",
            "Benenne die Funktion a in b und die Klasse c in d um",
            "a in b und c in d umbenennen",
            "a in b umbenennen und c in d umbenennen",
            "Benenne a in b um, dann benenne c in d um.",
            "Renomme a en b et c en d",
            "renomme la fonction a en b, puis la classe c en d",
            "Renombra a a b y c a d",
            "renombra la función a a b y la clase c por d",
        ] {
            assert_eq!(names(clause), ["a>b", "c>d"], "{clause}");
        }
    }

    #[test]
    fn a_clause_with_a_pair_that_is_not_understood_is_not_read() {
        for clause in [
            "Rename a to b and c becomes d",
            "Rename a to b, c",
            "Rename the start button to Begin the game",
            "Benenne a in b um und c wird d",
            "Renomme a en b et c devient d",
            "Renombra a a b y c será d",
            "Benenne die Funktion um",
            "Rename notes.txt to notes.md",
            "Rename --a to b",
        ] {
            assert_eq!(read(clause), None, "{clause}");
        }
    }

    #[test]
    fn text_beside_the_pairs_is_returned() {
        let pairs = read("Rename a to b in all files of shop").unwrap_or_default();
        assert_eq!(pairs.rest, "in all files of shop");
        let pairs = read("Rename the price function a to b").unwrap_or_default();
        assert_eq!(pairs.rest, "price");
    }
}
