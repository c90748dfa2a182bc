//! A command can reach the listed paths and nothing else.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]
#![allow(
    clippy::print_stdout,
    reason = "reports the tiers that this machine lacks"
)]

#[path = "sandbox_support/mod.rs"]
mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use support::{Place, sealed_tiers};
use tools::sandbox::{Mode, Sandbox, SandboxError, Tier};

/// Paths in a home folder where programs keep keys, logins, wallets, mail and histories.
const SECRETS: &[&str] = &[
    ".ssh/id_ed25519",
    ".ssh/config",
    ".ssh/known_hosts",
    ".gnupg/private-keys-v1.d/a.key",
    ".aws/credentials",
    ".aws/config",
    ".aws/sso/cache/a.json",
    ".azure/accessTokens.json",
    ".kube/config",
    ".docker/config.json",
    ".netrc",
    "_netrc",
    ".git-credentials",
    ".gitconfig",
    ".config/git/config",
    ".config/git/credentials",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pypirc",
    ".password-store/a.gpg",
    ".pki/nssdb/key4.db",
    ".vault-token",
    ".terraformrc",
    ".terraform.d/credentials.tfrc.json",
    ".pgpass",
    ".my.cnf",
    ".mylogin.cnf",
    ".s3cfg",
    ".boto",
    ".oci/config",
    ".oci/oci_api_key.pem",
    ".claude/.credentials.json",
    ".claude.json",
    ".codex/auth.json",
    ".gemini/oauth_creds.json",
    ".config/github-copilot/apps.json",
    ".config/github-copilot/hosts.json",
    ".cache/huggingface/token",
    ".huggingface/token",
    ".config/gh/hosts.yml",
    ".config/hub",
    ".config/glab-cli/config.yml",
    ".config/gcloud/credentials.db",
    ".config/gcloud/application_default_credentials.json",
    ".config/op/config",
    ".config/1Password/settings.json",
    ".config/rclone/rclone.conf",
    ".config/doctl/config.yaml",
    ".config/sops/age/keys.txt",
    ".config/heroku/x",
    ".config/netlify/config.json",
    ".config/configstore/firebase-tools.json",
    ".config/containers/auth.json",
    ".config/pip/pip.conf",
    ".config/pypoetry/auth.toml",
    ".config/composer/auth.json",
    ".config/mise/config.toml",
    ".config/openai/key",
    ".config/anthropic/key",
    ".config/google-chrome/Default/Cookies",
    ".config/chromium/x",
    ".config/BraveSoftware/x",
    ".config/Signal/config.json",
    ".config/Slack/Cookies",
    ".config/Code/User/globalStorage/state.vscdb",
    ".config/JetBrains/x",
    ".config/fish/config.fish",
    ".config/systemd/user/x.service",
    ".local/share/keyrings/login.keyring",
    ".local/share/kwalletd/kdewallet.kwl",
    ".local/share/uv/credentials/a.toml",
    ".local/share/fish/fish_history",
    ".local/share/code-server/x",
    ".local/state/x",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".m2/settings.xml",
    ".m2/settings-security.xml",
    ".gradle/gradle.properties",
    ".gradle/init.d/a.gradle",
    ".nuget/NuGet/NuGet.Config",
    ".cabal/config",
    ".ivy2/.credentials",
    ".sbt/credentials",
    ".julia/servers/pkg/auth.toml",
    ".dotnet/corefx/x509stores/my/a.pfx",
    ".cargo/.env",
    ".rustup/.netrc",
    ".nvm/.env",
    ".virtualenvs/web/.env",
    ".local/share/uv/tools/t/.env",
    "go/pkg/mod/cache/.netrc",
    "go/src/private/main.go",
    ".bash_history",
    ".zsh_history",
    ".psql_history",
    ".python_history",
    ".node_repl_history",
    ".mysql_history",
    ".bashrc",
    ".profile",
    ".zshrc",
    ".mozilla/firefox/a/logins.json",
    ".thunderbird/a/key4.db",
    ".var/app/x",
    "snap/firefox/x",
    ".bitcoin/wallet.dat",
    ".ethereum/keystore/a",
    ".electrum/wallets/a",
    ".purple/accounts.xml",
    ".wine/user.reg",
    "Documents/taxes.pdf",
    "Downloads/key.pem",
    "Desktop/passwords.kdbx",
    "notes.txt",
    "other-project/.env",
    "other-project/src/main.rs",
    "other-project/.git/config",
];

