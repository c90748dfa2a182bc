//! Loading from files, environment and workspace together.

use std::cell::RefCell;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;

struct Case {
    folder: TempDir,
    user: PathBuf,
}

impl Case {
    fn new(user: Option<&[u8]>) -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("settings.json");
        if let Some(bytes) = user {
            std::fs::write(&path, bytes).unwrap();
        }
        Self { user: path, folder }
    }

    /// Loads the settings; problems are formatted as text, with `user` as the user's file.
    fn load(
        &self,
        workspace: Result<Option<&str>, &str>,
        env: &[(&str, &str)],
    ) -> (Settings, Vec<String>) {
        let read = || {
            workspace
                .map(|text| text.map(str::to_owned))
                .map_err(str::to_owned)
        };
        let source = WorkspaceSource {
            file: ".planwright/settings.json".to_owned(),
            read: &read,
        };
        let env = |name: &str| {
            env.iter()
                .find(|(key, _)| *key == name)
                .map(|(_, value)| OsString::from(value))
        };
        let (settings, problems) = Settings::load(&self.user, Some(&source), env);
        let name = self.user.display().to_string();
        (
            settings,
            problems
                .iter()
                .map(|problem| problem.to_string().replace(&name, "user"))
                .collect(),
        )
    }
}

#[test]
fn a_missing_file_is_no_problem_anywhere() {
    let case = Case::new(None);
    let (settings, problems) = case.load(Ok(None), &[]);
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(settings, merged(&json!({}), &json!({})).0);
    let (alone, problems) = Settings::load(&case.user, None, |_| None);
    assert_eq!((alone, problems.len()), (settings, 0));
}

#[test]
fn each_problem_names_its_file_in_the_order_of_the_layers() {
    let case = Case::new(Some(br#"{"policy": "each", "sandbux": "none"}"#));
    let (settings, problems) = case.load(
        Ok(Some(
            r#"{"policy": "all", "sandbox": "none", "plan_folder": "../out"}"#,
        )),
        &[
            ("PLANWRIGHT_SANDBOX", "nine"),
            ("PLANWRIGHT_PLAN_ADEQUACY_ENFORCE", "maybe"),
        ],
    );
    assert_eq!(settings.policy, Some(Policy::Each));
    assert_eq!(settings.sandbox, Wanted::Auto);
    assert_eq!(settings.plan_folder, "plans");
    insta::assert_snapshot!(problems.join("\n"), @r#"
    user: sandbux: unknown setting; did you mean “sandbox”?
    environment: PLANWRIGHT_PLAN_ADEQUACY_ENFORCE: must be 1 or 0, not “maybe”
    environment: PLANWRIGHT_SANDBOX: must be one of auto, bubblewrap, landlock, none, not “nine” (did you mean “none”?)
    .planwright/settings.json: sandbox: ignored: only user settings can set it
    .planwright/settings.json: plan_folder: must be a folder in the workspace, as a relative path such as plans; “../out” is outside the workspace
    .planwright/settings.json: policy: ignored: “all” asks less often than your “each”; a workspace can only make runs ask more often
    "#);
}

#[test]
fn the_environment_is_the_users_and_goes_over_the_file() {
    let case = Case::new(Some(
        br#"{"sandbox": "landlock", "plan_adequacy_enforce": true}"#,
    ));
    // Columns: PLANWRIGHT_SANDBOX, PLANWRIGHT_PLAN_ADEQUACY_ENFORCE, effective values.
    let table = [
        (None, Wanted::Landlock, true),
        (Some(("", "")), Wanted::Landlock, true),
        (Some(("none", "0")), Wanted::None, false),
        (Some(("AUTO", "true")), Wanted::Auto, true),
    ];
    for (values, sandbox, enforce) in table {
        let env: Vec<(&str, &str)> = values
            .into_iter()
            .flat_map(|(sandbox, enforce)| {
                [
                    ("PLANWRIGHT_SANDBOX", sandbox),
                    ("PLANWRIGHT_PLAN_ADEQUACY_ENFORCE", enforce),
                ]
            })
            .collect();
        let (settings, problems) = case.load(Ok(None), &env);
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(
            (settings.sandbox, settings.plan_adequacy_enforce),
            (sandbox, enforce),
            "{env:?}"
        );
    }
    let off = [("PLANWRIGHT_PLAN_ADEQUACY_ENFORCE", "off")];
    let (settings, _) = case.load(Ok(Some(r#"{"plan_adequacy_enforce": true}"#)), &off);
    assert!(
        settings.plan_adequacy_enforce,
        "what the workspace tightens stays tight"
    );
}

#[test]
fn a_bad_file_of_one_layer_leaves_the_other_in_force() {
    let case = Case::new(Some(b"{\"policy\": \"each\"\n"));
    let (settings, problems) = case.load(Ok(Some(r#"{"policy": "risky"}"#)), &[]);
    assert_eq!(settings.policy, Some(Policy::Risky));
    assert!(
        problems[0].starts_with("user: invalid JSON at line 2"),
        "{problems:?}"
    );

    let case = Case::new(Some(br#"{"policy": "each"}"#));
    let (settings, problems) = case.load(Err("is a symlink that leads outside"), &[]);
    assert_eq!(settings.policy, Some(Policy::Each));
    assert_eq!(
        problems,
        [".planwright/settings.json: is a symlink that leads outside"]
    );
}

#[test]
fn a_users_file_that_cannot_be_used_is_named() {
    let large = vec![b' '; MAX_FILE_SIZE as usize + 1];
    let table: [(&[u8], &str); 2] = [
        (
            b"{\"context_notes\": [\"\xff\"]}",
            "user: not UTF-8 at byte 20",
        ),
        (&large, "user: larger than 1 MiB"),
    ];
    for (bytes, expected) in table {
        let (settings, problems) = Case::new(Some(bytes)).load(Ok(None), &[]);
        assert_eq!(settings, merged(&json!({}), &json!({})).0);
        assert!(
            problems.len() == 1 && problems[0].starts_with(expected),
            "{problems:?}"
        );
    }
    let case = Case::new(None);
    std::fs::create_dir(&case.user).unwrap();
    let (_, problems) = case.load(Ok(None), &[]);
    assert!(problems[0].starts_with("user: not a file"), "{problems:?}");
}

#[test]
fn a_workspace_file_that_is_too_large_is_named() {
    let case = Case::new(None);
    let text = " ".repeat(MAX_FILE_SIZE as usize + 1);
    let (_, problems) = case.load(Ok(Some(&text)), &[]);
    assert!(problems[0].contains("larger than 1 MiB"), "{problems:?}");
}

#[test]
fn the_workspace_is_read_once_and_by_the_caller_alone() {
    let case = Case::new(None);
    std::fs::create_dir(case.folder.path().join(".planwright")).unwrap();
    let calls = RefCell::new(0);
    let read = || {
        *calls.borrow_mut() += 1;
        Ok(None)
    };
    let source = WorkspaceSource {
        file: String::new(),
        read: &read,
    };
    Settings::load(&case.user, Some(&source), |_| None);
    assert_eq!(*calls.borrow(), 1);
}
