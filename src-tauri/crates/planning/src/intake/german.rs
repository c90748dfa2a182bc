//! Classifies German goals by their verb and its object.
//!
//! The verb opens the clause ("Benenne total in sum_rows um") or closes it as an infinitive ("total
//! in sum_rows umbenennen"). As in English, words that are only mentioned don't count. A goal that
//! isn't understood here gets the general kind.

use std::sync::LazyLock;

use regex::Regex;

use super::TaskType;
use super::names::{self, pattern};
use super::pairs::{self, Pairs};
use super::versions::{Change, Dependency};
use crate::among;

/// How a German goal was classified.
pub(super) struct Reading {
    pub(super) kind: TaskType,
    pub(super) subject: String,
    pub(super) pairs: Pairs,
    pub(super) dependency: Option<Dependency>,
}

/// Polite openings that may precede the clause.
const OPENINGS: [&str; 17] = [
    "bitte ",
    "hallo, ",
    "hallo ",
    "hi, ",
    "könntest du ",
    "kannst du ",
    "könnten sie ",
    "würdest du ",
    "ich möchte, dass du ",
    "ich will, dass du ",
    "ich möchte ",
    "wir müssen ",
    "wir sollten ",
    "wir wollen ",
    "du sollst ",
    "aufgabe: ",
    "mal ",
];

/// Verbs in the imperative and the infinitive, by the kind of work.
const RENAME: &str = "benenne umbenennen umbenenne";
const FIX: &str =
    "behebe beheben repariere reparieren korrigiere korrigieren löse lösen beseitige beseitigen";
const ADD: &str = "füge hinzufügen einfügen ergänze ergänzen implementiere implementieren baue einbauen bauen \
     erstelle erstellen erzeuge erzeugen unterstütze unterstützen ermögliche ermöglichen erlaube erlauben \
     führe einführen biete anbieten";
const CHANGE: &str = "ändere ändern ersetze ersetzen verschiebe verschieben refaktoriere refaktorieren vereinfache \
     vereinfachen verbessere verbessern beschleunige beschleunigen setze setzen stelle umstellen mache mach \
     machen teile aufteilen nutze nutzen verwende verwenden passe anpassen extrahiere extrahieren sortiere \
     sortieren validiere validieren erhöhe erhöhen verringere verringern";
const LOOK: &str = "suche suchen finde finden herausfinden erkläre erklären zeige zeigen prüfe prüfen liste auflisten \
     untersuche untersuchen vergleiche vergleichen lies lesen wo was wie warum wieso welche welcher welches wer \
     wann";
const UPDATE: &str = "aktualisiere aktualisieren hebe anheben";
const DOCUMENT: &str = "dokumentiere dokumentieren";
const WRITE: &str = "schreibe schreiben beschreibe beschreiben verfasse verfassen";
pub(super) const REMOVE: &str = "lösche löschen entferne entfernen räume aufräumen";

/// Nouns that indicate the kind of work if they are a verb's object.
const DOCUMENTS: &str = "dokumentation doku readme changelog anleitung handbuch kommentar kommentare docstring docstrings abschnitt \
     tippfehler rechtschreibfehler rechtschreibung kapitel leitfaden änderungsprotokoll hilfetext hilfetexte";
const FILES: &str = "datei dateien ordner verzeichnis verzeichnisse logs logdateien protokolldateien backups skripte sicherungen bilder \
     testdaten";
const LIBRARIES: &str =
    "abhängigkeit abhängigkeiten paket pakete bibliothek bibliotheken library crate";
const TESTS: &str = "test tests testfall testfälle";

/// Words before which the object ends.
const PREPOSITIONS: &str = "in im aus auf an am für von vom mit zu zum zur nach bei beim über unter ohne damit der_die wenn falls sodass \
     dass um weil ob als durch gegen";

