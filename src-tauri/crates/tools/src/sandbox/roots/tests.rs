//! Which paths are on the list, which are not, and which are hidden inside it.

use super::*;

fn home() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    (folder, path)
}

fn found(home: &Path, workspace: &Path, env: &[(&str, String)], granted: &[PathBuf]) -> Roots {
    let env: Vec<_> = env
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect();
    find(&Sources {
        workspace,
        homes: &[home.to_owned()],
        env: &env,
        words: &[],
        granted,
        data: &home.join("data"),
        private: &PrivateFiles::new(&[]),
    })
}

fn write(path: PathBuf) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, "x").unwrap();
}

#[test]
fn home_is_empty_but_for_toolchains_without_their_logins() {
    let (_keep, home) = home();
    let work = home.join("work");
    for name in [
        ".ssh/id",
        ".cargo/bin/x",
        ".cargo/credentials.toml",
        ".claude/.credentials.json",
        ".gitconfig",
        "work/x",
        "data/x",
    ] {
        write(home.join(name));
    }
    let roots = found(&home, &work, &[], &[]);
    let inside: Vec<_> = roots
        .readable
        .iter()
        .filter(|path| path.starts_with(&home))
        .collect();
    assert_eq!(inside, [&home.join(".cargo")]);
    assert_eq!(roots.hidden, [home.join(".cargo/credentials.toml")]);
    for path in [
        "/etc/shadow",
        "/etc/ssh",
        "/etc/ssl/private",
        "/var",
        "/root",
        "/home",
        "/proc",
    ] {
        let path = Path::new(path);
        assert!(
            !roots.readable.iter().any(|root| path.starts_with(root)),
            "{path:?}"
        );
    }
}

#[test]
fn settings_of_tools_are_read_unless_a_login_is_written_into_them() {
    let (_keep, home) = home();
    let harmless = [
        (
            "config.toml",
            "[source.crates-io]\nreplace-with = \"mirror\"\n[build]\njobs = 2\n",
        ),
        (
            "package.json",
            "{\"devDependencies\": {\"tokenizers\": \"1.2\", \"secretlint\": \"9.0\"}}",
        ),
        (
            "config",
            "# token = \"abc\"\nurl = \"https://example.org/a:b@c\"",
        ),
        ("settings.xml", "<password>${env.PASSWORD}</password>"),
        ("notes.rs", "let token = \"abc\";"),
    ];
    let logins = [
        ("config.toml", "[registries.mine]\ntoken = \"Bearer abc\""),
        (
            "config.toml",
            "[http]\nproxy = \"http://me:hidden@proxy:3128\"",
        ),
        ("config", "[registry]\nregistry-token = 'abc'"),
        ("auth.json5.json", "{\n  \"registry_password\": \"abc\"\n}"),
        ("settings.xml", "<server>\n<password>abc</password>"),
        ("gradle.properties", "mavenPassword=abc"),
    ];
    let cases = harmless.iter().map(|case| (case, false));
    for ((name, text), is_hidden) in cases.chain(logins.iter().map(|case| (case, true))) {
        let path = home.join(".cargo").join(name);
        write(path.clone());
        std::fs::write(&path, text).unwrap();
        for work in ["work", ".cargo/bin/work"] {
            let roots = found(&home, &home.join(work), &[], &[]);
            let is_named = roots.hidden.contains(&path);
            assert_eq!(is_named, is_hidden, "{name}: {text}");
        }
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn nothing_wide_is_let_in_whoever_names_it() {
    let (_keep, home) = home();
    let work = home.join("work");
    write(work.join("x"));
    write(home.join("bin/tool"));
    write(home.join("lib/x"));
    let above = home.parent().unwrap().to_owned();
    let path = format!(
        "{}:{}:{}/bin:/:/etc",
        above.display(),
        home.display(),
        home.display()
    );
    let granted = [above, home.clone(), "/".into(), home.join(".config")];
    std::fs::create_dir(home.join(".config")).unwrap();
    let roots = found(&home, &work, &[("PATH", path)], &granted);
    let inside: Vec<_> = roots
        .readable
        .iter()
        .filter(|path| home.starts_with(path) || path.starts_with(&home))
        .collect();
    assert_eq!(inside, [&home.join("bin")]);
}

#[test]
fn a_part_of_a_project_sees_the_rest_of_it_and_a_home_under_git_stays_closed() {
    let (_keep, home) = home();
    let top = home.join("code/mono");
    for name in [
        ".git/HEAD",
        ".git/objects/x",
        ".git/refs/x",
        ".env",
        "app/x",
    ] {
        write(top.join(name));
    }
    let roots = found(&home, &top.join("app"), &[], &[]);
    assert!(roots.readable.contains(&top), "{roots:?}");
    assert_eq!(roots.hidden, [top.join(".env")]);
    for name in [".git/HEAD", ".git/objects/x", ".git/refs/x"] {
        write(home.join(name));
    }
    let other = home.join("other");
    write(other.join("x"));
    let roots = found(&home, &other, &[], &[]);
    assert!(
        !roots.readable.iter().any(|path| path.starts_with(&home)),
        "{roots:?}"
    );
}