/// Paths in a workspace that are hidden from commands in plan mode.
const PRIVATE: &[&str] = &[
    ".env",
    ".env.local",
    "app/.env.production",
    "prod.env",
    "certs/server.key",
    "id_rsa",
    ".npmrc",
    "config/credentials.json",
    "infra/prod.tfvars",
    "terraform.tfstate",
    "key.pem",
    ".aws/credentials",
    "service-account.json",
    "wallet.dat",
    "deploy/own.secret",
];

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// The output of a command that tries to read all these paths.
fn read_all(place: &Place, sandbox: &Sandbox, paths: &[String], mode: Mode) -> String {
    let line = format!(
        "for f in {}; do echo \"$f:\"; cat \"$f\"; done 2>/dev/null",
        paths.join(" ")
    );
    place
        .run(sandbox, &place.shell(&line, mode))
        .unwrap()
        .text()
}

#[test]
fn of_more_than_a_hundred_secret_places_none_can_be_read() {
    assert!(SECRETS.len() >= 100, "{}", SECRETS.len());
    for (place, sandbox) in sealed_tiers() {
        for name in SECRETS {
            write(&place.home.join(name), "[x]\n\ttoken = hidden words\n");
        }
        let paths: Vec<_> = SECRETS
            .iter()
            .map(|name| place.home.join(name).display().to_string())
            .collect();
        let system = [
            "/etc/shadow",
            "/etc/gshadow",
            "/etc/sudoers",
            "/etc/ssh/sshd_config",
            "/root/.bashrc",
            "/var/log/syslog",
        ];
        for mode in [Mode::Exec, Mode::Plan] {
            for part in paths.chunks(40) {
                let text = read_all(&place, &sandbox, part, mode);
                assert!(
                    !text.contains("hidden words"),
                    "{:?} {mode:?}: {text}",
                    sandbox.tier()
                );
            }
            let text = read_all(&place, &sandbox, &system.map(str::to_owned), mode);
            let said: Vec<_> = text.lines().filter(|line| !line.starts_with('/')).collect();
            assert!(said.is_empty(), "{:?}: {said:?}", sandbox.tier());
        }
    }
}

/// Settings files deep inside toolchains in a home folder: the path, content with a login, and
/// content without one.
const SETTINGS: &[(&str, &str, &str)] = &[
    (
        ".nvm/versions/node/v20.1.0/etc/npmrc",
        "//registry.npmjs.org/:_authToken=hidden-words",
        "audit=false",
    ),
    (
        ".volta/tools/image/node/20.1.0/etc/npmrc",
        "_auth=hidden-words",
        "always-auth=true",
    ),
    (
        ".local/share/mise/installs/node/20/etc/npmrc",
        "//r/:_password=\"hidden-words\"",
        "prefix=x",
    ),
    (
        ".pyenv/versions/3.12.1/pip.conf",
        "index-url = https://me:hidden-words@host/simple",
        "index-url = https://host/simple",
    ),
    (
        ".virtualenvs/web/pip.conf",
        "proxy = me:hidden-words@host:3128",
        "proxy = host:3128",
    ),
    (
        ".sdkman/candidates/maven/3.9.1/conf/settings.xml",
        "<password>hidden-words</password>",
        "<offline>true</offline>",
    ),
    (
        ".cargo/config.toml",
        "secret-key = \"hidden-words\"",
        "jobs = 2",
    ),
    (
        ".cargo/git/db/x-1/FETCH_HEAD",
        "0 branch of https://x:hidden-words@host/x",
        "0 branch of https://git@host/x",
    ),
    (
        ".local/share/pnpm/auth.ini",
        "//host/:_authToken=hidden-words",
        "registry=https://host/",
    ),
    (
        ".sdkman/candidates/gradle/8/init.d/repository.gradle",
        "password = 'hidden-words'",
        "offline = true",
    ),
    (
        "go/pkg/mod/cache/vcs/1/config",
        "extraheader = AUTHORIZATION: hidden-words",
        "bare = true",
    ),
    (
        "go/pkg/mod/cache/vcs/2/config",
        "url = https://abcdefghijklmnopqrst@host/hidden-words",
        "url = https://git@host/x",
    ),
];