static LIBRARY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r#"(?i)^(?:(?:aktualisiere|hebe)\s+)?(?:die|das|den|unsere?)?\s*(?:(?:abhängigkeit|bibliothek|paket|library|crate)\s+)?[`"']?(@?[A-Za-z][\w.@/-]*?)[`"']?\s+(?:auf|zu)\s+(?:die\s+)?(?:version\s+)?v?(\d+(?:\.\d+)*[\w.+-]*)"#,
    )
});

/// Parses one clause; `None` if it isn't understood as German.
pub(super) fn read(clause: &str, named_paths: &[String]) -> Option<Reading> {
    let clause = without_opening(clause).trim_end_matches(['?', '.', '!', ' ']);
    let words: Vec<String> = clause
        .split(|c: char| {
            c.is_whitespace() || matches!(c, ',' | ';' | ':' | '`' | '"' | '(' | ')' | '„' | '“')
        })
        .filter(|word| !word.is_empty())
        .map(|word| word.trim_matches(['.', '!', '?', '\'']).to_lowercase())
        .collect();
    let first = words.first()?;
    let last = words.last()?;
    let known = |word: &str| {
        [
            RENAME, FIX, ADD, CHANGE, LOOK, UPDATE, DOCUMENT, WRITE, REMOVE,
        ]
        .iter()
        .any(|verbs| among(word, verbs))
    };
    let is_first = known(first);
    let verb = match is_first {
        true => first.as_str(),
        false if last.ends_with('n') && words.len() > 1 && known(last) => last.as_str(),
        false => {
            return reports_defect(&words).then(|| Reading {
                kind: TaskType::BugFix,
                subject: clause.to_owned(),
                pairs: Pairs::default(),
                dependency: None,
            });
        }
    };
    let object: Vec<&str> = match is_first {
        true => words[1..].iter().map(String::as_str).collect(),
        false => words[..words.len() - 1]
            .iter()
            .map(String::as_str)
            .collect(),
    };
    let pairs = match among(verb, RENAME) {
        true => pairs::read(clause).unwrap_or_default(),
        false => Pairs::default(),
    };
    let dependency = match among(verb, UPDATE) {
        true => dependency(clause, &object),
        false => None,
    };
    let kind = of(
        verb,
        &object,
        clause,
        named_paths,
        !pairs.renames.is_empty(),
        dependency.is_some(),
    )?;
    Some(Reading {
        kind,
        subject: subject(clause, is_first),
        pairs,
        dependency,
    })
}

fn without_opening(clause: &str) -> &str {
    let mut rest = clause.trim();
    loop {
        let plain = rest.to_lowercase();
        // The offset is valid because lowercasing these words doesn't change their length.
        match OPENINGS.iter().find(|opening| plain.starts_with(**opening)) {
            Some(opening) => rest = rest.get(opening.len()..).unwrap_or_default().trim_start(),
            None => return rest,
        }
    }
}

