//! Recognizes verification that proves something: a command that can fail because of the plan's
//! work, or an `accept:` line that states a condition.
//!
//! A command always succeeds, and so proves nothing, if it only prints, ignores its failure or
//! compares constants (`test 1 = 1`). An acceptance line such as "fine" proves nothing either.

use plan::Task;

use crate::rarity;
use crate::task_text::{TaskText, commands};
use crate::terms::{self, Kind, Term};
use rustc_hash::FxHashSet;

/// Whether a task has its own check, whatever else its text says.
pub(crate) fn has_own_check(task: &Task) -> bool {
    runs_check(task) || has_acceptance(task)
}

/// Whether a task has a check command that can fail.
pub(crate) fn runs_check(task: &Task) -> bool {
    task.verify.iter().any(|command| can_fail(command))
}

/// Whether a task has an `accept:` line that says something.
pub(crate) fn has_acceptance(task: &Task) -> bool {
    task.accept.iter().any(|line| is_meaningful(line))
}

/// Whether an `accept:` line is specific to this step: it contains a name, or a distinctive word of
/// the step or of `asked`. "A person has looked at the result" would fit any step.
pub(crate) fn has_specific_acceptance(task: &Task, asked: &FxHashSet<Term>) -> bool {
    /// Minimum bits for a word to be distinctive: half of all criteria contain words such as "list"
    /// and "result".
    const MIN_WORD: f64 = 3.5;
    let own = terms::words_of([&*task.title, &*task.body].into_iter());
    let is_about = |line: &String| {
        let mut is_about = false;
        terms::of(line, None, &mut |term, kind, _| {
            let is_shared = own.contains(&term) || asked.contains(&term);
            is_about |= kind == Kind::Name || is_shared && rarity::bits(term) >= MIN_WORD;
        });
        is_about && is_meaningful(line)
    };
    task.accept.iter().any(is_about)
}

/// Whether `says` is true of the step's words or of one of its commands that can fail.
pub(crate) fn text_or_command_matches(
    task: &Task,
    text: &TaskText,
    says: impl Fn(&str) -> bool,
) -> bool {
    let mut commands = commands(task).filter(|command| can_fail(command));
    says(text.prose()) || commands.any(says)
}

/// Whether a line says more than general praise.
fn is_meaningful(line: &str) -> bool {
    /// The bits of about two common words.
    const MIN_BITS: f64 = 6.0;
    let mut bits = 0.0;
    terms::of(line, None, &mut |term, _, _| bits += rarity::bits(term));
    bits >= MIN_BITS
}

/// Whether a command can fail because of the plan's work. Considers only the part after the last
/// `;`, the last command of a pipe, and each alternative of `||`.
pub(crate) fn can_fail(command: &str) -> bool {
    let tokens = tokens(command);
    let is = |sign: &'static str| move |token: &Token| *token == Token::Sign(sign);
    let mut lists = tokens.rsplit(is(";"));
    lists.find(|list| !list.is_empty()).is_some_and(|list| {
        list.split(is("||")).all(|other| {
            let mut parts = other.split(is("&&"));
            parts.any(|part| part.rsplit(is("|")).next().is_some_and(command_can_fail))
        })
    })
}

