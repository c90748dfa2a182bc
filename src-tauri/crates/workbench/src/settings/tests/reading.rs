//! Mistakes in a settings file: each is reported, and the rest applies.

use super::*;

fn read(text: &str, owner: Owner) -> (Layer, String) {
    let (layer, complaints) = layer(text, owner);
    (layer, lines(&complaints).join("\n"))
}

#[test]
fn a_file_that_is_no_json_says_where() {
    let table = [
        (
            "{\n  \"policy\": \"each\",\n}",
            "invalid JSON at line 3, column 1: trailing comma",
        ),
        (
            "",
            "invalid JSON at line 1, column 0: EOF while parsing a value",
        ),
        (
            "{\"policy\": \"each\"",
            "invalid JSON at line 1, column 17: EOF while parsing an object",
        ),
        (
            "policy = each",
            "invalid JSON at line 1, column 1: expected value",
        ),
        ("[]", "must be a JSON object {…}"),
        ("\"sk-live-secret\"", "must be a JSON object {…}"),
    ];
    for (text, expected) in table {
        let (layer, said) = read(text, Owner::User);
        assert_eq!(layer, Layer::default(), "{text}");
        assert_eq!(
            said,
            format!(": {expected}; the file is ignored until you fix it"),
            "{text}"
        );
    }
}

#[test]
fn every_mistake_is_named_and_the_rest_applies() {
    let text = r##"{
        "$schema": "https://example.com/settings.schema.json",
        "polcy": "each",
        "verifyCommands": ["make"],
        "colour": "red",
        "policy": "Risky",
        "plan_adequacy_shadow": "yes",
        "plan_adequacy_enforce": true,
        "max_gap_risk": 1,
        "permissions": [
            {"tool": "run_comand", "match": "cargo test", "answer": "allowed"},
            {"tool": "run_command", "match": "exact cargo test"},
            {"tool": "run_command", "match": "exact cargo test", "answer": "allow", "why": "fast"},
            "deny all"
        ],
        "sandbox": true,
        "command_timeout_s": 0,
        "verify_commands": ["cargo test", "", "a\nb", 7],
        "template_folders": ".planwright/templates",
        "context_notes": ["one", " "]
    }"##;
    let (layer, said) = read(text, Owner::User);
    insta::assert_snapshot!(said, @r#"
    polcy: unknown setting; did you mean “policy”?
    verifyCommands: unknown setting; did you mean “verify_commands”?
    colour: unknown setting; the settings are policy, plan_adequacy_shadow, plan_adequacy_enforce, max_gap_risk, loop_mode, max_refine_rounds, refine_budget_tokens, gap_risk_threshold, auto_expand_thin_plan, plan_depth, max_tasks, permissions, sandbox, toolchains, private_files, endpoint, command_timeout_s, server_wait_s, verify_commands, verifyFileChanges, runTestsAfterChanges, verifySearchResults, maxVerificationAttempts, planningStrategy, contextStrategy, lookAheadTasks, maxAddedSteps, maxModelCalls, maxRunTokens, maxRunSeconds, defaultPlannerPlugin, plannerFallbackOrder, defaultSeedDetectorPlan, defaultKBPlan, defaultGoalSolverPlan, executors, agents, template_folders, plan_folder, plan_folders, context_notes, theme, editor
    policy: must be one of each, risky, all, not “Risky” (did you mean “risky”?)
    plan_adequacy_shadow: must be true or false, not “yes”
    max_gap_risk: must be a number from 0.05 to 0.95, not 1
    permissions[0].tool: must be one of list_files, read_file, search_files, edit_file, write_file, delete_file, run_command, git_status, not “run_comand” (did you mean “run_command”?); the rule is ignored
    permissions[0].match: must be "exact …" or "prefix …", not “cargo test”; the rule is ignored
    permissions[0].answer: must be one of allow, ask, deny, not “allowed” (did you mean “allow”?); the rule is ignored
    permissions[1]: must have "answer"; the rule is ignored
    permissions[2].why: unknown setting; the settings are tool, match, answer
    permissions[3]: must be a rule {"tool", "match", "answer"}, not “deny all”
    sandbox: must be one of auto, bubblewrap, landlock, none, not true
    command_timeout_s: must be a whole number from 1 to 86400, not 0
    verify_commands[1]: must be a command line, such as cargo test, not “”
    verify_commands[2]: must be a command line, such as cargo test, not “a b”
    verify_commands[3]: must be a command line, such as cargo test, not 7
    template_folders: must be a list […], not “.planwright/templates”
    context_notes[1]: must be text, not “”
    "#);
    assert_eq!(layer.plan_adequacy_enforce, Some(true));
    assert_eq!(layer.verify_commands, Some(vec!["cargo test".to_owned()]));
    assert_eq!(layer.context_notes, Some(vec!["one".to_owned()]));
    let places: Vec<usize> = layer
        .permissions
        .iter()
        .flatten()
        .map(|placed| placed.place)
        .collect();
    assert_eq!(places, [2], "a rule with one key too many still applies");
    assert_eq!(
        (layer.policy, layer.max_gap_risk, layer.command_timeout_s),
        (None, None, None)
    );
}

