//! The environment of a command: an allowlist, never a denylist.
//!
//! Pure: the variables are passed in. Variables with toolchain folders are passed on; variables
//! that may hold a key never are, even if they are requested.

use plan::word_list::WordList;

/// Variables that are passed on unchanged.
const PASSED: WordList =
    WordList("PATH HOME USER LOGNAME LANG LANGUAGE TZ LD_LIBRARY_PATH PKG_CONFIG_PATH");

/// Locale variables. Other `LC_` names may have any meaning, since SSH servers accept them from
/// clients.
const LOCALE: WordList = WordList(
    "LC_ALL LC_ADDRESS LC_COLLATE LC_CTYPE LC_IDENTIFICATION LC_MEASUREMENT LC_MESSAGES \
     LC_MONETARY LC_NAME LC_NUMERIC LC_PAPER LC_TELEPHONE LC_TIME",
);

/// Toolchain folders and version selections; in tier B, the folders also become readable.
const TOOLCHAINS: WordList = WordList(
    "CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN GOPATH GOROOT GOMODCACHE PYENV_ROOT PYENV_VERSION \
     VIRTUAL_ENV CONDA_PREFIX NVM_DIR NVM_BIN VOLTA_HOME FNM_DIR ASDF_DIR ASDF_DATA_DIR \
     MISE_DATA_DIR SDKMAN_DIR JAVA_HOME M2_HOME MAVEN_HOME ANDROID_HOME DOTNET_ROOT BUN_INSTALL \
     PNPM_HOME RBENV_ROOT GEM_HOME GEM_PATH NODE_PATH JULIA_DEPOT_PATH",
);

/// Fixed for every command: no colors, prompts, pagers or waiting for networks, and no caches of
/// interpreters and linters in the workspace, which clutter it and may be stale.
const FIXED: &[(&str, &str)] = &[
    ("TERM", "dumb"),
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("CARGO_NET_OFFLINE", "true"),
    ("CARGO_TERM_COLOR", "never"),
    ("npm_config_update_notifier", "false"),
    ("PYTHONDONTWRITEBYTECODE", "1"),
    ("PYTEST_ADDOPTS", "-o cache_dir=${TMPDIR}/pytest-cache"),
    ("MYPY_CACHE_DIR", "/dev/null"),
    ("RUFF_NO_CACHE", "true"),
    ("NODE_DISABLE_COMPILE_CACHE", "1"),
];

const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Whether a variable with this name may hold a secret.
fn looks_like_a_key(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let last = name.rsplit('_').next().unwrap_or(&name);
    [
        "KEY",
        "TOKEN",
        "PASS",
        "PAT",
        "AUTH",
        "COOKIE",
        "CREDENTIALS",
    ]
    .contains(&last)
        || [
            "SECRET",
            "PASSWORD",
            "PASSWD",
            "PASSPHRASE",
            "CREDENTIAL",
            "APIKEY",
            "API_KEY",
        ]
        .iter()
        .any(|word| name.contains(word))
}

/// The variables of a command, sorted by name. `extra` overrides inherited variables but can't add
/// keys.
pub(super) fn allowed(
    inherited: impl IntoIterator<Item = (String, String)>,
    extra: &[(String, String)],
) -> Vec<(String, String)> {
    let mut all = std::collections::BTreeMap::from([("PATH".to_owned(), DEFAULT_PATH.to_owned())]);
    for (name, value) in inherited {
        let known = PASSED.contains(&name) || TOOLCHAINS.contains(&name);
        if (known || LOCALE.contains(&name)) && !value.is_empty() {
            all.insert(name, value);
        }
    }
    all.extend(
        FIXED
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
    );
    for (name, value) in extra {
        let is_name = !name.is_empty() && !name.contains(['=', '\0']) && !value.contains('\0');
        if is_name && !looks_like_a_key(name) {
            all.insert(name.clone(), value.clone());
        }
    }
    all.into_iter().collect()
}

/// The folders named by the toolchain variables in `env`.
pub(super) fn toolchain_folders(env: &[(String, String)]) -> impl Iterator<Item = &str> {
    env.iter()
        .filter(|(name, _)| {
            TOOLCHAINS.contains(name)
                || matches!(
                    name.as_str(),
                    "PATH" | "LD_LIBRARY_PATH" | "PKG_CONFIG_PATH"
                )
        })
        .flat_map(|(_, value)| value.split(':'))
        .filter(|folder| folder.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
            .collect()
    }

    #[test]
    fn only_what_a_toolchain_needs_is_inherited() {
        let env = allowed(
            pairs(&[
                ("PATH", "/opt/bin:/bin"),
                ("LC_ALL", "C"),
                ("LC_SECRET", "x"),
                ("PYENV_ROOT", "/home/a/.pyenv"),
                ("OPENAI_API_KEY", "sk"),
                ("SSH_AUTH_SOCK", "/run/x"),
                ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/y"),
                ("TERM", "xterm"),
                ("RANDOM_THING", "1"),
            ]),
            &[],
        );
        let names: Vec<_> = env.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            [
                "CARGO_NET_OFFLINE",
                "CARGO_TERM_COLOR",
                "GIT_PAGER",
                "GIT_TERMINAL_PROMPT",
                "LC_ALL",
                "MYPY_CACHE_DIR",
                "NODE_DISABLE_COMPILE_CACHE",
                "PAGER",
                "PATH",
                "PYENV_ROOT",
                "PYTEST_ADDOPTS",
                "PYTHONDONTWRITEBYTECODE",
                "RUFF_NO_CACHE",
                "TERM",
                "npm_config_update_notifier"
            ]
        );
        assert!(env.contains(&("TERM".to_owned(), "dumb".to_owned())));
        assert_eq!(
            toolchain_folders(&env).collect::<Vec<_>>(),
            ["/opt/bin", "/bin", "/home/a/.pyenv"]
        );
    }

    #[test]
    fn nobody_can_ask_for_a_key() {
        let wanted = pairs(&[
            ("GITHUB_TOKEN", "x"),
            ("Aws_Secret_Access_Key", "x"),
            ("DB_PASSWORD", "x"),
            ("client_secret_file", "x"),
            ("RUST_BACKTRACE", "1"),
            ("A=B", "x"),
        ]);
        let env = allowed([], &wanted);
        let ours: Vec<_> = env.iter().filter(|pair| wanted.contains(pair)).collect();
        assert_eq!(ours, [&("RUST_BACKTRACE".to_owned(), "1".to_owned())]);
    }
}