#[test]
fn a_login_deep_in_a_toolchain_is_hidden_and_its_other_settings_are_not() {
    for (place, sandbox) in sealed_tiers() {
        let paths = SETTINGS.iter().map(|(name, ..)| place.home.join(name));
        let paths: Vec<_> = paths.map(|path| path.display().to_string()).collect();
        for (name, login, _) in SETTINGS {
            write(&place.home.join(name), &format!("{login}\n"));
        }
        let text = read_all(&place, &sandbox, &paths, Mode::Exec);
        assert!(!text.contains("words"), "{:?}: {text}", sandbox.tier());
        for (name, _, plain) in SETTINGS {
            write(&place.home.join(name), &format!("{plain}\n"));
        }
        let text = read_all(&place, &sandbox, &paths, Mode::Exec);
        for (name, _, plain) in SETTINGS {
            assert!(text.contains(plain), "{:?}: {name} {text}", sandbox.tier());
        }
    }
}

#[test]
fn a_git_file_that_names_a_folder_of_somebody_else_shows_nothing_of_it() {
    for (place, sandbox) in sealed_tiers() {
        let other = place.home.join("other");
        write(&other.join("HEAD"), "ref: refs/heads/main\n");
        write(
            &other.join("config"),
            "[core]\n\tbare = false # hidden words\n",
        );
        write(&other.join("notes.txt"), "hidden words");
        for folder in ["objects", "refs"] {
            fs::create_dir_all(other.join(folder)).unwrap();
        }
        fs::remove_dir_all(place.workspace.join(".git")).unwrap();
        let git = format!("gitdir: {}\n", other.display());
        write(&place.workspace.join(".git"), &git);
        let paths = ["config", "notes.txt"].map(|name| other.join(name).display().to_string());
        for mode in [Mode::Exec, Mode::Plan] {
            let text = read_all(&place, &sandbox, &paths, mode);
            assert!(!text.contains("hidden"), "{:?}: {text}", sandbox.tier());
        }
        let mut commit = place.argv("git commit -m x", Mode::Exec);
        commit.commits = true;
        let refused = place.run(&sandbox, &commit).unwrap_err().to_string();
        assert!(refused.contains("toolchains"), "{refused}");
        // A Git folder that points back to the workspace belongs to it.
        write(
            &other.join("gitdir"),
            &format!("{}/.git\n", place.workspace.display()),
        );
        let text = read_all(&place, &sandbox, &paths, Mode::Exec);
        assert!(
            text.contains("hidden words"),
            "{:?}: {text}",
            sandbox.tier()
        );
    }
}

#[test]
fn private_files_of_the_workspace_are_hidden_before_approval_and_their_examples_are_not() {
    for (place, _) in sealed_tiers().into_iter().take(1) {
        for name in PRIVATE {
            write(&place.workspace.join(name), "hidden words");
        }
        write(&place.workspace.join(".env.example"), "plain words");
        let mut paths: Vec<_> = PRIVATE.iter().map(|name| (*name).to_owned()).collect();
        paths.push(".env.example".to_owned());
        for wanted in [
            tools::sandbox::Wanted::Bubblewrap,
            tools::sandbox::Wanted::Landlock,
        ] {
            let mut config = place.config(wanted);
            config.private_files = vec!["deploy/*.secret".to_owned()];
            let sandbox = Sandbox::probe(&config);
            let text = read_all(&place, &sandbox, &paths, Mode::Plan);
            assert!(
                !text.contains("hidden words"),
                "{:?}: {text}",
                sandbox.tier()
            );
            assert!(text.contains("plain words"), "{:?}: {text}", sandbox.tier());
            // An approved step can use private files, but they are replaced in its output, which
            // may reach a model.
            let text = read_all(&place, &sandbox, &paths, Mode::Exec);
            assert!(!text.contains("hidden words"), "{text}");
            assert_eq!(text.matches("[private]").count(), PRIVATE.len(), "{text}");
            let mut of_model = place.shell("cat .env; wc -c < .env", Mode::Exec);
            of_model.sees_private = false;
            let text = place.run(&sandbox, &of_model).unwrap().text();
            assert!(!text.contains("12") && !text.contains("private"), "{text}");
        }
    }
}