#[test]
fn null_is_a_key_that_is_not_set_and_the_last_of_two_counts() {
    for key in layer::KEYS {
        let value = json!({ key: null });
        assert_eq!(good(Owner::User, &value), Layer::default(), "{key}");
    }
    let (layer, said) = read(r#"{"policy": "all", "policy": "each"}"#, Owner::User);
    assert_eq!(layer.policy, Some(Policy::Each));
    assert_eq!(said, "policy: set twice; the last value is used");
}

#[test]
fn a_byte_order_mark_is_no_mistake() {
    assert_eq!(read("\u{feff}{\"policy\": \"all\"}\r\n", Owner::User).1, "");
}

#[test]
fn folders_lie_inside_the_workspace() {
    let good = [
        ("plans", "plans"),
        ("./docs//plans/", "docs/plans"),
        (".planwright/x", ".planwright/x"),
    ];
    for (given, expected) in good {
        assert_eq!(
            value_parsers::folder(&json!(given)),
            Ok(expected.to_owned())
        );
    }
    let bad = [
        "",
        " ",
        ".",
        "/",
        "/etc",
        "..",
        "../x",
        "a/../../x",
        "a/..",
        "~",
        "~/plans",
        "C:/plans",
        "c:",
        "a\\b",
        ".git/hooks",
        "x/.GIT",
        "a\0b",
        "a\nb",
    ];
    for given in bad {
        let said = value_parsers::folder(&json!(given)).unwrap_err();
        assert!(
            said.starts_with("must be a folder in the workspace"),
            "{given}: {said}"
        );
    }
}

#[test]
fn an_endpoint_never_appears_in_a_message() {
    let secret = "sk-live-4711";
    let table = [
        (json!(secret), "endpoint: must be"),
        (
            json!({ "base_url": secret, "model": "m" }),
            "endpoint: base_url must start with http",
        ),
        (
            json!({ "base_url": format!("http://me:{secret}@host"), "model": "m" }),
            "endpoint: base_url must not contain a user name or key",
        ),
        (
            json!({ "base_url": format!("http://host/v1?key={secret}"), "model": "m" }),
            "endpoint: base_url can't contain spaces",
        ),
        (
            json!({ "base_url": "http://host" }),
            "endpoint: model is empty; enter a model name",
        ),
        (
            json!({ "base_url": "http://host", "model": "m", "key_variable": secret }),
            "endpoint: key_variable must be the name of an environment variable",
        ),
        (
            json!({ "base_url": [secret], "model": "m" }),
            "endpoint.base_url: must be text",
        ),
        (
            json!({ "base_url": "http://host", "model": "m", "api_key": secret }),
            "endpoint.api_key: don't put keys in settings",
        ),
    ];
    for (endpoint, expected) in table {
        let (_, said) = read(&json!({ "endpoint": endpoint }).to_string(), Owner::User);
        assert!(said.starts_with(expected), "{said}");
        assert!(!said.contains(secret), "{said}");
    }
    let (layer, said) = read(
        r#"{"endpoint": {"base_url": "http://localhost:11434/v1", "modle": "x", "model": "m"}}"#,
        Owner::User,
    );
    assert_eq!(
        said,
        "endpoint.modle: unknown setting; did you mean “model”?"
    );
    assert!(layer.endpoint.is_some(), "the rest of it applies");
}

#[test]
fn what_only_a_user_may_set_is_not_read_from_a_workspace() {
    let text = r#"{"sandbox": "none", "endpoint": {"base_url": "http://evil", "model": "m"}}"#;
    let (layer, said) = read(text, Owner::Workspace);
    assert_eq!(layer, Layer::default());
    insta::assert_snapshot!(said, @r#"
    sandbox: ignored: only user settings can set it
    endpoint: ignored: only user settings can set it
    "#);
}

#[test]
fn text_of_a_file_reaches_no_terminal_raw() {
    let key = format!("\u{1b}[31m\u{202e}{}", "x".repeat(10_000));
    let text =
        json!({ key: 1, "policy": "\u{9b}2J\nfine", "sandbox": "a".repeat(5_000) }).to_string();
    let (_, said) = read(&text, Owner::User);
    assert!(!said.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{said:?}");
    assert_eq!(said.lines().count(), 3, "{said}");
    assert!(said.len() < 1_100, "{}", said.len());
}

#[test]
fn the_settings_of_verification_go_by_their_names_and_a_workspace_switches_none_off() {
    let text = r#"{"verifyFileChanges": false, "maxVerificationAttempts": 3, "verify_search_results": true}"#;
    let (user, said) = read(text, Owner::User);
    assert!(
        said.contains("did you mean “verifySearchResults”"),
        "{said}"
    );
    let (alone, _) = merge(&user, &Layer::default());
    assert!(!alone.verification.verify_file_changes);
    assert!(alone.verification.run_tests_after_changes);
    assert_eq!(alone.verification.max_verification_attempts, 3);
    let (_, said) = read(r#"{"maxVerificationAttempts": 9}"#, Owner::User);
    assert!(said.contains("from 0 to 5"), "{said}");

    let of_workspace = |text: &str| read(text, Owner::Workspace).0;
    let off = r#"{"maxVerificationAttempts": 0, "runTestsAfterChanges": false, "verifySearchResults": false}"#;
    let (settings, ignored) = merge(&user, &of_workspace(off));
    assert_eq!(settings.verification, alone.verification);
    let keys: Vec<&str> = ignored.iter().map(|one| one.key.as_str()).collect();
    assert_eq!(
        keys,
        [
            "runTestsAfterChanges",
            "verifySearchResults",
            "maxVerificationAttempts"
        ]
    );
    let more = of_workspace(r#"{"maxVerificationAttempts": 1, "verifyFileChanges": true}"#);
    let (settings, ignored) = merge(&user, &more);
    assert!(ignored.is_empty());
    assert!(settings.verification.verify_file_changes);
    assert_eq!(settings.verification.max_verification_attempts, 1);
    let looser = of_workspace(r#"{"maxVerificationAttempts": 5}"#);
    assert_eq!(merge(&user, &looser).1.len(), 1);
    let none = read(r#"{"maxVerificationAttempts": 0}"#, Owner::User).0;
    assert!(!merge(&none, &looser).0.verification.is_off());
}

#[test]
fn check_commands_of_a_workspace_are_told_from_ones_own() {
    let commands = r#"{"verify_commands": ["make test"]}"#;
    let own = read(commands, Owner::User).0;
    let theirs = read(commands, Owner::Workspace).0;
    let checks = |user: &Layer, workspace: &Layer| merge(user, workspace).0.workspace_checks();
    assert!(checks(&own, &Layer::default())[0].is_own);
    let replaced = checks(&own, &theirs);
    assert!(
        !replaced[0].is_own,
        "the workspace's list replaces the user's"
    );
}

#[test]
fn how_a_plan_grows_is_the_users_and_a_workspace_may_only_lower_its_limits() {
    let text = r#"{"planningStrategy": "auto", "lookAheadTasks": 2, "maxAddedSteps": 20, "maxRunTokens": 5000}"#;
    let (user, said) = read(text, Owner::User);
    assert_eq!(said, "");
    let theirs = r#"{"lookAheadTasks": 1, "maxAddedSteps": 30, "maxRunTokens": 1000}"#;
    let (workspace, said) = read(theirs, Owner::Workspace);
    assert_eq!(said, "");
    let (settings, ignored) = merge(&user, &workspace);
    let planning = settings.planning;
    assert_eq!(planning.strategy, None);
    assert_eq!(planning.look_ahead, Some(1));
    let caps = planning.caps;
    assert_eq!((caps.steps, caps.calls, caps.tokens), (20, 400, 1_000));
    assert_eq!(ignored.len(), 1, "{ignored:?}");
    let (_, said) = read(r#"{"planningStrategy": "iterative"}"#, Owner::Workspace);
    assert!(said.contains("planningStrategy"), "{said}");
    let (_, said) = read(
        r#"{"lookAheadTasks": 4, "planningStrategy": "iterativ"}"#,
        Owner::User,
    );
    assert!(said.contains("from 1 to 3"), "{said}");
    assert!(said.contains("did you mean “iterative”"), "{said}");
}
