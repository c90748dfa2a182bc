//! Tests of phrases that raise findings, and of similar phrases that don't.

use super::*;

#[test]
fn generic_words_are_sorted() {
    assert!(GENERIC_WORDS.is_sorted());
}

#[test]
fn phrases_that_postpone_work_are_vague() {
    for text in [
        "Fix stuff in the parser",
        "Clean up the module",
        "Final code review and cleanup",
        "Cleanup of the module",
        "Misc. improvements to the parser",
        "Handle various edge cases",
        "TODO: write down the steps",
        "error handling todo",
        "Make the cache faster somehow",
        "Do something about the timeouts",
        "Refactor everything in the core",
        "Return a placeholder until the API is ready",
        "Wire up the endpoint, format TBD",
        "Leave a stub for the exporter",
    ] {
        assert!(vague_phrase(text, None, |_| false).is_some(), "{text}");
    }
}

#[test]
fn the_same_letters_in_a_name_or_another_word_are_not_vague() {
    for text in [
        "Add a due date to the todo list",
        "Render a todo with its due date",
        "Delete the misclassified invoices from the report",
        "Handle stubborn sockets that never close",
        "Rename `todo` to `task` in src/todo.rs",
        "Remove the `stub()` helper from tests/stub_server.py",
        "Set the placeholder text of the search field",
        "Start a stub server on a free port",
        "Move docs/misc/setup.md to docs/setup.md",
        "Speed up the miscompile detector",
        "Refactor the cleanup loop in `src/index.ts`",
        "Add tests for cleanup errors",
        "Esperar con `select` todo el tiempo que dure la prueba",
        "Ejecutar las pruebas y los enlaces: todo debe pasar",
        "Ejecutar `pytest`: todo debe pasar",
        "Verificar se todo o arquivo foi lido com os testes",
    ] {
        assert_eq!(vague_phrase(text, None, |_| false), None, "{text}");
    }
    assert!(vague_phrase("Sort by date: todo", None, |_| false).is_some());
    assert_eq!(
        vague_phrase("Sort by date: todo", Some("Build a todo app"), |_| false),
        None
    );
}

#[test]
fn a_placeholder_file_is_recognized_by_its_name() {
    for path in ["tbd", "TBD", "crates/demo/tbd", "src/TBD.rs", "tbd/"] {
        assert!(is_tbd_path(path), "{path}");
    }
    for path in ["src/tbd_list.rs", "outbd", "", "tbd/real.rs"] {
        assert!(!is_tbd_path(path), "{path}");
    }
    assert!(!is_real_path("  "));
    assert!(is_real_path("src/main.rs"));
}

#[test]
fn checks_are_found_as_words() {
    for text in [
        "run the tests",
        "tests/cli.rs",
        "test_report",
        "python3 -m unittest",
        "LoginTest",
        "verified",
    ] {
        assert!(says_test(text) && says_check(text), "{text}");
    }
    for text in [
        "validate the schema",
        "assert on the count",
        "cargo clippy",
        "lint the tree",
    ] {
        assert!(says_check(text) && !says_test(text), "{text}");
    }
    for text in [
        "use the latest release",
        "the contest page",
        "attestation",
        "glint",
        "Testament",
    ] {
        assert!(!says_check(text), "{text}");
    }
}

#[test]
fn only_generic_words_are_filler() {
    for text in [
        "Review the work",
        "Make sure everything works as expected.",
        "Final check",
    ] {
        assert!(is_filler(text), "{text}");
    }
    for text in ["Review the parser", "Run the tests", "Prüfe alles", ""] {
        assert!(!is_filler(text), "{text}");
    }
}
