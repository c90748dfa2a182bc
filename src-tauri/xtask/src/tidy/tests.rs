//! Tests that each tidy rule finds its violation and accepts similar but valid text.

use super::{manifests, rules, top_level};
use crate::source::{Source, cut_tests, paths_below, test_files};

const PURE: &str = "src-tauri/crates/plan/src/parse.rs";

fn complaints(path: &str, text: &str) -> Vec<String> {
    rules::file(path, text, false, "/srv/checkout")
}

fn module(code: &str) -> String {
    format!("//! A module.\n{code}")
}

#[track_caller]
fn refused(path: &str, text: &str, place: &str) {
    let found = complaints(path, text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with(&format!("{path}:{place}")),
        "{found:?}"
    );
}

#[track_caller]
fn fine(path: &str, text: &str) {
    assert_eq!(complaints(path, text), Vec::<String>::new());
}

#[test]
fn a_module_opens_with_a_contract() {
    refused(PURE, "fn f() {}\n", "1: start the module");
    fine(PURE, &module("fn f() {}\n"));
}

#[test]
fn a_long_file_needs_a_reason() {
    let long = "fn f() {}\n".repeat(400);
    refused(PURE, &module(&long), "1: 401 lines");
    fine(
        PURE,
        &format!("//! A table.\n//! Long because: one table.\n{long}"),
    );
    fine("tests/journeys/plan.rs", &module(&long));
    fine("src-tauri/crates/plan/tests/laws.rs", &module(&long));
    fine("ui/src/api/bindings.ts", &"export {}\n".repeat(500));
    let page = format!("/** A page. */\n{}", "export {}\n".repeat(500));
    refused("ui/src/app.tsx", &page, "1: 501 lines");
    refused(
        "ui/src/app.module.css",
        &"a {}\n".repeat(500),
        "1: 500 lines",
    );
}

#[test]
fn a_module_of_the_page_opens_with_a_contract() {
    refused("ui/src/app/App.tsx", "export {}\n", "1: start the module");
    fine(
        "ui/src/app/App.tsx",
        "/** The window's page. */\nexport {}\n",
    );
    fine("ui/src/app/App.module.css", "a {}\n");
    fine("ui/test/app.test.tsx", "export {}\n");
}

#[test]
fn the_backend_is_reached_through_one_door() {
    let page = |import: &str| format!("/** A page. */\n{import}\n");
    for import in [
        "import { invoke } from \"@tauri-apps/api/core\";",
        "import { listen } from \"@tauri-apps/api/event\";",
        "const core = await import(\"@tauri-apps/api/core\");",
        "export { open } from \"@tauri-apps/plugin-shell\";",
    ] {
        refused(
            "ui/src/features/bar/Bar.tsx",
            &page(import),
            "2: call the backend",
        );
        fine("ui/src/api/client.ts", &page(import));
    }
    fine(
        "ui/src/features/bar/Bar.tsx",
        &page("import { ask } from \"../../api/client\";"),
    );
}

#[test]
fn pure_crates_name_no_door_to_the_outside() {
    for code in [
        "use std::fs;\n",
        "use std::{collections::BTreeMap, env};\n",
        "use std::{\n    collections::{BTreeMap, BTreeSet}, fs::File,\n};\n",
        "use std::time::{Duration, Instant};\n",
        "use std::time;\n",
        "use std::time::*;\n",
        "fn f() { std::process::exit(1); }\n",
        "fn f() -> std::net::IpAddr;\n",
        "fn f() { std::thread::yield_now() }\n",
        "fn f() { tokio::spawn(x); }\n",
    ] {
        let found = complaints(PURE, &module(code));
        assert_eq!(found.len(), 1, "{code}: {found:?}");
        fine("src-tauri/crates/tools/src/files.rs", &module(code));
        fine("src-tauri/crates/plan/tests/laws.rs", &module(code));
    }
}

#[test]
fn what_only_looks_like_a_door_passes() {
    fine(
        PURE,
        &module("use std::time::Duration;\nuse std::{fmt, collections::{BTreeMap}};\n"),
    );
    fine(
        PURE,
        &module("// std::fs is not used here\nconst A: &str = \"std::fs\";\n"),
    );
    fine(
        PURE,
        &module("/// Not `std::env`.\nfn nonstd() { mystd::fs::x(); }\n"),
    );
    fine(
        PURE,
        &module("#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n"),
    );
}

#[test]
fn unwrap_is_for_tests() {
    let path = "src-tauri/crates/store/src/lib.rs";
    refused(path, &module("fn f() { x.unwrap(); }\n"), "2: `.unwrap()`");
    refused(
        path,
        &module("fn f() {\n    x\n        .expect(\"it\");\n}\n"),
        "4: `.expect(`",
    );
    fine(
        path,
        &module("/// `x.unwrap()`\nfn f() { x.unwrap_or(1); y(\".expect(\"); }\n"),
    );
    fine(
        path,
        &module("#[cfg(test)]\nmod tests {\n    fn f() { x.unwrap(); }\n}\n"),
    );
    fine(
        path,
        &module("#[cfg(test)]\n#[allow(dead_code)]\nfn f() -> [u8; 3] { x.unwrap() }\n"),
    );
    // Code after a test item is checked like any other.
    refused(
        path,
        &module("#[cfg(test)]\nuse a::b;\nfn f() { x.unwrap(); }\n"),
        "4: `.unwrap()`",
    );
    fine("tests/support/lib.rs", &module("fn f() { x.unwrap(); }\n"));
}