#[test]
fn settings_and_key_files_are_private_where_they_hold_a_login_or_a_private_key() {
    let files = [
        (
            ".mcp.json",
            "\"API_KEY\": \"hidden-words\"",
            "\"command\": \"plain-words\"",
        ),
        (
            "gradle.properties",
            "repoPassword=hidden-words",
            "org.gradle.jvmargs=plain-words",
        ),
        (
            "config/database.yml",
            "password: hidden-words",
            "password: <%= plain-words %>",
        ),
        (
            ".bundle/config",
            "BUNDLE_X: \"https://a:hidden-words@h\"",
            "BUNDLE_PATH: plain-words",
        ),
        (
            "certs/server.PEM",
            "-----BEGIN PRIVATE KEY-----\nhidden-words",
            "-----BEGIN CERTIFICATE-----\nplain-words",
        ),
    ];
    for (place, sandbox) in sealed_tiers() {
        let paths = files.map(|(name, ..)| name.to_owned());
        for (name, login, _) in files {
            write(&place.workspace.join(name), login);
        }
        let text = read_all(&place, &sandbox, &paths, Mode::Plan);
        assert!(!text.contains("hidden"), "{:?}: {text}", sandbox.tier());
        for (name, _, plain) in files {
            write(&place.workspace.join(name), plain);
        }
        let text = read_all(&place, &sandbox, &paths, Mode::Plan);
        let shown = text.matches("plain-words").count();
        assert_eq!(shown, files.len(), "{:?}: {text}", sandbox.tier());
    }
}

#[test]
fn beside_private_files_the_names_of_a_folder_are_seen() {
    for (place, sandbox) in sealed_tiers() {
        write(&place.workspace.join(".env"), "hidden words");
        write(&place.workspace.join("src/server.key"), "hidden words");
        write(&place.workspace.join("new.txt"), "");
        let line = "ls; ls src; find . -name new.txt; cat .env src/server.key";
        let text = place.run(&sandbox, &place.shell(line, Mode::Plan)).unwrap();
        let text = text.text();
        for name in ["plans\n", "main.txt\n", "./new.txt\n"] {
            assert!(text.contains(name), "{:?}: {text}", sandbox.tier());
        }
        assert!(!text.contains("hidden"), "{:?}: {text}", sandbox.tier());
    }
}

#[test]
fn a_login_in_the_settings_of_a_repository_is_hidden_and_git_works_without_it() {
    for (place, sandbox) in sealed_tiers() {
        let git = |args: &[&str]| {
            let mut command = Command::new("git");
            let done = command.args(args).current_dir(&place.workspace);
            assert!(done.output().unwrap().status.success(), "{args:?}");
        };
        fs::remove_dir_all(place.workspace.join(".git")).unwrap();
        git(&["init", "-q", "-b", "main"]);
        git(&[
            "remote",
            "add",
            "origin",
            "https://ann:ghp_hidden4words@host/x.git",
        ]);
        let line = "cat .git/config; git remote -v; git branch --show-current";
        for (mode, sees_private) in [(Mode::Plan, false), (Mode::Exec, false), (Mode::Exec, true)] {
            let mut spec = place.shell(line, mode);
            spec.sees_private = sees_private;
            let text = place.run(&sandbox, &spec).unwrap().text();
            assert!(!text.contains("ghp_"), "{:?}: {text}", sandbox.tier());
            let says_so = sandbox.tier() == Tier::Landlock
                && text.contains(
                    "remove the \
                                                                             credentials",
                );
            assert!(text.contains("main") || says_so, "{text}");
        }
    }
}

