//! Installing and removing the hook changes nothing else in the host's settings.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic fails the test"
)]

use std::path::Path;

use bridges::hooks::Host;
use bridges::hooks::setup::{self, Change};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const PROGRAM: &str = "/opt/plan wright/planwright";

fn program() -> &'static Path {
    Path::new(PROGRAM)
}

fn written(file: &Path, change: Option<Change>) -> Value {
    setup::write(&change.expect("a change")).unwrap();
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn what_is_there_stays_and_a_second_time_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = Host::Claude.settings_file(folder.path(), |_| None, None);
    let before = json!({
        "model": "opus",
        "hooks": {
            "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "lint"}]}],
            "PermissionRequest": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "ask"}]}],
        },
        "zeta": [1, 2],
    });
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let text = serde_json::to_string_pretty(&before).unwrap();
    std::fs::write(&file, &text).unwrap();

    let change = setup::install(Host::Claude, program(), &file).unwrap();
    let diff = change.as_ref().unwrap().diff();
    assert!(
        diff.lines().all(|line| !line.starts_with('-')
            || line.trim_end_matches(',') != line
            || line.contains('}')
            || line.starts_with("---")),
        "{diff}"
    );
    let after = written(&file, change);
    assert_eq!(after["model"], "opus");
    assert_eq!(
        after["hooks"]["PreToolUse"][0],
        before["hooks"]["PreToolUse"][0]
    );
    let groups = after["hooks"]["PermissionRequest"].as_array().unwrap();
    assert_eq!(groups[0], before["hooks"]["PermissionRequest"][0]);
    assert_eq!(groups[1]["matcher"], "ExitPlanMode");
    let entry = &groups[1]["hooks"][0];
    assert_eq!(
        entry["command"],
        "'/opt/plan wright/planwright' hook claude --wait 86100"
    );
    assert_eq!(entry["timeout"], 86_400);
    let keys: Vec<&String> = after.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["model", "hooks", "zeta"]);

    assert_eq!(
        setup::install(Host::Claude, program(), &file).unwrap(),
        None
    );
    let checkup = setup::check(Host::Claude, program(), &file);
    assert!(
        checkup.is_installed && checkup.problems.is_empty(),
        "{checkup:?}"
    );

    // If the program was moved, its entry is replaced and no second one is added.
    let moved = Path::new("/usr/bin/planwright");
    let checkup = setup::check(Host::Claude, moved, &file);
    assert!(
        checkup.problems[0].contains("the hook’s command isn’t"),
        "{checkup:?}"
    );
    let after = written(&file, setup::install(Host::Claude, moved, &file).unwrap());
    assert_eq!(
        after["hooks"]["PermissionRequest"]
            .as_array()
            .unwrap()
            .len(),
        2
    );

    written(&file, setup::remove(Host::Claude, &file).unwrap());
    assert_eq!(std::fs::read_to_string(&file).unwrap().trim_end(), text);
    assert_eq!(setup::remove(Host::Claude, &file).unwrap(), None);
}

#[test]
fn the_settings_are_where_the_host_looks() {
    let home = Path::new("/h");
    let set = |name: &str| (name == "CLAUDE_CONFIG_DIR").then(|| "/c".into());
    let file = |variable: &dyn Fn(&str) -> Option<std::ffi::OsString>, project| {
        Host::Claude.settings_file(home, variable, project)
    };
    assert_eq!(file(&|_| None, None), Path::new("/h/.claude/settings.json"));
    assert_eq!(file(&set, None), Path::new("/c/settings.json"));
    assert_eq!(
        file(&set, Some(Path::new("/p"))),
        Path::new("/p/.claude/settings.json")
    );
}

