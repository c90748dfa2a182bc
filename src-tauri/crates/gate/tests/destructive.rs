//! Tests of which calls raise an automatic checkpoint, and which similar ones don't.

use std::collections::BTreeMap;

use gate::destructive::{
    Danger, InspectionResult, PathState, danger_of, inspection_for, is_allowed_by, is_named_by,
};
use gate::permissions::{Match, Rule, Verdict, call_of_check, request_of};
use plan::ToolCall;
use proptest::prelude::*;

/// A workspace with a few files; any other path that is looked up is missing.
fn seen(call: &ToolCall) -> InspectionResult {
    let stands = |path: &str| match path {
        "a" | "b" | "a.txt" | "docs/a.md" | "src/a.py" | "dir/a" | "sub/a" | "report.csv" => {
            PathState::File { bytes: 1_000 }
        }
        "empty" => PathState::File { bytes: 0 },
        "build" | "dir" | "docs" | "src" | "sub" => PathState::Folder { files: 12 },
        path if path.starts_with('/') || path.starts_with("..") => PathState::Outside,
        "*.log" => PathState::Several(vec!["x.log".to_owned(), "y.log".to_owned()]),
        _ => PathState::Missing,
    };
    let look = inspection_for(call).unwrap_or_default();
    InspectionResult {
        found: look
            .paths
            .iter()
            .map(|path| (path.clone(), stands(path)))
            .collect::<BTreeMap<_, _>>(),
        changed: look.changed.then(|| vec!["src/a.py".to_owned()]),
        untracked: look
            .untracked
            .then(|| vec!["notes.md".to_owned(), "sub/new".to_owned()]),
        ..InspectionResult::default()
    }
}

fn danger(line: &str) -> Option<Danger> {
    let call = call_of_check(line);
    danger_of(&call, &seen(&call))
}

