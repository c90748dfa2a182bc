//! Which template matches a goal: intended matches and near misses.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use planning::detect;
use planning::template::{self, Templates};

/// Two user templates, one with a version as its parameter, one with several words.
fn templates() -> Templates {
    let release = "---\ntemplate: release\nmatch:\n  - release {{version}}\n  - cut a release {{version}}\nparams: \
                   [version]\n---\n# Release {{version}}\n\n## Tasks\n- [ ] **T1** Tag {{version}}\n";
    let endpoint = "---\ntemplate: endpoint\nmatch:\n  - add an endpoint {{route}} for {{thing}}\nparams: [route, \
                    thing]\n---\n# Endpoint\n\n## Tasks\n- [ ] **T1** Add {{route}} for {{thing}}\n";
    let user = [("t/release.md", release), ("t/endpoint.md", endpoint)]
        .map(|(path, text)| (path.to_owned(), text.to_owned()));
    let templates = template::load(&user);
    assert!(templates.problems.is_empty(), "{:?}", templates.problems);
    templates
}

fn template_of(goal: &str, templates: &Templates) -> String {
    let intake = detect(goal, &Default::default());
    template::choose(&intake, &templates.all)
        .unwrap()
        .template
        .id
        .clone()
}

const MEANT: [(&str, &str); 44] = [
    (
        "Rename the method loadAll to load_everything in the whole code base",
        "rename-across-files",
    ),
    (
        "Could you please rename `Cfg` to `Settings`?",
        "rename-across-files",
    ),
    (
        "rename variable tmp -> buffer everywhere",
        "rename-across-files",
    ),
    (
        "Benenne die Funktion total überall in sum_rows um",
        "rename-across-files",
    ),
    (
        "Die Klasse Konto in BankAccount umbenennen",
        "rename-across-files",
    ),
    (
        "Kannst du bitte `alt` in `neu` umbenennen?",
        "rename-across-files",
    ),
    ("Fix the off-by-one in the page counter", "fix-bug"),
    ("Repair the broken upload on Windows", "fix-bug"),
    ("bug: dates before 1970 are shown as today", "fix-bug"),
    ("The importer crashes when a row has no price", "fix-bug"),
    ("We need to resolve the memory leak in the cache", "fix-bug"),
    ("Behebe den Absturz beim Öffnen leerer Dateien", "fix-bug"),
    ("Bitte korrigiere die falsche Summe im Bericht", "fix-bug"),
    ("Der Export stürzt bei leeren Tabellen ab", "fix-bug"),
    ("Den Fehler in parse_header beheben", "fix-bug"),
    ("Add a --quiet flag to the sync command", "add-feature"),
    ("Implement retries for the mail client", "add-feature"),
    ("I'd like you to introduce a dark theme", "add-feature"),
    ("Support reading gzip files", "add-feature"),
    (
        "Füge dem Bericht eine Spalte für Rabatte hinzu",
        "add-feature",
    ),
    ("Implementiere eine Suche für Kunden", "add-feature"),
    (
        "Eine Option --json für den Befehl report einbauen",
        "add-feature",
    ),
    ("Change the default timeout to 30 seconds", "modify-code"),
    (
        "Refactor the loader so that parsing and IO are apart",
        "modify-code",
    ),
    ("Make the login page load faster", "modify-code"),
    ("Ändere den Standard-Port auf 8080", "modify-code"),
    (
        "Ersetze die Regex in tokens.py durch einen Scanner",
        "modify-code",
    ),
    ("Where is the retry limit set?", "find-and-read"),
    ("Find every place that opens a socket", "find-and-read"),
    ("Tell me how sessions are stored", "find-and-read"),
    ("Wo wird das Passwort geprüft?", "find-and-read"),
    ("Erkläre, wie der Cache geleert wird", "find-and-read"),
    ("Upgrade tokio to 1.40", "update-dependency"),
    (
        "Bump the lodash package to version 4.17.21",
        "update-dependency",
    ),
    ("Aktualisiere serde auf 1.0.220", "update-dependency"),
    (
        "Document the retry policy in docs/retry.md",
        "write-documentation",
    ),
    ("Write a guide for new contributors", "write-documentation"),
    (
        "Dokumentiere die Umgebungsvariablen in der README",
        "write-documentation",
    ),
    (
        "Behebe die Tippfehler in der Anleitung",
        "write-documentation",
    ),
    (
        "Delete the old fixtures in tests/data/v1/",
        "remove-old-files",
    ),
    ("Lösche die Dateien unter var/logs/", "remove-old-files"),
    ("Release 2.4.0", "release"),
    ("please release v3.0.0-rc.1 and tell the team", "release"),
    ("Add an endpoint /orders for open orders", "endpoint"),
];

