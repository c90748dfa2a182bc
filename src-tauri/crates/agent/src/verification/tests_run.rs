//! Detects from the output of a check that no test ran, for example because no test has the given
//! name. Knows the output of common runners; any other output counts as undecided.

use plan::word_list::WordList;

/// Words that follow the number of tests that were run.
const RAN: WordList = WordList("test tests passed passing example examples item items spec specs");
/// Messages that say, without a count, that no test was run.
const NOTHING: WordList = WordList(
    "no tests ran|no tests to run|no test files|no tests executed|no tests were found|no tests found|\
    no test is available|no test matches",
);

/// Whether the output says that no test was run: at least one runner reports this, and none reports
/// that it ran a test.
pub(crate) fn ran_no_test(output: &str) -> bool {
    let mut has_none = false;
    for line in output.lines() {
        let line = line.to_lowercase();
        let is_none = NOTHING.are_in(&line);
        // Go prints one such line for each package that passed.
        let is_package = line.starts_with("ok ") || line.starts_with("ok\t");
        if (is_package && !is_none) || counts(&line).any(|count| count > 0) {
            return false;
        }
        has_none |= is_none || counts(&line).any(|count| count == 0);
    }
    has_none
}

/// The numbers of tests that a line mentions.
fn counts(line: &str) -> impl Iterator<Item = u64> {
    let words: Vec<&str> = line
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let pairs = words.windows(2).filter_map(|pair| match pair {
        [count, what] if RAN.contains(what) => count.parse().ok(),
        ["tests", count] => count.parse().ok(),
        _ => None,
    });
    pairs.collect::<Vec<u64>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runners_that_ran_nothing_say_so() {
        for output in [
            "\n----------------------------------------------------------------------\nRan 0 tests in 0.000s\n\nOK\n",
            "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 7 filtered out\n",
            "?   \texample/a\t[no test files]\nok  \texample/b\t0.003s [no tests to run]\n",
            "# tests 0\n# suites 0\n# pass 0\n",
            "\n  0 passing (2ms)\n",
            "collected 0 items\n\n=== no tests ran in 0.01s ===\n",
            "0 examples, 0 failures\n",
            "No tests were found!!!\n",
            "No tests executed!\n",
        ] {
            assert!(ran_no_test(output), "{output}");
        }
    }

    #[test]
    fn one_test_is_enough_and_other_output_says_nothing() {
        for output in [
            "",
            "all good\n",
            "Ran 1 test in 0.000s\n\nOK\n",
            "running 3 tests\nrunning 0 tests\n",
            "running 0 tests\nrunning 1 test\n",
            "?   \texample/a\t[no test files]\nok  \texample/b\t0.003s\n",
            "# tests 4\n",
            "=== 3 passed in 0.10s ===\n",
            "0 errors\n",
            "0 warnings, 0 failures\n",
        ] {
            assert!(!ran_no_test(output), "{output}");
        }
    }
}