#[derive(Debug, PartialEq)]
enum Token {
    Word(String),
    /// An operator between commands: `;`, `&&`, `||` or `|`.
    Sign(&'static str),
}

/// Splits a command line as the shell does, and drops the parentheses of groups.
fn tokens(line: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut word: Option<String> = None;
    let (mut quote, mut depth) = (None, 0_usize);
    let mut letters = line.chars().peekable();
    while let Some(c) = letters.next() {
        let is_inside = quote.is_some() || depth > 0;
        let sign = match c {
            _ if quote == Some(c) => {
                quote = None;
                ""
            }
            '\'' | '"' | '`' if quote.is_none() => {
                quote = Some(c);
                ""
            }
            '\\' if quote != Some('\'') => {
                word.get_or_insert_default().extend(letters.next());
                ""
            }
            '(' if word.as_ref().is_some_and(|word| word.ends_with('$')) || is_inside => {
                depth += usize::from(quote.is_none());
                ""
            }
            ')' if depth > 0 && quote.is_none() => {
                depth -= 1;
                ""
            }
            _ if is_inside => "",
            ';' | '\n' => ";",
            '&' if letters.next_if_eq(&'&').is_some() => "&&",
            '|' if letters.next_if_eq(&'|').is_some() => "||",
            '|' => "|",
            '(' | ')' => " ",
            _ if c.is_whitespace() => " ",
            _ => "",
        };
        match sign {
            "" if matches!(c, '\'' | '"') && quote.is_none_or(|open| open == c) => {
                word.get_or_insert_default();
            }
            "" if c == '\\' => {}
            "" => word.get_or_insert_default().push(c),
            _ => {
                tokens.extend(word.take().map(Token::Word));
                tokens.extend((sign != " ").then_some(Token::Sign(sign)));
            }
        }
    }
    tokens.extend(word.map(Token::Word));
    tokens
}

/// Whether a single command, without operators, can fail.
fn command_can_fail(tokens: &[Token]) -> bool {
    /// Wrappers, which run the command that follows them.
    const WRAPPERS: &[&str] = &[
        "!", "command", "env", "exec", "nice", "nohup", "sudo", "time", "timeout",
    ];
    /// Commands that only print, read, change the folder or create something.
    #[rustfmt::skip] // rustfmt would put each word on its own line
    const NO_CHECK: &[&str] = &[
        ":", "cat", "cd", "date", "df", "du", "echo", "exit", "export", "false", "find", "head", "hostname", "id", "ls",
        "mkdir", "planwright", "printf", "ps", "pwd", "set", "sleep", "stat", "tail", "touch", "tree", "true", "uname", "wc", "which",
        "whoami",
    ];
    let words = tokens.iter().filter_map(|token| match token {
        Token::Word(word) => Some(word.as_str()),
        Token::Sign(_) => None,
    });
    let is_before = |word: &&str| {
        WRAPPERS.contains(word)
            || word.contains('=')
            || word.starts_with(|c: char| c == '-' || c.is_ascii_digit())
    };
    let words: Vec<&str> = words.skip_while(is_before).collect();
    let Some((path, arguments)) = words.split_first() else {
        return false;
    };
    let has = |flags: &[&str]| arguments.iter().any(|word| flags.contains(word));
    let code = |flags: &[&str]| {
        let at = arguments.iter().position(|word| flags.contains(word))?;
        arguments.get(at + 1).copied()
    };
    let program = path.strip_prefix("/usr").unwrap_or(path);
    match program.strip_prefix("/bin/").unwrap_or(program) {
        _ if has(&[
            "--version",
            "--help",
            "--collect-only",
            "--co",
            "--dry-run",
            "--list-tests",
        ]) =>
        {
            false
        }
        program if NO_CHECK.contains(&program) => false,
        // Tests of files, or of another command's output.
        "test" | "[" | "[[" => arguments.iter().any(|word| {
            let is_operator = word.len() == 2
                && word.starts_with('-')
                && !matches!(*word, "-n" | "-z" | "-o" | "-a");
            is_operator || word.contains(['$', '`'])
        }),
        "sh" | "bash" | "dash" | "zsh" => code(&["-c"]).is_none_or(can_fail),
        "python" | "python3" | "node" | "ruby" | "perl" | "php" => {
            code(&["-c", "-e", "-r", "--eval"]).is_none_or(uses_outside_input)
        }
        "git" => git_can_fail(arguments),
        _ => true,
    }
}

/// Whether a line of code imports or reads something, so that its result may depend on the plan's
/// work.
fn uses_outside_input(code: &str) -> bool {
    [
        "import", "require", "open", "read", "load", "include", "use ",
    ]
    .iter()
    .any(|word| code.contains(word))
}

/// Most Git commands succeed whatever they find.
fn git_can_fail(arguments: &[&str]) -> bool {
    let has = |flags: &[&str]| arguments.iter().any(|word| flags.contains(word));
    has(&["grep", "check-ignore", "bisect"])
        || has(&["diff", "diff-index", "diff-files"]) && has(&["--quiet", "--exit-code", "--check"])
        || has(&["ls-files"]) && has(&["--error-unmatch"])
        || has(&["apply"]) && has(&["--check"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_is_a_command_that_can_fail() {
        for command in [
            "cargo test",
            "cd ui && npm test",
            "echo begin; pytest -q",
            "git diff | grep -q total",
            "git diff --exit-code",
            "! grep -r total src",
            "psql -h localhost -f checks.sql",
            "test -f out/report.csv",
            "[ \"$(wc -l < rows.csv)\" = 3 ]",
            "test $(cat rows.csv | wc -l) -eq 3",
            "python3 -c 'import app; assert app.total() == 3'",
            "python3 check.py",
            "bash -c 'cargo test && echo fine'",
            "(cd ui && npm test)",
            "RUST_LOG=debug timeout 60 cargo test",
            "./test",
        ] {
            assert!(can_fail(command), "{command}");
        }
    }

    #[test]
    fn a_command_that_always_succeeds_is_not_a_check() {
        for command in [
            "",
            "true",
            ":",
            "exit 0",
            "false",
            "ls src",
            "echo done && date",
            "pytest -q || true",
            "pytest -q || :",
            "pytest -q; true",
            "pytest -q | cat",
            "python3 --version",
            "test 1 = 1",
            "[ 1 ]",
            "[ -n 'x;y' ]",
            "python3 -c pass",
            "python3 -c 'x = 1; print(x)'",
            "node -e 'process.exit(0)'",
            "bash -c true",
            "sh -c 'echo fine'",
            "/bin/true",
            "pytest --collect-only -q",
            "planwright check plans/p.md",
            "env",
            "git status",
            "git -C ui log --oneline",
            "git diff",
            "timeout 5 true",
            "! false",
        ] {
            assert!(!can_fail(command), "{command}");
        }
    }

    #[test]
    fn praise_is_not_an_acceptance_criterion() {
        for line in [
            "fine",
            "ok",
            "works",
            "looks good",
            "all good",
            "passt",
            "正常",
        ] {
            assert!(!is_meaningful(line), "{line}");
        }
    }

    #[test]
    fn generic_lines_are_not_acceptance_criteria_of_a_step() {
        let text = "---\nplanwright: 1\ngoal: Sort the list of reports, without another default output\n---\n# P\n\n\
                    - [ ] **T1** Sortiere die Liste der Berichte by date\n  - accept: ";
        let accepts = |line: &str| {
            let plan = plan::parse(&format!("{text}{line}\n")).0;
            has_specific_acceptance(&plan.tasks[0], &terms::words_of(plan.goal().into_iter()))
        };
        for line in [
            "a person has looked at the result and it does what the title says",
            "somebody who knows the code has checked the whole change with care",
            "works as intended on all supported platforms without regressions",
            "jemand hat das Ergebnis geprüft und für gut befunden",
            "alguien revisó el resultado y todo está correcto",
        ] {
            assert!(!accepts(line), "{line}");
        }
        for line in [
            "`report --help` lists `--json`",
            "the default output does not change",
            "reports are sorted",
            "die Liste ist sortiert",
        ] {
            assert!(accepts(line), "{line}");
        }
    }
}