/// Goals that only mention a kind of work, each with the template that must not match.
const MENTIONED: [(&str, &str); 46] = [
    ("Explain how to rename a branch", "rename-across-files"),
    (
        "Add a rename button to the file list",
        "rename-across-files",
    ),
    ("Fix the crash in the rename dialog", "rename-across-files"),
    (
        "Find who renamed the column total to sum",
        "rename-across-files",
    ),
    ("Rename notes.txt to notes.md", "rename-across-files"),
    (
        "Rename the save button to Store my work for later",
        "rename-across-files",
    ),
    (
        "Erkläre, wie man eine Funktion umbenennt",
        "rename-across-files",
    ),
    (
        "Füge einen Knopf zum Umbenennen hinzu",
        "rename-across-files",
    ),
    ("Benenne die Funktion um", "rename-across-files"),
    ("Explain the bug-fix policy of the project", "fix-bug"),
    ("Add a bug report form to the help menu", "fix-bug"),
    ("List all issues that are labelled bug", "fix-bug"),
    ("Rename fix_bug to repair", "fix-bug"),
    ("Document how bugs are triaged", "fix-bug"),
    ("Write a page on debugging crashes", "fix-bug"),
    ("Zeige alle offenen Fehler im Protokoll", "fix-bug"),
    ("Füge eine Fehlerseite hinzu", "fix-bug"),
    ("Dokumentiere, wie Fehler gemeldet werden", "fix-bug"),
    ("Fix the add button", "add-feature"),
    ("Where are new features registered?", "add-feature"),
    ("Remove the feature flags", "add-feature"),
    ("Add tests for the parser", "add-feature"),
    ("Add a section on pricing to the README", "add-feature"),
    ("Ergänze die Dokumentation um ein Beispiel", "add-feature"),
    ("Führe die Tests aus", "add-feature"),
    ("Explain what changes when the mode changes", "modify-code"),
    ("Find the function that updates the index", "modify-code"),
    ("Fix the update check", "modify-code"),
    (
        "Beschreibe die Änderungen an der Schnittstelle",
        "modify-code",
    ),
    ("Fix the search box", "find-and-read"),
    ("Add a find command to the shell", "find-and-read"),
    ("Behebe den Fehler in der Suche", "find-and-read"),
    ("Show the total in the UI", "find-and-read"),
    ("Explain the dependency graph", "update-dependency"),
    ("Update the loader to skip comments", "update-dependency"),
    ("Fix the package resolver", "update-dependency"),
    (
        "Aktualisiere die Anzeige nach jedem Klick",
        "update-dependency",
    ),
    ("Fix the documentation generator", "write-documentation"),
    ("Remove the docs command", "write-documentation"),
    (
        "Repariere den Generator der Dokumentation",
        "write-documentation",
    ),
    ("Add a command that deletes old files", "remove-old-files"),
    ("Explain how old logs are removed", "remove-old-files"),
    ("Entferne die Option --verbose", "remove-old-files"),
    ("Release notes for the press", "release"),
    ("Fix the release script", "release"),
    ("Add an endpoint", "endpoint"),
];

#[test]
fn goals_get_the_template_that_they_mean() {
    let templates = templates();
    let wrong: Vec<_> = MEANT
        .iter()
        .map(|(goal, wanted)| (goal, wanted, template_of(goal, &templates)))
        .filter(|(_, wanted, got)| *wanted != got)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_near_miss_does_not_fire() {
    let templates = templates();
    let wrong: Vec<_> = MENTIONED
        .iter()
        .filter(|(goal, not)| template_of(goal, &templates) == *not)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