#[test]
fn every_host_gets_its_own_form_and_file() {
    let folder = tempfile::tempdir().unwrap();
    let installed = |host: Host| {
        let file = host.settings_file(folder.path(), |_| None, None);
        let after = written(&file, setup::install(host, program(), &file).unwrap());
        let checkup = setup::check(host, program(), &file);
        assert!(
            checkup.is_installed && checkup.problems.is_empty(),
            "{checkup:?}"
        );
        assert_eq!(setup::install(host, program(), &file).unwrap(), None);
        let name = file.strip_prefix(folder.path()).unwrap().to_owned();
        written(&file, setup::remove(host, &file).unwrap());
        assert!(!setup::check(host, program(), &file).is_installed);
        (name.display().to_string(), after)
    };
    let (file, codex) = installed(Host::Codex);
    assert_eq!(file, ".codex/hooks.json");
    let group = &codex["hooks"]["PreToolUse"][0];
    assert_eq!(group["matcher"], "Bash|apply_patch|Edit|Write");
    assert_eq!(group["hooks"][0]["timeout"], 86_400);
    assert!(codex["hooks"]["Stop"][0].get("matcher").is_none());
    let (file, gemini) = installed(Host::Gemini);
    assert_eq!(file, ".gemini/settings.json");
    // Gemini's timeout is in milliseconds.
    let hook = &gemini["hooks"]["BeforeTool"][0]["hooks"][0];
    assert_eq!(hook["timeout"], 86_400_000);
    let (file, cursor) = installed(Host::Cursor);
    assert_eq!(file, ".cursor/hooks.json");
    assert_eq!(cursor["version"], 1);
    let hook = &cursor["hooks"]["beforeShellExecution"][0];
    assert_eq!(hook["failClosed"], true);
    assert_eq!(
        hook["command"],
        "'/opt/plan wright/planwright' hook cursor --wait 86100"
    );
    assert!(Host::Codex.note().unwrap().contains("/hooks"));
}

#[test]
fn an_installation_from_before_the_gate_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("settings.json");
    let command = "'/opt/plan wright/planwright' hook claude --wait 86100";
    let hook = json!({"type": "command", "command": command, "timeout": 86_400});
    let old = json!({"hooks": {"PermissionRequest": [
        {"matcher": "ExitPlanMode", "hooks": [hook]},
    ]}});
    std::fs::write(&file, old.to_string()).unwrap();
    let problems = setup::check(Host::Claude, program(), &file).problems;
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].starts_with("the hook isn't called on PreToolUse"));
    written(
        &file,
        setup::install(Host::Claude, program(), &file).unwrap(),
    );
    assert!(
        setup::check(Host::Claude, program(), &file)
            .problems
            .is_empty()
    );
}

#[test]
fn a_file_of_another_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hooks.json");
    std::fs::write(&file, "{\"version\": 2, \"hooks\": {}}").unwrap();
    assert!(setup::install(Host::Cursor, program(), &file).is_err());
}

#[test]
fn a_hook_that_only_mentions_ours_stays_and_one_that_cannot_work_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("settings.json");
    let foreign = json!({"hooks": {"PermissionRequest": [{
        "matcher": "ExitPlanMode",
        "hooks": [{"type": "command", "command": "echo planwright hook claude >> log"}],
    }]}});
    std::fs::write(&file, foreign.to_string()).unwrap();
    assert_eq!(setup::remove(Host::Claude, &file).unwrap(), None);
    assert!(!setup::check(Host::Claude, program(), &file).is_installed);
    for (path, value) in [("matcher", "Bash"), ("type", "prompt")] {
        let mut installed = written(
            &file,
            setup::install(Host::Claude, program(), &file).unwrap(),
        );
        let group = &mut installed["hooks"]["PermissionRequest"][1];
        match path {
            "matcher" => group["matcher"] = json!(value),
            _ => group["hooks"][0]["type"] = json!(value),
        }
        std::fs::write(&file, installed.to_string()).unwrap();
        let problems = setup::check(Host::Claude, program(), &file).problems;
        assert_eq!(problems.len(), 1, "{problems:?}");
    }
}

#[test]
fn what_is_around_the_hook_stays_as_it_is_written() {
    let commented = "{\n  // mine\n  \"a\": 1, /* and */\n  \"hooks\": {}\n}\n";
    for (host, before) in [
        (
            Host::Claude,
            "{\"a\":12345678901234567890123,\"b\":1.0,\"b\":2}",
        ),
        (
            Host::Claude,
            "{\r\n\t\"a\": \"\\u00e9\",\r\n\t\"hooks\": {\"Stop\": [ ]}\r\n}\r\n",
        ),
        (Host::Codex, "{\n    \"a\" : [1,2 , 3]\n}"),
        (Host::Gemini, commented),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("settings.json");
        std::fs::write(&file, before).unwrap();
        setup::write(&setup::install(host, program(), &file).unwrap().unwrap()).unwrap();
        let with = std::fs::read_to_string(&file).unwrap();
        assert!(setup::check(host, program(), &file).is_installed, "{with}");
        let mut rest = with.as_str();
        for token in before
            .split([' ', '\t', '\r', '\n', '{', '}', ','])
            .filter(|token| !token.is_empty())
        {
            let at = rest.find(token.trim_end_matches(',').trim_end_matches(']'));
            rest = &rest[at.unwrap_or_else(|| panic!("{token} is gone from {with}"))..];
        }
        assert_eq!(with.contains("\r\n"), before.contains("\r\n"), "{with:?}");
        let removed = setup::remove(host, &file).unwrap().unwrap();
        setup::write(&removed).unwrap();
        assert!(!removed.after.contains("planwright"), "{}", removed.after);
    }
}