#[test]
fn unfinished_work_is_refused_where_it_is_meant() {
    for mark in [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
    ] {
        refused(PURE, &module(&format!("// {mark}: later\n")), "2:");
        refused(PURE, &module(&format!("fn f() {{}} /* {mark} */\n")), "2:");
        refused("migrations/0001_x.sql", &format!("-- {mark} index\n"), "1:");
        refused("Cargo.toml", &format!("a = 1 # {mark}\n"), "1:");
        fine(PURE, &module(&format!("const WORDS: &str = \"{mark}\";\n")));
        fine(
            PURE,
            &module(&format!(
                "/// A task that says `{mark}` is a placeholder.\nfn f() {{}}\n"
            )),
        );
        fine("plans/x.md", &format!("- [ ] Replace each {mark}\n"));
    }
    refused(PURE, &module(concat!("fn f() { to", "do!() }\n")), "2:");
    refused(
        PURE,
        &module(concat!("fn f() { unimple", "mented!(\"x\") }\n")),
        "2:",
    );
    refused(
        "tests/journeys/a.rs",
        &module(concat!("#[", "ignore]\nfn f() {}\n")),
        "2:",
    );
    fine(
        PURE,
        &module("fn todo() { todo() }\nconst A: &str = \"todo!()\";\n"),
    );
}

#[test]
fn paths_of_one_machine_are_refused() {
    refused(
        "README.md",
        concat!("run ", "/home", "/alice/bin/x\n"),
        concat!("1: /home", "/alice exists only"),
    );
    refused(
        "a.md",
        concat!("x\n", "/Users", "/bob/x"),
        concat!("2: /Users", "/bob exists only"),
    );
    refused(
        "a.md",
        concat!("C:", "\\Users\\", "bob\\x"),
        "1: :\\Users\\bob exists only",
    );
    refused(
        "a.md",
        concat!("see /srv/", "checkout/src"),
        "1: /srv/checkout exists only",
    );
    fine(
        "a.md",
        "/home/user/x, /home/a/x, /Users/you/x, $HOME/x, ui/home/alice/x, /home/\n",
    );
}

#[test]
fn the_top_of_the_repository_is_closed() {
    let allowed = [
        ".ci/run",
        "Cargo.toml",
        "LICENSE-MIT",
        "src-tauri/a.rs",
        "ui/b.ts",
    ];
    assert!(top_level(&allowed).is_empty());
    let found = top_level(&["docs/a.md", "docs/b.md", "notes.txt"]);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("docs:") && found[1].starts_with("notes.txt:"));
}

#[test]
fn every_member_carries_both_licences() {
    let of = |licence: Option<&str>| {
        manifests(&serde_json::json!({"packages": [{"name": "a", "license": licence}]}))
    };
    assert!(of(Some("MIT OR Apache-2.0")).is_empty());
    assert_eq!(of(Some("MIT")).len(), 1);
    assert_eq!(of(None).len(), 1);
    assert_eq!(
        manifests(&serde_json::json!({})).len(),
        1,
        "checking nothing is not a success"
    );
}

#[test]
fn test_modules_in_files_of_their_own_are_found() {
    let files = [
        (
            "a/src/lib.rs",
            "//! x\n#[cfg(test)]\nmod fixtures;\n".to_owned(),
        ),
        (
            "a/src/graph.rs",
            "//! x\n#[cfg(test)]\npub(crate) mod laws;\nmod order;\n".to_owned(),
        ),
    ];
    let found = test_files(&files);
    for path in [
        "a/src/fixtures.rs",
        "a/src/fixtures/mod.rs",
        "a/src/graph/laws.rs",
    ] {
        assert!(
            found.contains(std::path::Path::new(path)),
            "{path} in {found:?}"
        );
    }
    assert!(!found.contains(std::path::Path::new("a/src/graph/order.rs")));
}

#[test]
fn code_comments_and_literals_are_told_apart() {
    let text = "let a = \"// no\"; // yes \"\nlet b = r#\"\"quoted\" /*\"#; /* a /* b */ c */ x\n\
                let c = ('\"', b'\\'', '\u{e9}'); fn f<'a>(x: &'a str) { r#type(\"\\\"\") }\n";
    let source = Source::read(text);
    assert_eq!(source.code.len(), text.len());
    assert_eq!(source.comments.len(), text.len());
    assert!(source.comments.contains("// yes \"") && source.comments.contains("/* a /* b */ c */"));
    for outside in ["no", "quoted", "yes", "/*", "\u{e9}"] {
        assert!(
            !source.code.contains(outside),
            "{outside} in {}",
            source.code
        );
    }
    for inside in ["let b =", "fn f<'a>(x: &'a str)", "r#type(", " x\n"] {
        assert!(source.code.contains(inside), "{inside} in {}", source.code);
    }
}

#[test]
fn cutting_tests_keeps_lines_and_the_rest() {
    let code = "fn a() {}\n#[cfg(test)]\nmod tests {\n  fn b() { if x {} }\n}\nfn c() {}\n";
    let (kept, modules) = cut_tests(code);
    assert_eq!(kept.lines().count(), code.lines().count());
    assert!(kept.contains("fn a()") && kept.contains("fn c()") && !kept.contains("fn b()"));
    assert!(modules.is_empty());
    assert!(cut_tests("#![cfg(test)]\nfn a() {}\n").0.trim().is_empty());
}

#[test]
fn use_trees_are_spelt_out() {
    let names = |code: &str| -> Vec<String> {
        paths_below(code, "std")
            .into_iter()
            .map(|(_, path)| path)
            .collect()
    };
    assert_eq!(
        names("use std::{fmt, io::{self, Read}, time::*};"),
        ["std::fmt", "std::io::self", "std::io::Read", "std::time::*"]
    );
    assert_eq!(names("std::mem::size_of::<u8>()"), ["std::mem::size_of"]);
}