#[test]
fn a_login_in_the_settings_of_the_user_is_not_passed_on() {
    for (place, sandbox) in sealed_tiers() {
        let settings = "[user]\n\tname = ann\n[url \"https://x:hidden4words@host/\"]\n\tinsteadOf = https://host/\n\
                        [remote \"https://x:hidden4words@host/\"]\n\turl = https://ann:hidden4words@host/\n\
                        [http]\n\textraheader = Authorization: basic hidden4words\n";
        write(&place.home.join(".gitconfig"), settings);
        write(&place.home.join(".config/git/config"), settings);
        let line = "cat ~/.gitconfig ~/.config/git/config $GIT_CONFIG_GLOBAL; git config user.name";
        for mode in [Mode::Plan, Mode::Exec] {
            let text = place.run(&sandbox, &place.shell(line, mode)).unwrap();
            let text = text.text();
            assert!(!text.contains("hidden4"), "{:?}: {text}", sandbox.tier());
            assert!(text.contains("ann"), "{:?}: {text}", sandbox.tier());
        }
    }
}

#[test]
fn an_environment_outside_the_workspace_works_and_another_program_there_is_refused_with_the_setting()
 {
    for (place, sandbox) in sealed_tiers() {
        let outside = place.home.parent().unwrap().join("side");
        let venv = outside.join("venv");
        let made = Command::new("python3")
            .args(["-m", "venv", "--without-pip"])
            .arg(&venv)
            .status();
        if !made.is_ok_and(|status| status.success()) {
            println!("there is no Python here");
            return;
        }
        write(&venv.join("lib/hidden.py"), "");
        let said = "import sys; print(sys.prefix)";
        for line in [
            format!("../side/venv/bin/python -c '{said}'"),
            format!("{}/bin/python -c '{said}'", venv.display()),
            format!("cd src && ../../side/venv/bin/python -c '{said}'"),
            format!(". ../side/venv/bin/activate && python -c '{said}'"),
        ] {
            for mode in [Mode::Exec, Mode::Plan] {
                let outcome = place.run(&sandbox, &place.shell(&line, mode)).unwrap();
                let text = outcome.text();
                assert!(
                    outcome.exit.is_success() && text.contains("side/venv"),
                    "{:?} {line}: {text}",
                    sandbox.tier()
                );
            }
        }
        // The same environment, linked into the workspace.
        std::os::unix::fs::symlink(&venv, place.workspace.join(".venv")).unwrap();
        let outcome = place.sh(&sandbox, &format!(".venv/bin/python -c '{said}'"));
        assert!(
            outcome.exit.is_success(),
            "{:?}: {}",
            sandbox.tier(),
            outcome.text()
        );

        let tool = outside.join("tool");
        write(&tool, "#!/bin/sh\necho works\n");
        fs::set_permissions(&tool, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let refused = place
            .run(&sandbox, &place.argv("../side/tool", Mode::Exec))
            .unwrap_err();
        assert!(
            matches!(refused, SandboxError::ProgramOutside { .. }),
            "{refused}"
        );
        assert!(refused.to_string().contains("`toolchains`"), "{refused}");
        let mut config = place.config(match sandbox.tier() {
            Tier::Bubblewrap => tools::sandbox::Wanted::Bubblewrap,
            _ => tools::sandbox::Wanted::Landlock,
        });
        config.toolchains = vec![outside.clone()];
        let sandbox = Sandbox::probe(&config);
        let outcome = place
            .run(&sandbox, &place.argv("../side/tool", Mode::Exec))
            .unwrap();
        assert_eq!(outcome.text(), "works\n");
    }
}

#[test]
fn a_command_of_root_is_somebody_else_and_owns_what_it_makes() {
    for (place, sandbox) in sealed_tiers() {
        if sandbox.tier() != Tier::Bubblewrap {
            continue;
        }
        let outcome = place.sh(&sandbox, "id -u; whoami; echo x > src/made; cat src/made");
        let text = outcome.text();
        assert!(
            outcome.exit.is_success() && !text.starts_with("0\n"),
            "{text}"
        );
        let owner = |name: &str| {
            let data = fs::metadata(place.workspace.join(name)).unwrap();
            std::os::unix::fs::MetadataExt::uid(&data)
        };
        assert_eq!(owner("src/made"), owner("src"));
    }
}

#[test]
fn home_and_temporary_folders_are_private_and_gone_afterwards() {
    for (place, sandbox) in sealed_tiers() {
        write(&place.home.join("notes"), "x");
        let line = "echo x > \"$TMPDIR/a\" && test -s \"$TMPDIR/a\"";
        assert!(
            place.sh(&sandbox, line).exit.is_success(),
            "{:?}",
            sandbox.tier()
        );
        if sandbox.tier() == Tier::Bubblewrap {
            let line = format!("touch {0}/new ~/new && ls -A {0}", place.home.display());
            let text = place.sh(&sandbox, &line).text();
            assert_eq!(text, "new\n");
        }
        assert!(!place.home.join("new").exists());
    }
}

#[test]
fn no_command_sends_to_a_datagram_socket_outside_and_connected_pairs_work() {
    for (place, sandbox) in sealed_tiers() {
        let path = place.workspace.join("src/log.sock");
        let outside = std::os::unix::net::UnixDatagram::bind(&path).unwrap();
        outside.set_nonblocking(true).unwrap();
        let script = "import socket as s\n\
            for k in (s.SOCK_DGRAM, s.SOCK_RAW, s.SOCK_DGRAM | s.SOCK_CLOEXEC):\n \
            try:\n  a, b = s.socketpair(s.AF_UNIX, k)\n  a.sendto(b'x', 'src/log.sock')\n \
            except OSError as e: print(e)\n\
            a, b = s.socketpair()\na.send(b'works')\nprint(b.recv(9))\n";
        write(&place.workspace.join("src/send.py"), script);
        for mode in [Mode::Plan, Mode::Exec] {
            let spec = place.shell("python3 src/send.py", mode);
            let text = place.run(&sandbox, &spec).unwrap().text();
            let received = outside.recv(&mut [0; 9]);
            assert!(received.is_err(), "{:?} {mode:?}: {text}", sandbox.tier());
            if text.contains("not found") {
                println!("there is no Python here");
                return;
            }
            assert!(text.contains("works"), "{:?}: {text}", sandbox.tier());
        }
    }
}

#[test]
fn a_line_that_starts_a_program_out_of_sight_names_the_folder_to_let_in() {
    for (place, sandbox) in sealed_tiers() {
        let conda = place.home.parent().unwrap().join("conda");
        write(&conda.join("lib/libx.so"), "");
        let tool = conda.join("bin/tool");
        write(&tool, "#!/bin/sh\necho works\n");
        fs::set_permissions(&tool, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let hint = format!("add {} to `toolchains`", conda.display());
        for line in ["TOOL", "cd src && TOOL --version", "bash -c 'TOOL'"] {
            let line = line.replace("TOOL", &tool.display().to_string());
            let text = place.sh(&sandbox, &line).text();
            assert!(text.contains(&hint), "{:?} {line}: {text}", sandbox.tier());
        }
        let spec = place.argv(&tool.display().to_string(), Mode::Exec);
        let refused = place.run(&sandbox, &spec).unwrap_err().to_string();
        let folder = format!("add {} to", conda.display());
        assert!(refused.contains(&folder), "{refused}");
        // Failures with other causes get no hint.
        let text = place.sh(&sandbox, &format!("nothing {}", place.workspace.display()));
        assert!(!text.text().contains("toolchains"), "{}", text.text());
    }
}