#[test]
fn a_hook_of_the_user_that_also_calls_ours_stays() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("settings.json");
    let own = [
        "planwright hook claude | tee log",
        "/a/planwright hook claude --wait 5 && mine",
    ];
    let hooks = own.map(|command| json!({"type": "command", "command": command}));
    let text = json!({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": hooks}]}});
    std::fs::write(&file, text.to_string()).unwrap();
    assert_eq!(setup::remove(Host::Claude, &file).unwrap(), None);
    setup::write(
        &setup::install(Host::Claude, program(), &file)
            .unwrap()
            .unwrap(),
    )
    .unwrap();
    setup::write(&setup::remove(Host::Claude, &file).unwrap().unwrap()).unwrap();
    let after: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(after, text);
}

#[test]
fn a_file_that_is_not_plain_json_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("settings.json");
    for text in [
        "{ // a comment\n}",
        "[]",
        "{\"hooks\": []}",
        "{\"hooks\": {\"PermissionRequest\": {}}}",
        "{\"a\": ",
    ] {
        std::fs::write(&file, text).unwrap();
        assert!(
            setup::install(Host::Claude, program(), &file).is_err(),
            "{text}"
        );
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    }
}

#[test]
fn a_file_that_changed_since_the_diff_was_shown_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("settings.json");
    std::fs::write(&file, "{}\n").unwrap();
    let change = setup::install(Host::Claude, program(), &file)
        .unwrap()
        .unwrap();
    std::fs::write(&file, "{\"model\": \"opus\"}\n").unwrap();
    assert!(setup::write(&change).is_err());
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        "{\"model\": \"opus\"}\n"
    );
}

#[test]
fn a_symlinked_file_is_written_where_it_is_and_keeps_its_mode() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().join("dotfiles.json");
    std::fs::write(&real, "{}\n").unwrap();
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).unwrap();
    let file = folder.path().join("settings.json");
    symlink(&real, &file).unwrap();
    written(
        &file,
        setup::install(Host::Claude, program(), &file).unwrap(),
    );
    assert!(file.symlink_metadata().unwrap().is_symlink());
    let mode = std::fs::metadata(&real).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

/// Random JSON, sometimes shaped like settings with hooks.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z ]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec(("[a-z]{1,6}", inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn settings() -> impl Strategy<Value = Map<String, Value>> {
    let group = (
        "[A-Za-z]{1,8}",
        proptest::collection::vec("[a-z/ ]{1,12}", 1..3),
    )
        .prop_map(|(matcher, commands)| {
            let hooks: Vec<Value> = commands
                .into_iter()
                .map(|command| json!({"type": "command", "command": command}))
                .collect();
            json!({"matcher": matcher, "hooks": hooks})
        });
    let groups = proptest::collection::vec(group, 1..3);
    let others = proptest::collection::vec(("[a-z]{1,5}", values()), 0..4);
    (others, proptest::option::of(groups)).prop_map(|(others, groups)| {
        let mut root: Map<String, Value> = others.into_iter().collect();
        root.shift_remove("hooks");
        if let Some(groups) = groups {
            root.insert(
                "hooks".to_owned(),
                json!({"PermissionRequest": groups, "SessionEnd": []}),
            );
        }
        root
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn installing_and_removing_leaves_any_settings_as_they_were(root in settings()) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("settings.json");
        std::fs::write(&file, serde_json::to_string(&root).unwrap()).unwrap();
        let installed = written(&file, setup::install(Host::Claude, program(), &file).unwrap());
        for (key, value) in root.iter().filter(|(key, _)| *key != "hooks") {
            prop_assert_eq!(&installed[key], value);
        }
        let removed = written(&file, setup::remove(Host::Claude, &file).unwrap());
        prop_assert_eq!(removed, Value::Object(root));
    }
}