fn of(
    verb: &str,
    object: &[&str],
    clause: &str,
    named_paths: &[String],
    has_names: bool,
    has_version: bool,
) -> Option<TaskType> {
    let is_article = |word: &str| among(word, "der die das den dem des ein eine einen einem einer");
    // The object ends at a preposition or before a genitive: "den Generator der Dokumentation".
    let mut has_noun = false;
    let head: Vec<&str> = object
        .iter()
        .copied()
        .take_while(|word| {
            let goes_on =
                !(among(word, PREPOSITIONS) || has_noun && matches!(*word, "der" | "des"));
            has_noun |= !is_article(word);
            goes_on
        })
        .collect();
    let acts_on = |list: &str| head.iter().any(|word| among(word, list));
    let is_document = acts_on(DOCUMENTS)
        || head.is_empty()
            && named_paths
                .iter()
                .any(|path| crate::text::is_document(path));
    Some(if among(verb, RENAME) {
        match has_names {
            true => TaskType::Rename,
            // The goal doesn't give the names.
            false => return None,
        }
    } else if among(verb, DOCUMENT) {
        TaskType::Documentation
    } else if among(verb, FIX) {
        match is_document {
            true => TaskType::Documentation,
            false => TaskType::BugFix,
        }
    } else if among(verb, WRITE) {
        if is_document
            || named_paths
                .first()
                .is_some_and(|path| crate::text::is_document(path))
        {
            TaskType::Documentation
        } else if verb.starts_with("beschreib") {
            TaskType::Find
        } else if acts_on("funktion methode klasse modul skript werkzeug parser befehl programm") {
            TaskType::Feature
        } else {
            return None;
        }
    } else if among(verb, ADD) {
        // "Führe die Tests aus" asks to run something, not to add it.
        let runs = verb == "führe" && !clause.to_lowercase().ends_with(" ein");
        if runs || acts_on(TESTS) {
            return None;
        }
        match is_document {
            true => TaskType::Documentation,
            false => TaskType::Feature,
        }
    } else if among(verb, UPDATE) {
        if has_version || acts_on(LIBRARIES) {
            TaskType::Dependency
        } else if is_document || acts_on(DOCUMENTS) {
            TaskType::Documentation
        } else {
            TaskType::Modify
        }
    } else if among(verb, REMOVE) {
        match named_paths.is_empty() && !acts_on(FILES) {
            true => TaskType::Modify,
            false
                if head.iter().any(|word| {
                    among(
                        word,
                        "option argument funktion methode klasse zeile import flag schalter",
                    )
                }) =>
            {
                TaskType::Modify
            }
            false => TaskType::Removal,
        }
    } else if among(verb, LOOK) {
        TaskType::Find
    } else if is_document {
        TaskType::Documentation
    } else {
        TaskType::Modify
    })
}

fn dependency(clause: &str, object: &[&str]) -> Option<Dependency> {
    let captures = LIBRARY.as_ref()?.captures(clause)?;
    let name = captures.get(1)?.as_str().to_owned();
    let is_own = object
        .iter()
        .any(|word| matches!(*word, "version" | "versionsnummer"))
        && among(&name.to_lowercase(), "version versionsnummer");
    let version = captures.get(2)?.as_str().trim_end_matches('.').to_owned();
    (!is_own && !names::is_plain_word(&name)).then_some(Dependency {
        is_own: false,
        change: Change::Set,
        name,
        version: Some(version),
    })
}

/// The object of the verb in the goal's words, without the verb and its particle.
fn subject(clause: &str, is_first: bool) -> String {
    let is_question = |word: &str| {
        among(
            &word.to_lowercase(),
            "wo was wie warum wieso welche welcher welches wer wann",
        )
    };
    match clause.split_once(' ') {
        Some((first, rest)) if is_first && !is_question(first) => {
            let particles = [" um", " hinzu", " ein", " auf", " ab", " an", " aus"];
            let cut = particles.iter().find_map(|end| rest.strip_suffix(end));
            cut.unwrap_or(rest).to_owned()
        }
        _ if is_first => clause.to_owned(),
        _ => clause
            .rsplit_once(' ')
            .map_or(clause, |(object, _)| object)
            .to_owned(),
    }
}

/// Whether a clause is a statement whose verb reports a defect: "Der Export stürzt bei leeren
/// Tabellen ab".
fn reports_defect(words: &[String]) -> bool {
    let starts = words
        .first()
        .is_some_and(|word| among(word, "der die das unser unsere beim bei mein meine"));
    let says = |word: &str| {
        among(
            word,
            "stürzt hängt bricht scheitert versagt wirft verliert klemmt",
        )
    };
    let plain = words.join(" ");
    starts
        && (words.iter().skip(1).take(6).any(|word| says(word))
            || plain.contains("funktioniert nicht")
            || plain.contains("geht nicht")
            || plain.contains("ist kaputt")
            || plain.contains("ist falsch"))
}