fn call(line: &str) -> ToolCall {
    ToolCall::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

#[test]
fn commands_that_destroy_are_told_with_what_they_destroy() {
    for (line, subjects) in [
        // Deleting files, whatever starts the program.
        ("rm a.txt", "a.txt"),
        ("rm -rf build", "build/ (12 files)"),
        ("rm -rf ./build/", "build/ (12 files)"),
        ("/bin/rm -f a.txt", "a.txt"),
        ("unlink a.txt", "a.txt"),
        ("rm -- a.txt", "a.txt"),
        ("sudo -u root rm -rf /etc", "/etc"),
        ("env X=1 rm a.txt", "a.txt"),
        ("X=1 Y=2 rm a.txt", "a.txt"),
        ("nice -n 5 rm a.txt", "a.txt"),
        ("timeout 5 rm a.txt", "a.txt"),
        ("nohup rm a.txt &", "a.txt"),
        ("command rm a.txt", "a.txt"),
        ("busybox rm a.txt", "a.txt"),
        ("npx rimraf build", "build/ (12 files)"),
        ("sh -c 'rm a.txt'", "a.txt"),
        ("bash -lc \"rm a.txt\"", "a.txt"),
        ("sh -c 'cd sub && rm a'", "sub/a"),
        ("eval rm a.txt", "a.txt"),
        ("echo 'rm a.txt' | sh", "a.txt"),
        ("make && rm a.txt", "a.txt"),
        ("make || rm a.txt", "a.txt"),
        ("make; rm a.txt", "a.txt"),
        ("(cd sub; rm a)", "sub/a"),
        ("cd sub && rm -r ../docs", "docs/ (12 files)"),
        ("if true; then rm a.txt; fi", "a.txt"),
        ("for x in 1 2; do rm a.txt; done", "a.txt"),
        ("echo $(rm a.txt)", "a.txt"),
        ("echo `rm a.txt`", "a.txt"),
        ("echo \"$(rm a.txt)\"", "a.txt"),
        ("rm -rf \"$TARGET\"", "$TARGET"),
        ("rm *.log; true", "x.log|y.log"),
        ("mv a c && rm c", "c"),
        (
            "echo a.txt | xargs rm",
            "every name printed by `echo a.txt`",
        ),
        (
            "find . -name '*.log' -delete",
            "everything that `find . -name *.log` finds",
        ),
        (
            "find . -name '*.log' -exec rm {} \\;",
            "everything that `find . -name *.log` finds",
        ),
        (
            "find . -name '*.log' | xargs -0 rm -f",
            "every name printed by `find . -name *.log`",
        ),
        ("ssh host rm -rf /srv/data", "/srv/data"),
        ("docker exec -u root web rm -rf /data", "/data"),
        ("shred -u a.txt", "a.txt"),
        ("truncate -s 0 a.txt", "a.txt"),
        ("dd if=/dev/zero of=a.txt bs=1", "a.txt"),
        ("dd if=image of=/dev/sda", "/dev/sda"),
        ("mkfs.ext4 /dev/sda1", "/dev/sda1"),
        ("rsync -a --delete src/ docs/", "docs/ (12 files)"),
        (
            "python3 -c \"import shutil; shutil.rmtree('build')\"",
            "import shutil; shutil.rmtree('build')",
        ),
        ("cat <<EOF | sh\nrm a.txt\nEOF", "a.txt"),
        // Overwriting files.
        ("mv a b", "b"),
        ("cp a b", "b"),
        ("cp a dir", "dir/a"),
        ("mv -t dir a", "dir/a"),
        ("ln -sf a b", "b"),
        ("echo x > a.txt", "a.txt"),
        ("echo x >a.txt 2>&1", "a.txt"),
        ("echo x &> a.txt", "a.txt"),
        ("echo x >| a.txt", "a.txt"),
        (": > a.txt", "a.txt"),
        ("> a.txt", "a.txt"),
        ("cat b | tee a.txt", "a.txt"),
        ("sort report.csv > report.csv", "report.csv"),
        // Permissions of whole folders.
        ("chmod -R 777 src", "src/ (12 files)"),
        ("chown -R me:me docs", "docs/ (12 files)"),
        // Git.
        ("git clean -fd", "notes.md|sub/new"),
        ("git clean -xdf sub", "sub/new|ignored files"),
        ("git -C sub clean -f", "sub/new"),
        ("git reset --hard", "src/a.py"),
        ("git reset --hard HEAD~1", "src/a.py|HEAD~1"),
        ("git checkout -- src/a.py", "src/a.py"),
        ("git checkout -- src", "src/a.py"),
        ("git checkout .", "src/a.py"),
        ("git checkout src/a.py", "src/a.py"),
        ("git checkout -f main", "src/a.py"),
        ("git restore src/a.py", "src/a.py"),
        ("git restore --staged --worktree .", "src/a.py"),
        ("git branch -D topic", "topic"),
        ("git push --force origin main", "origin|main"),
        ("git push -f", ""),
        (
            "git push --force-with-lease=main origin main",
            "origin|main",
        ),
        ("git push origin +main", "origin|+main"),
        ("git push origin :old", "origin|:old"),
        ("git stash drop", "drop"),
        ("git stash clear", "clear"),
        ("git rm a.txt", "a.txt"),
        ("git rm -r docs", "docs/ (12 files)"),
        ("git filter-branch --all", ""),
        ("git reflog expire --expire=now --all", "expire"),
        ("git tag -d v1", "v1"),
        // Containers, clusters, clouds.
        ("docker system prune -f", "prune"),
        ("docker volume rm data", "rm|data"),
        ("docker rm -f web", "web"),
        ("docker compose down -v", "down"),
        ("kubectl delete pod web", "pod|web"),
        ("terraform destroy", ""),
        ("aws s3 rm s3://bucket/x", "s3|rm|s3://bucket/x"),
        // Databases.
        ("sqlite3 shop.db 'DROP TABLE orders'", "DROP TABLE orders"),
        ("psql -c 'truncate orders'", "truncate orders"),
        ("psql --command='DELETE FROM orders;'", "DELETE FROM orders"),
        (
            "mysql -e 'delete from a where id=1; delete from b'",
            "delete from a where id=1|delete from b",
        ),
        ("echo 'DROP TABLE t' | sqlite3 shop.db", "DROP TABLE t"),
        ("sqlite3 shop.db <<EOF\nDROP TABLE t;\nEOF", "DROP TABLE t"),
        ("dropdb shop", "shop"),
        ("redis-cli flushall", "flushall"),
        // Packages.
        ("apt-get remove -y curl", "curl"),
        ("pip uninstall requests", "requests"),
        ("npm uninstall left-pad", "left-pad"),
        ("cargo remove serde", "serde"),
        ("pacman -Rns vim", "vim"),
    ] {
        let found = danger(line);
        let found = found.unwrap_or_else(|| panic!("`{line}` raises nothing"));
        assert_eq!(found.subjects.join("|"), subjects, "`{line}`");
        assert!(!found.what.is_empty());
    }
}

#[test]
fn near_misses_raise_nothing() {
    for line in [
        "",
        "ls",
        "grep rm notes.txt",
        "grep -r 'rm -rf' .",
        "echo rm -rf build",
        "echo 'rm -rf build' > new.txt",
        "cat rm",
        "man rm",
        "which rm",
        "command -v rm",
        "rm --help",
        "npm run rm-old",
        "npm run clean",
        "make clean",
        "cargo clean",
        "./scripts/rm.sh",
        "sh scripts/cleanup.sh",
        "python3 -m pytest tests/test_rm.py",
        "python3 -c 'print(1)'",
        "rmdir old",
        // Nothing exists that could be lost.
        "rm -f not-there",
        "rm -rf not-there-either",
        "mv a new",
        "cp a new",
        "cp a build",
        "cp -n a b",
        "echo x > new.txt",
        "echo x > empty",
        "echo x >> a.txt",
        "ls > /dev/null 2>&1",
        "make 2>&1 | tail -3",
        "make > /tmp/log",
        "cat < a.txt",
        "diff <(sort a) <(sort b)",
        "echo $((1 > 2))",
        "echo '> a.txt'",
        "echo \"a > a.txt\"",
        "true # rm a.txt",
        "cat <<EOF > new.txt\nrm a.txt\nEOF",
        "tee -a a.txt",
        "find . -name '*.rm'",
        "find . -name '*.py' -exec grep rm {} +",
        "ls | xargs echo rm",
        "chmod +x run.sh",
        "chmod 644 a.txt",
        "git status",
        "git rm --cached a.txt",
        "git rm -r --cached docs",
        "git rm -n a.txt",
        "git clean -n",
        "git clean -nfd",
        "git clean -d",
        "git reset",
        "git reset --soft HEAD~1",
        "git reset HEAD a.txt",
        "git checkout main",
        "git checkout -b topic",
        "git switch main",
        "git restore --staged a.txt",
        "git branch -d topic",
        "git branch topic",
        "git push",
        "git push origin main",
        "git push --dry-run --force",
        "git stash",
        "git stash pop",
        "git commit -m 'git reset --hard'",
        "git log --grep='rm -rf'",
        "git commit --amend",
        "git rebase --continue",
        "docker run --rm image",
        "docker ps",
        "docker compose down",
        "docker build -t rm .",
        "docker exec web ls",
        "kubectl get pods",
        "terraform plan",
        "sqlite3 shop.db 'SELECT * FROM orders'",
        "sqlite3 shop.db 'UPDATE orders SET paid = 1 WHERE id = 1'",
        "psql -c \"SELECT 'DROP TABLE orders'\"",
        "psql -c '-- DROP TABLE orders'",
        "psql -c 'CREATE TABLE t (a int REFERENCES u ON DELETE CASCADE)'",
        "psql -c 'DROP INDEX i'",
        "grep 'DROP TABLE' schema.sql",
        "echo 'DROP TABLE t'",
        "npm install",
        "npm ci",
        "pip install remove",
        "apt-get install rm",
        "cargo build",
        "cargo run -- rm a.txt",
        "dd --version",
        "truncate --help",
        "rsync -a src/ docs/",
        "sed -i s/a/b/ a.txt",
        "touch a.txt",
        "mkdir -p build && echo x > build/new",
    ] {
        assert_eq!(danger(line), None, "`{line}`");
    }
}

#[test]
fn files_are_deleted_emptied_or_mostly_thrown_away() {
    let long = "x".repeat(700);
    let short = "x".repeat(400);
    let ask = |line: String| {
        let call = call(&line);
        danger_of(&call, &seen(&call)).map(|danger| danger.subjects.join("|"))
    };
    let is = |text: &str| Some(text.to_owned());
    assert_eq!(
        ask(r#"delete_file {"path": "./docs/a.md"}"#.into()),
        is("docs/a.md")
    );
    assert_eq!(
        ask(r#"delete_file {"path": "gone"}"#.into()),
        None,
        "it fails by itself"
    );
    assert_eq!(
        ask(r#"write_file {"path": "a.txt", "content": ""}"#.into()),
        is("a.txt (all of its 1000 bytes)")
    );
    assert_eq!(
        ask(format!(
            r#"write_file {{"path": "a.txt", "content": "{short}"}}"#
        )),
        is("a.txt (600 of its 1000 bytes)")
    );
    assert_eq!(
        ask(format!(
            r#"write_file {{"path": "a.txt", "content": "{long}"}}"#
        )),
        None
    );
    assert_eq!(
        ask(r#"write_file {"path": "new", "content": ""}"#.into()),
        None
    );
    assert_eq!(
        ask(r#"write_file {"path": "empty", "content": "x"}"#.into()),
        None
    );
    assert_eq!(
        ask(format!(
            r#"edit_file {{"path": "a.txt", "old_text": "{long}", "new_text": ""}}"#
        )),
        is("a.txt (700 of its 1000 bytes)")
    );
    assert_eq!(
        ask(format!(
            r#"edit_file {{"path": "a.txt", "old_text": "{short}", "new_text": "y"}}"#
        )),
        None
    );
    for look in [
        r#"read_file {"path": "a.txt"}"#,
        "git_status",
        r#"search_files {"pattern": "rm"}"#,
    ] {
        assert!(inspection_for(&call(look)).is_none(), "{look}");
    }
}

#[test]
fn what_could_not_be_seen_counts_as_there() {
    for line in ["rm -rf build", "git reset --hard", "git clean -fd"] {
        let call = call_of_check(line);
        assert!(
            danger_of(&call, &InspectionResult::default()).is_some(),
            "{line}"
        );
    }
}

#[test]
fn a_checkpoint_guards_what_it_names() {
    let named = |checkpoint: &str, line: &str| {
        let (plan, _) = plan::parse(&format!(
            "## Tasks\n- [ ] **C1** {checkpoint}\n  - type: checkpoint\n"
        ));
        is_named_by(&plan.tasks[0], &call(line))
    };
    let delete = r#"delete_file {"path": "docs/old.md"}"#;
    assert!(named("Is docs/old.md really to go?", delete));
    assert!(named("Delete `docs/old.md`.", delete));
    assert!(named("Look\n  - files: `docs/old.md`", delete));
    assert!(!named("Look at the list", delete));
    assert!(!named("Is docs/old.md.bak to go?", delete));
    assert!(!named("Is my-docs/old.md to go?", delete));
    assert!(!named("Is old.md to go?", delete));
    let remove = r#"run_command {"command": "rm -r build dist"}"#;
    assert!(named("May build and dist go?", remove));
    assert!(named("May `rm -r build dist` run?", remove));
    assert!(named("May build/ and dist/ go?", remove));
    assert!(!named("May build go?", remove), "dist is not named");
    assert!(!named("May build2 and dist go?", remove));
    let clean = r#"run_command {"command": "git clean -fd"}"#;
    assert!(named("Run git clean -fd?", clean));
    assert!(!named("Clean up?", clean));
}

fn spared(rule: Match, line: &str) -> bool {
    let rule = Rule {
        tool: "run_command".to_owned(),
        matches: rule,
        verdict: Verdict::Allow,
    };
    is_allowed_by(&rule, &request_of(&call_of_check(line)))
}

#[test]
fn always_covers_exactly_what_the_rule_said() {
    let exact = |line: &str| spared(Match::Exact("rm -r build".to_owned()), line);
    let prefix = |line: &str| spared(Match::Prefix("rm -r build".to_owned()), line);
    assert!(exact("rm -r build"));
    assert!(prefix("rm -r build"));
    assert!(
        prefix("rm -r build -v"),
        "a further option destroys nothing more"
    );
    for other in [
        "rm -r Build",
        "rm -R build",
        "rm -r buil",
        "rm -r build2",
        "rm -r build/",
        "rm -r build/..",
        "rm  -r build",
        "rm -r build && x",
        "rm -r build; x",
        "rm -r build | x",
        "rm -r build $(x)",
        "rm -r build `x`",
        "rm -r build > a.txt",
        "rm -r 'build'",
        "sudo rm -r build",
        "cd sub && rm -r build",
        "cd sub; rm -r build",
        "sh -c 'rm -r build'",
        "git -C sub rm -r build",
    ] {
        assert!(!exact(other), "exact covers `{other}`");
        assert!(!prefix(other), "prefix covers `{other}`");
    }
    for more in ["rm -r build src", "rm -r build ..", "rm -r build *"] {
        assert!(!prefix(more), "a further subject: `{more}`");
    }
    // A rule that does not name what is destroyed allows no destruction.
    for wide in ["", "git", "git ", "rm", "rm -r", "sudo"] {
        assert!(
            !spared(Match::Prefix(wide.to_owned()), "rm -r build"),
            "{wide}"
        );
        assert!(
            !spared(Match::Prefix(wide.to_owned()), "git reset --hard"),
            "{wide}"
        );
    }
    let shell = "rm -r build && make";
    assert!(spared(Match::Exact(shell.to_owned()), shell));
    assert!(
        !spared(Match::Prefix(shell.to_owned()), shell),
        "no prefix for a shell"
    );
}

#[test]
fn a_rule_for_a_folder_ends_where_the_folder_ends() {
    let spared = |prefix: &str, path: &str| {
        let rule = Rule {
            tool: "delete_file".to_owned(),
            matches: Match::Prefix(prefix.to_owned()),
            verdict: Verdict::Allow,
        };
        let call = call(&format!(r#"delete_file {{"path": "{path}"}}"#));
        is_allowed_by(&rule, &request_of(&call))
    };
    assert!(spared("docs/", "docs/a.md"));
    assert!(spared("docs", "docs/a.md"));
    assert!(!spared("docs", "docs2/a.md"));
    assert!(!spared("docs/", "docs/../src/a.py"));
    assert!(!spared("", "docs/a.md"));
}

proptest! {
    /// Parsing terminates without a panic for any line.
    #[test]
    fn any_line_is_read(line in "[ a-z'\"$(){}|&;<>`\\\\\n*-]{0,40}") {
        let call = call_of_check(&line);
        let _ = danger_of(&call, &seen(&call));
    }

    #[test]
    fn a_removal_hidden_among_other_commands_is_found(
        before in "[a-z]{1,5}", link in "(&&|;|\\|\\||\\||&)", after in "[a-z]{1,5}",
    ) {
        let line = format!("{before} {link} rm -rf build {link} {after}");
        prop_assert!(danger(&line).is_some(), "{line}");
    }

    #[test]
    fn an_exact_rule_covers_one_line(at in 0_usize..11, letter in "[ -~]") {
        let line = "rm -r build";
        let mut other: Vec<char> = line.chars().collect();
        other[at] = letter.chars().next().unwrap_or(' ');
        let other: String = other.into_iter().collect();
        prop_assume!(other.trim() != line);
        prop_assert!(!spared(Match::Exact(line.to_owned()), &other), "{other}");
    }
}

#[test]
fn commands_inside_a_heredoc_and_inside_other_expansions_count() {
    for line in [
        "cat <<EOF\n$(rm -rf build)\nEOF",
        "cat <<-EOF\n\tone `rm -rf build` two\n\tEOF",
        "cat <<A <<B\nnothing\nA\n$(rm -rf build)\nB",
        "echo ${X:-$(rm -rf build)}",
        "echo \"${X:=`rm -rf build`}\"",
        "echo ${X:-${Y:-$(rm -rf build)}}",
        "echo $(( $(rm -rf build) + 1 ))",
    ] {
        let subjects = danger(line).map(|danger| danger.subjects);
        assert_eq!(
            subjects,
            Some(vec!["build/ (12 files)".to_owned()]),
            "{line}"
        );
    }
    for line in [
        "cat <<'EOF'\n$(rm -rf build)\nEOF",
        "cat <<\\EOF\n$(rm -rf build)\nEOF",
        "cat <<EOF\n\\$(rm -rf build)\nEOF",
        "cat <<EOF\nrm -rf build; $HOME ${X:-rm -rf build}\nEOF",
        "echo ${X:-rm -rf build}",
        "echo $((1 + 2))",
    ] {
        assert_eq!(danger(line), None, "{line}");
    }
}

#[test]
fn further_spellings_that_destroy_are_told() {
    for line in [
        "bash -c 'function f { rm -rf build; }; f'",
        "bash -c 'function f() { rm -rf build; }; f'",
        "python3 -Ic \"import shutil; shutil.rmtree('build')\"",
        "perl -e 'exec \"rm -rf build\"'",
        "python3 -c 'import os; os.execvp(\"rm\", [\"rm\", \"-rf\", \"build\"])'",
        "rsync -a --del empty/ build/",
    ] {
        assert!(danger(line).is_some(), "{line}");
    }
    for line in [
        "bash -c 'function f { ls build; }; f'",
        "perl -Ilib -e 'print 1'",
        "perl -Imine build",
        "rsync -an --del empty/ build/",
    ] {
        assert_eq!(danger(line), None, "{line}");
    }
}
