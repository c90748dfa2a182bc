//! Generates plans of a given shape and any size.

/// A family of plans with the same shape: its name, and a function that makes a plan with this many
/// parts.
pub(crate) type Family = (&'static str, fn(usize) -> String);

fn repeated(count: usize, part: impl Fn(usize) -> String) -> String {
    (1..=count).map(part).collect()
}

fn headed(goal: &str, rest: &str) -> String {
    format!("---\nplanwright: 1\ngoal: {goal}\n---\n# Title\n\n## Tasks\n{rest}")
}

fn goal(words: &str) -> String {
    headed(
        words,
        &repeated(8, |at| {
            format!("- [ ] **T{at}** Add the thing number {at} to the report\n")
        }),
    )
}

/// A plan in which each step has lines below it.
fn steps(count: usize, below: impl Fn(usize) -> String) -> String {
    let step = |at| {
        format!(
            "- [ ] **T{at}** Change the part number {at} of the report\n{}",
            below(at)
        )
    };
    headed(
        "Change the report, its rows and its tests",
        &repeated(count, step),
    )
}

/// A plan with a few steps, of which the first has many lines below it.
fn one(lines: &str) -> String {
    steps(6, |at| match at {
        1 => lines.to_owned(),
        _ => String::new(),
    })
}

/// A plan with one step whose body repeats a sentence.
fn body(sentence: &str, count: usize) -> String {
    one(&format!("  {}\n", sentence.repeat(count)))
}

fn body_lines(line: &str, count: usize) -> String {
    one(&format!("  {line}\n").repeat(count))
}

fn front(lines: &str) -> String {
    format!(
        "---\nplanwright: 1\ngoal: Change the report\n{lines}---\n# Title\n\n## Tasks\n- [ ] **T1** Change it\n"
    )
}

fn root(count: usize) -> usize {
    count.isqrt().max(2)
}

pub(crate) const FAMILIES: &[Family] = &[
    // Goals.
    ("goal of clauses", |n| {
        goal(&repeated(n, |at| {
            format!("add the flag number {at} and test it, ")
        }))
    }),
    ("goal of words", |n| {
        goal(&repeated(n, |at| format!("word{at} ")))
    }),
    ("goal of one word", |n| goal(&"and ".repeat(n))),
    ("goal of sentences", |n| {
        goal(&repeated(n, |at| format!("Add the flag {at}. ")))
    }),
    ("goal of commas", |n| goal(&"a, ".repeat(n))),
    ("goal of letters", |n| goal(&"a".repeat(n))),
    ("goal of ticks", |n| {
        goal(&format!("Add {}", "` x".repeat(n)))
    }),
    ("goal of brackets", |n| {
        goal(&format!("Add {}", "(a [".repeat(n)))
    }),
    ("goal of paths", |n| {
        goal(&repeated(n, |at| format!("change `src/a{at}.rs`, ")))
    }),
    ("goal of quotes", |n| {
        goal(&format!("Add {}", "“a ".repeat(n)))
    }),
    ("goal of numbers", |n| {
        goal(&repeated(n, |at| format!("{at}. do it; {at}) ")))
    }),
    ("goal of chinese", |n| goal(&"添加报告并测试".repeat(n))),
    ("goal of german", |n| {
        goal(&"und füge das Feld hinzu, das den Bericht zeigt, ".repeat(n))
    }),
    ("goal of asides", |n| {
        goal(&"rename a to b so that c does not break, which means that it ".repeat(n))
    }),
    ("goal of versions", |n| {
        goal(&"from 1.2.3 to 2.0.0 ".repeat(n))
    }),
    ("goal of dashes", |n| goal(&"- a ".repeat(n))),
    ("goal of lines", |n| {
        goal(&format!(
            "|\n{}",
            "  - add the flag and the test\n".repeat(n)
        ))
    }),
    ("goal of verbs", |n| {
        goal(&"add fix remove rename update ".repeat(n))
    }),
    ("goal of politeness", |n| {
        goal(&"please could you kindly ".repeat(n))
    }),
    // References.
    ("depends on nothing there", |n| {
        one(&format!(
            "  - depends: {}\n",
            repeated(n, |at| format!("X{at}, "))
        ))
    }),
    ("depends in many lines", |n| {
        one(&repeated(n, |at| format!("  - depends: X{at}\n")))
    }),
    ("depends on one many times", |n| {
        one(&format!("  - depends: {}\n", "T2, ".repeat(n)))
    }),
    ("each depends on nothing there", |n| {
        steps(n, |at| format!("  - depends: X{at}\n"))
    }),
    ("each depends on one", |n| {
        steps(n, |at| {
            if at > 1 {
                "  - depends: T1\n".to_owned()
            } else {
                String::new()
            }
        })
    }),
    ("each depends on the last", |n| {
        steps(n, |at| {
            if at < n {
                format!("  - depends: T{n}\n")
            } else {
                String::new()
            }
        })
    }),
    ("cycle", |n| {
        steps(n, |at| {
            format!("  - depends: T{}\n", if at == 1 { n } else { at - 1 })
        })
    }),
    ("cycle forwards", |n| {
        steps(n, |at| {
            format!("  - depends: T{}\n", if at == n { 1 } else { at + 1 })
        })
    }),
    ("many cycles of two", |n| {
        steps(2 * n, |at| {
            format!(
                "  - depends: T{}\n",
                if at % 2 == 1 { at + 1 } else { at - 1 }
            )
        })
    }),
    ("each depends on itself", |n| {
        steps(n, |at| format!("  - depends: T{at}\n"))
    }),
    ("clique", |n| {
        let many = root(n);
        let all = repeated(many, |at| format!("T{at}, "));
        steps(many, |_| format!("  - depends: {all}\n"))
    }),
    ("each depends on all above", |n| {
        steps(root(n), |at| {
            format!(
                "  - depends: {}\n",
                repeated(at - 1, |to| format!("T{to}, "))
            )
        })
    }),
    ("each depends on all below", |n| {
        let many = root(n);
        steps(many, |at| {
            format!(
                "  - depends: {}\n",
                repeated(many - at, |to| format!("T{}, ", at + to))
            )
        })
    }),
    ("ladder", |n| {
        steps(n, |at| {
            if at > 2 {
                format!("  - depends: T{}, T{}\n", at - 1, at - 2)
            } else {
                String::new()
            }
        })
    }),
    ("two layers", |n| {
        steps(n, |at| {
            if at > n / 2 {
                format!("  - depends: T{}\n", at - n / 2)
            } else {
                "  - depends: none\n".to_owned()
            }
        })
    }),
    ("duplicates of one id", |n| {
        headed(
            "Change it",
            &repeated(n, |at| {
                format!("- [ ] **T1** Change part {at}\n  - depends: T1\n")
            }),
        )
    }),
    ("covers nothing there", |n| {
        one(&format!(
            "  - covers: {}\n",
            repeated(n, |at| format!("R{at}, "))
        ))
    }),
    ("each covers all", |n| {
        let many = root(n);
        let all = repeated(many, |at| format!("R{at}, "));
        format!(
            "---\nplanwright: 1\ngoal: Change it\n---\n## Requirements\n{}## Tasks\n{}",
            repeated(many, |at| format!("- R{at} the row {at} is shown\n")),
            repeated(many, |at| format!(
                "- [ ] **T{at}** Show row {at}\n  - covers: {all}\n"
            ))
        )
    }),
    ("requirements uncovered", |n| {
        format!(
            "---\nplanwright: 1\ngoal: Change it\n---\n## Requirements\n{}\n## Tasks\n- [ ] **T1** Show something\n- [ ] **T2** Show more of it\n",
            repeated(n, |at| format!(
                "- R{at} the page shows the field number {at}\n"
            ))
        )
    }),
    ("requirements without tasks", |n| {
        format!(
            "---\nplanwright: 1\ngoal: Change it\n---\n## Requirements\n{}",
            repeated(n, |at| format!("- R{at} x{at}\n"))
        )
    }),
    ("requirements by words", |n| {
        format!(
            "---\nplanwright: 1\ngoal: Change it\n---\n## Requirements\n{}\n## Tasks\n{}",
            repeated(n, |at| format!("- R{at} the page shows field{at}\n")),
            repeated(n, |at| format!(
                "- [ ] **T{at}** Show field{at} on the page\n"
            ))
        )
    }),
    ("requirements alike", |n| {
        format!(
            "---\nplanwright: 1\ngoal: Change it\n---\n## Requirements\n{}\n## Tasks\n{}",
            repeated(n, |at| format!("- R{at} the page shows the same field\n")),
            repeated(n, |at| format!(
                "- [ ] **T{at}** Show the same field on the page\n"
            ))
        )
    }),
    ("requirements with one id", |n| {
        format!(
            "## Requirements\n{}\n## Tasks\n- [ ] **T1** Show it\n  - covers: R1\n",
            "- R1 the page shows the field\n".repeat(n)
        )
    }),
    ("a requirement of words", |n| {
        format!(
            "## Requirements\n- R1 {}\n\n## Tasks\n- [ ] **T1** Show it\n- [ ] **T2** Show word1\n",
            repeated(n, |at| format!("word{at} "))
        )
    }),
    ("a requirement that enumerates", |n| {
        format!(
            "## Requirements\n- R1 shows {}\n\n## Tasks\n- [ ] **T1** Show it\n- [ ] **T2** Show field1\n",
            repeated(n, |at| format!("field{at}, "))
        )
    }),
    // Muting.
    ("mute lines of a step", |n| {
        one(&"  - mute: vague_short it is fine\n".repeat(n))
    }),
    ("mute lines without a code", |n| {
        one(&repeated(n, |at| {
            format!("  - mute: code{at} it is fine\n")
        }))
    }),
    ("mute lines without a reason", |n| {
        one(&"  - mute: vague_short\n".repeat(n))
    }),
    ("mute lines of one id", |n| {
        headed(
            "Change it",
            &"- [ ] **T1** Change part\n  - mute: vague_short fine\n".repeat(n),
        )
    }),
    ("mute of the plan", |n| {
        front(&format!(
            "mute:\n{}",
            repeated(n, |at| format!("  - code{at} fine\n"))
        ))
    }),
    ("mute of the plan that holds", |n| {
        front(&format!("mute:\n{}", "  - too_few_tasks fine\n".repeat(n)))
    }),
    // Keys of one step.
    ("verify lines", |n| {
        one(&repeated(n, |at| {
            format!("  - verify: `python3 -m unittest tests.t{at}`\n")
        }))
    }),
    ("verify lines alike", |n| {
        one(&"  - verify: `cargo test`\n".repeat(n))
    }),
    ("a long verify", |n| {
        one(&format!("  - verify: `{}`\n", "a | b && ".repeat(n)))
    }),
    ("a verify of quotes", |n| {
        one(&format!("  - verify: `{}`\n", "'a \"b ".repeat(n)))
    }),
    ("a verify of substitutions", |n| {
        one(&format!("  - verify: `{}`\n", "$(a ".repeat(n)))
    }),
    ("accept lines", |n| {
        one(&repeated(n, |at| {
            format!("  - accept: the row {at} is shown\n")
        }))
    }),
    ("notes", |n| {
        one(&repeated(n, |at| {
            format!("  - note: the row {at} is shown\n")
        }))
    }),
    ("calls", |n| {
        one(&repeated(n, |at| {
            format!("  - call: `write_file {{\"path\": \"a{at}\", \"content\": \"\"}}`\n")
        }))
    }),
    ("calls of commands", |n| {
        one(
            &"  - call: `run_command {\"command\": \"rm -rf build; git push --force\"}`\n"
                .repeat(n),
        )
    }),
    ("a long call", |n| {
        one(&format!(
            "  - call: `write_file {{\"path\": \"a\", \"content\": \"{}\"}}`\n",
            "x ".repeat(n)
        ))
    }),
    ("calls that cannot be read", |n| {
        one(&"  - call: `write_fil {\"path\": \"a\"}`\n".repeat(n))
    }),
    ("a deep call", |n| {
        one(&format!(
            "  - call: `write_file {{\"path\": {}`\n",
            "[".repeat(n)
        ))
    }),
    ("files of a step", |n| {
        one(&format!(
            "  - files: {}\n",
            repeated(n, |at| format!("`src/a{at}.rs`, "))
        ))
    }),
    ("files in many lines", |n| {
        one(&repeated(n, |at| format!("  - files: `src/a{at}.rs`\n")))
    }),
    ("files with ticks", |n| {
        one(&format!("  - files: {}\n", "`` ` a, ".repeat(n)))
    }),
    ("unknown keys", |n| {
        one(&repeated(n, |at| format!("  - key{at}: value\n")))
    }),
    ("one key many times", |n| {
        one(&"  - complexity: 3\n".repeat(n))
    }),
    ("types of a step", |n| {
        one(&"  - type: checkpoint\n".repeat(n))
    }),
    ("symbols", |n| {
        one(&format!(
            "  {}\n",
            repeated(n, |at| format!("call `render_rows_{at}()` and "))
        ))
    }),
    // Keys of many steps.
    ("one file of many steps", |n| {
        steps(n, |_| {
            "  - depends: none\n  - files: `src/a.rs`\n".to_owned()
        })
    }),
    ("one file of many steps in order", |n| {
        steps(n, |_| "  - files: `src/a.rs`\n".to_owned())
    }),
    ("a file of each step", |n| {
        steps(n, |at| {
            format!("  - depends: none\n  - files: `src/a{at}.rs`\n")
        })
    }),
    ("two files of each step", |n| {
        steps(n, |at| {
            format!(
                "  - depends: none\n  - files: `src/a{}.rs`, `src/a{at}.rs`\n",
                at % 7
            )
        })
    }),
    ("folders of steps", |n| {
        steps(n, |at| {
            format!(
                "  - depends: none\n  - files: `{}x.rs`\n",
                "d/".repeat(at % 9)
            )
        })
    }),
    ("a verify of each step", |n| {
        steps(n, |at| {
            format!("  - verify: `python3 -m unittest tests.t{at}`\n")
        })
    }),
    ("a command of each step", |n| {
        steps(n, |_| {
            "  - call: `run_command {\"command\": \"rm -rf build\"}`\n".to_owned()
        })
    }),
    ("persons", |n| steps(n, |_| "  - by: person\n".to_owned())),
    ("checkpoints", |n| {
        steps(n, |_| "  - type: checkpoint\n".to_owned())
    }),
    ("steps alike", |n| {
        headed(
            "Change it",
            &"- [ ] Change the part of the report\n".repeat(n),
        )
    }),
    ("steps alike with ids", |n| {
        headed(
            "Change it",
            &repeated(n, |at| {
                format!("- [ ] **T{at}** Change the part of the report\n")
            }),
        )
    }),
    ("steps that differ in a word", |n| {
        headed(
            "Change it",
            &repeated(n, |at| {
                format!("- [ ] **T{at}** Change the part word{at} of the report\n")
            }),
        )
    }),
    ("steps without ids", |n| {
        headed(
            "Change it",
            &repeated(n, |at| {
                format!("- [ ] Change the part {at} of the report\n")
            }),
        )
    }),
    ("fillers", |n| {
        headed("Change it", &"- [ ] Do the work\n".repeat(n))
    }),
    ("deploys and tests", |n| {
        headed(
            "Release it",
            &repeated(n, |at| match at % 3 {
                0 => "- [ ] Deploy to production\n".to_owned(),
                1 => format!("- [ ] Run the tests {at}\n"),
                _ => "- [ ] Publish the release and drop the old table\n".to_owned(),
            }),
        )
    }),
    ("rollbacks", |n| {
        headed(
            "Migrate the database",
            &repeated(n, |at| {
                format!(
                    "- [ ] Migrate the table t{at}\n- [ ] Roll back the table t{at} with the backup\n"
                )
            }),
        )
    }),
    ("steps that name those below", |n| {
        headed(
            "Change it",
            &repeated(n, |at| {
                format!(
                    "- [ ] **T{at}** Use the parser module{} after it was made\n",
                    n - at
                )
            }),
        )
    }),
    ("makers below users", |n| {
        headed(
            "Change it",
            &repeated(n, |at| match at <= n / 2 {
                true => format!(
                    "- [ ] **T{at}** Use `src/a{at}.rs` in the report\n  - files: `src/b.rs`\n"
                ),
                false => format!(
                    "- [ ] **T{at}** Create `src/a{}.rs`\n  - files: `src/a{}.rs`\n",
                    at - n / 2,
                    at - n / 2
                ),
            }),
        )
    }),
    ("open questions", |n| {
        steps(n, |_| "  Which format? To be decided.\n".to_owned())
    }),
    ("complex steps", |n| {
        steps(n, |_| "  - complexity: 10\n".to_owned())
    }),
    // Structure.
    ("groups", |n| {
        steps(n, |at| {
            format!(
                "  - [ ] **A{at}** First part\n  - [ ] **B{at}** Second part\n    - depends: A{at}\n"
            )
        })
    }),
    ("a group of many", |n| {
        one(&repeated(n, |at| format!("  - [ ] **A{at}** Part {at}\n")))
    }),
    ("deep groups", |n| {
        let depth = root(n);
        headed(
            "Change it",
            &repeated(depth, |at| {
                format!("{}- [ ] **T{at}** Part {at}\n", "  ".repeat(at - 1))
            }),
        )
    }),
    ("groups that depend", |n| {
        steps(n, |at| {
            let depends = if at > 1 {
                format!("  - depends: T{}\n", at - 1)
            } else {
                String::new()
            };
            format!("{depends}  - [ ] **A{at}** First\n  - [ ] **B{at}** Second\n")
        })
    }),
    ("groups that all depend on one group", |n| {
        steps(n, |at| {
            let depends = if at > 1 {
                "  - depends: T1\n".to_owned()
            } else {
                String::new()
            };
            format!(
                "{depends}  - [ ] **A{at}** First\n    - depends: none\n  - [ ] **B{at}** Second\n    - depends: none\n"
            )
        })
    }),
    ("many wait for a large group", |n| {
        let group = repeated(n, |at| format!("  - [ ] **A{at}** Part {at}\n"));
        headed(
            "Change it",
            &format!(
                "- [ ] **G** group\n{group}{}",
                repeated(n, |at| format!(
                    "- [ ] **T{at}** Step {at}\n  - depends: G\n"
                ))
            ),
        )
    }),
    ("many wait for two large groups", |n| {
        let group = |name: &str| {
            format!(
                "- [ ] **{name}** group\n{}",
                repeated(n, |at| format!(
                    "  - [ ] **{name}{at}** Part {at}\n    - depends: none\n"
                ))
            )
        };
        headed(
            "Change it",
            &format!(
                "{}{}{}",
                group("G"),
                group("H"),
                repeated(n, |at| format!(
                    "- [ ] **T{at}** Step {at}\n  - depends: G, H\n"
                ))
            ),
        )
    }),
    ("options", |n| {
        one(&format!(
            "  - type: decision\n{}",
            repeated(n, |at| format!("  - option: way {at} -> T2\n"))
        ))
    }),
    ("options alike", |n| {
        one(&format!(
            "  - type: decision\n{}",
            "  - option: way -> T2\n".repeat(n)
        ))
    }),
    ("an option of many", |n| {
        one(&format!(
            "  - type: decision\n  - option: way -> {}\n",
            repeated(n, |at| format!("X{at}, "))
        ))
    }),
    ("decisions", |n| {
        steps(n, |at| {
            format!(
                "  - type: decision\n  - option: a -> T{}\n  - option: b -> T{}\n",
                at + 1,
                at + 2
            )
        })
    }),
    ("decisions over one step", |n| {
        steps(n, |_| {
            format!("  - type: decision\n  - option: a -> T{n}\n  - option: b -> stop\n")
        })
    }),
    ("decisions before many", |n| {
        headed(
            "Change it",
            &format!(
                "{}{}",
                repeated(n, |at| format!(
                    "- [ ] **D{at}** Which {at}?\n  - type: decision\n  - depends: none\n  - option: a -> continue\n  - option: b -> stop\n"
                )),
                repeated(n, |at| format!("- [ ] **T{at}** Step {at}\n"))
            ),
        )
    }),
    ("records of decisions", |n| {
        format!(
            "{}\n## Decisions\n{}",
            steps(4, |_| String::new()),
            repeated(n, |at| format!("- T{at} yes\n"))
        )
    }),
    ("records of one decision", |n| {
        format!(
            "- [ ] **D1** Which?\n  - type: decision\n  - option: a -> continue\n\n## Decisions\n{}",
            "- D1 b\n".repeat(n)
        )
    }),
    ("records of a decision with options", |n| {
        format!(
            "- [ ] **D1** Which?\n  - type: decision\n{}\n## Decisions\n{}",
            repeated(n, |at| format!("  - option: way {at} -> continue\n")),
            repeated(n, |at| format!("- D1 way {at}\n"))
        )
    }),
    // Text.
    ("a long title", |n| {
        headed(
            "Change it",
            &format!("- [ ] **T1** {}\n", "word ".repeat(n)),
        )
    }),
    ("a title of ticks", |n| {
        headed("Change it", &format!("- [ ] **T1** {}\n", "`a ".repeat(n)))
    }),
    ("a title of brackets", |n| {
        headed("Change it", &format!("- [ ] **T1** {}\n", "[a](".repeat(n)))
    }),
    ("a title of stars", |n| {
        headed(
            "Change it",
            &format!("- [ ] **T1** {}\n", "*a **b ".repeat(n)),
        )
    }),
    ("a long line", |n| body("word ", n)),
    ("a line of letters", |n| body("x", n)),
    ("a line of vague words", |n| {
        body("fix stuff, clean up, todo, something ", n)
    }),
    ("a line of ticked vague words", |n| body("`todo` ", n)),
    ("a line of half ticked words", |n| body("` todo ", n)),
    ("a line of dangers", |n| {
        body("delete all users, drop the table, force-push ", n)
    }),
    ("a line of dangers built", |n| {
        body("add delete all and build delete all ", n)
    }),
    ("a line of dangers rehearsed", |n| {
        body("rm -rf a --dry-run ", n)
    }),
    ("a line of dangers on screens", |n| {
        body("lösche alle daten im formular ", n)
    }),
    ("a line of backups undone", |n| {
        body("delete the backup and ", n)
    }),
    ("a line of releases rehearsed", |n| {
        body("deploy to staging and ", n)
    }),
    ("a line of marks of questions", |n| body("? ", n)),
    ("a line of dangers unsaid", |n| {
        body("do not delete the users and ", n)
    }),
    ("a line of questions", |n| body("which one? ", n)),
    ("a line of paths", |n| body("src/a.rs, ", n)),
    ("a line of urls", |n| body("https://a.b/c ", n)),
    ("a line of dots", |n| body("...", n)),
    ("a line of brackets", |n| body("[", n)),
    ("a line of links", |n| body("[a](b) ", n)),
    ("a line of stars", |n| body("*a_", n)),
    ("a line of angles", |n| body("<a ", n)),
    ("a line of ampersands", |n| body("&a;", n)),
    ("a line of ticks", |n| body("`", n)),
    ("a line of tick runs", |n| {
        let runs = repeated(root(n), |at| format!("{} ", "`".repeat(at)));
        body(&runs, 1)
    }),
    ("a line of tests", |n| {
        body("run the tests and deploy, then roll back ", n)
    }),
    ("a line of waiting", |n| {
        body("after T2 is done and before T3, ", n)
    }),
    ("a line of backslashes", |n| body("\\", n)),
    ("a line of digits", |n| body("12 ", n)),
    ("a line of capitals", |n| body("Aa", n)),
    ("a line of chinese", |n| body("添加报告", n)),
    ("lines of dangers", |n| {
        body_lines("Delete all users and drop the table.", n)
    }),
    ("lines of vague words", |n| body_lines("todo: fix stuff", n)),
    ("lines of questions", |n| body_lines("Which one is it?", n)),
    ("code fences", |n| {
        one(&"  ```\n  rm -rf /\n  ```\n".repeat(n))
    }),
    ("code fences open", |n| {
        one(&repeated(n, |at| {
            format!("  {}\n  a\n", "`".repeat(3 + at % 5))
        }))
    }),
    ("a table", |n| body_lines("| a | b | c |", n)),
    ("a table with a head", |n| {
        one(&format!(
            "  | a | b |\n  |---|---|\n{}",
            "  | todo | delete |\n".repeat(n)
        ))
    }),
    ("a wide table", |n| {
        one(&format!("  |{}\n  |{}\n", "a|".repeat(n), "-|".repeat(n)))
    }),
    ("comments", |n| one(&"  <!-- todo -->\n".repeat(n))),
    ("comments open", |n| body_lines("<!-- todo", n)),
    ("html", |n| body_lines("<div><b>todo", n)),
    ("quotes", |n| body_lines("> todo", n)),
    ("deep quotes", |n| body_lines(&">".repeat(root(n)), root(n))),
    ("deep quotes of one line", |n| body(">", n)),
    ("bullets", |n| body_lines("* a point", n)),
    ("deep bullets", |n| body("* ", n)),
    ("reference links", |n| {
        one(&repeated(n, |at| format!("  [a{at}]: b\n")))
    }),
    ("reference links used", |n| {
        format!(
            "{}\n{}",
            body("[a][b] ", n),
            repeated(n, |at| format!("[b{at}]: c\n"))
        )
    }),
    ("footnotes", |n| body_lines("[^1] and [^2]: x", n)),
    ("headings", |n| {
        format!(
            "{}{}",
            steps(3, |_| String::new()),
            repeated(n, |at| format!("\n## Heading {at}\n\ntext\n"))
        )
    }),
    ("headings of tasks", |n| {
        repeated(n, |at| {
            format!("\n### Task {at}: change it\n\n- [ ] Step one\n")
        })
    }),
    ("sections of tasks", |n| {
        repeated(n, |at| format!("\n## Tasks\n\n- [ ] **T{at}** Step\n"))
    }),
    ("prose", |n| {
        format!(
            "# Title\n\n{}\n\n## Tasks\n- [ ] one\n",
            "Some prose about the plan. ".repeat(n)
        )
    }),
    ("paragraphs", |n| {
        format!(
            "# Title\n\n{}## Tasks\n- [ ] one\n",
            "Some prose?\n\n".repeat(n)
        )
    }),
    ("numbered steps", |n| {
        repeated(n, |at| format!("{at}. Change the part {at}\n"))
    }),
    ("phases", |n| {
        repeated(n, |at| {
            format!("## Phase {at}: parts\n\n1. Change {at}\n2. Test {at}\n\n")
        })
    }),
    ("spec-kit", |n| {
        repeated(n, |at| {
            format!("- [ ] T{at:03} [P] [US{at}] Change src/a{at}.rs\n")
        })
    }),
    ("kiro", |n| {
        repeated(n, |at| {
            format!(
                "- [ ] {at}. Change part {at}\n  - detail\n  - _Requirements: {at}.1, {at}.2_\n"
            )
        })
    }),
    ("blank lines", |n| one(&"\n".repeat(n))),
    ("blanks", |n| one(&" ".repeat(n))),
    ("carriage returns", |n| one(&"  a\r".repeat(n))),
    ("rules", |n| one(&"---\n".repeat(n))),
    // Front matter.
    ("front keys", |n| {
        front(&repeated(n, |at| format!("key{at}: value\n")))
    }),
    ("one front key", |n| front(&"context: a\n".repeat(n))),
    ("a front list", |n| {
        front(&format!("list:\n{}", "  - a\n".repeat(n)))
    }),
    ("a deep front list", |n| {
        front(&format!("list: {}\n", "[".repeat(n)))
    }),
    ("a deep front map", |n| {
        front(&repeated(root(n), |at| format!("{}a:\n", " ".repeat(at))))
    }),
    ("front anchors", |n| {
        front(&repeated(n, |at| {
            format!("k{at}: &a{at} [*a{}]\n", at.saturating_sub(1))
        }))
    }),
    ("an open front", |n| format!("---\n{}", "a: b\n".repeat(n))),
];
