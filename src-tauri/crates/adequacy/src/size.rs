//! The size of a goal, and the minimum number of steps for it.

mod scope;

use crate::goal::Goal;
use scope::Scope;

/// How detailed a plan should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PlanDepth {
    /// One task fewer than usual.
    Minimal,
    /// The usual number.
    #[default]
    Standard,
    /// Two tasks more than usual.
    Deep,
}

impl PlanDepth {
    /// Every depth, the least detailed first.
    pub const ALL: [Self; 3] = [Self::Minimal, Self::Standard, Self::Deep];

    /// The name used in reports and settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Minimal => "minimal",
            Self::Standard => "standard",
            Self::Deep => "deep",
        }
    }

    /// The depth with this exact name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|depth| depth.as_str() == name)
    }

    fn bonus(self) -> i32 {
        match self {
            Self::Minimal => -1,
            Self::Standard => 0,
            Self::Deep => 2,
        }
    }
}

/// Complexity of a goal that is a document.
const OF_DOCUMENT: u32 = 5;

/// The goal's complexity, 2 to 9. It depends on the number of words in the requirements and
/// increases with the share of the product that the goal affects, the number of things it asks for,
/// and the number of files in scope.
pub(crate) fn goal_complexity(goal: Option<(&str, &Goal)>, scope_files: usize) -> u32 {
    let Some((goal, read)) = goal else {
        return by_scope(scope_files);
    };
    if read.is_document {
        // The length of a description says little about how much it asks for.
        return OF_DOCUMENT.max(by_scope(scope_files));
    }
    let parts = read.requirements.len();
    let all = count_words(goal);
    let noise: usize = read
        .context
        .iter()
        .map(|part| count_words(&part.text))
        .sum();
    // Polite phrases don't add to a goal. They are subtracted only if there are more than a few of
    // them.
    const WRAPPED: usize = 6;
    let is_wrapped = noise >= WRAPPED;
    let asking = if is_wrapped {
        all - noise.min(all)
    } else {
        all
    };
    let is_small = parts <= 2 && scope::is_small(goal, is_wrapped);
    let by_words = match asking {
        _ if is_small => 2,
        0..=6 => 2,
        7..=16 => 5,
        17..=30 => 7,
        _ => 9,
    };
    let by_parts = match parts {
        0..=4 => 2,
        5..=8 => 7,
        _ => 9,
    };
    let by_reach = scope::of(goal).map_or(2, |scope| match scope {
        Scope::Product => 9,
        Scope::Throughout => 7,
    });
    by_words
        .max(by_parts)
        .max(by_reach)
        .max(by_scope(scope_files))
}

fn by_scope(files: usize) -> u32 {
    match files {
        0 => 2,
        1..=3 => 6,
        _ => 7,
    }
}

/// Minimum number of normal leaf tasks for a goal of this complexity.
pub(crate) fn task_floor(complexity: u32, depth: PlanDepth) -> u32 {
    let base: u32 = match complexity {
        0..=3 => 1,
        4..=5 => 2,
        6..=7 => 4,
        8 => 6,
        _ => 8,
    };
    base.saturating_add_signed(depth.bonus()).max(1)
}

/// Number of words separated by spaces. In scripts without spaces, two characters count as one
/// word.
fn count_words(text: &str) -> usize {
    text.split_whitespace()
        .map(|token| {
            token
                .chars()
                .filter(|c| is_unspaced_script(*c))
                .count()
                .div_ceil(2)
                .max(1)
        })
        .sum()
}

fn is_unspaced_script(c: char) -> bool {
    matches!(
        c,
        '\u{0e00}'..='\u{0eff}'        // Thai, Lao
            | '\u{1000}'..='\u{109f}'  // Myanmar
            | '\u{1780}'..='\u{17ff}'  // Khmer
            | '\u{3040}'..='\u{30ff}'  // kana
            | '\u{3400}'..='\u{9fff}'  // Han
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{3ffff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_floor_follows_the_table_and_the_depth() {
        let floors: Vec<u32> = (0..=11)
            .map(|c| task_floor(c, PlanDepth::Standard))
            .collect();
        assert_eq!(floors, [1, 1, 1, 1, 2, 2, 4, 4, 6, 8, 8, 8]);
        assert_eq!(task_floor(2, PlanDepth::Minimal), 1, "never below one");
        assert_eq!(task_floor(7, PlanDepth::Minimal), 3);
        assert_eq!(task_floor(7, PlanDepth::Deep), 6);
    }

    #[test]
    fn a_goal_of_hundreds_of_words_is_as_large_as_goals_get() {
        let goal = |words| vec!["word"; words].join(" ");
        for (words, complexity) in [
            (1, 2),
            (6, 2),
            (7, 5),
            (16, 5),
            (17, 7),
            (30, 7),
            (31, 9),
            (256, 9),
            (262, 9),
        ] {
            assert_eq!(size(&goal(words)), complexity, "{words} words");
        }
    }

    #[test]
    fn files_in_scope_lift_a_short_goal() {
        let raised = [0, 1, 3, 4, 9].map(|files| {
            goal_complexity(Some(("Rename it", &crate::goal::read("Rename it"))), files)
        });
        assert_eq!(raised, [2, 6, 6, 7, 7]);
        assert_eq!(goal_complexity(None, 0), 2);
    }

    #[test]
    fn a_goal_without_spaces_is_not_one_word() {
        assert_eq!(count_words("设置页面需要支持深色模式并保存用户选择"), 10);
        assert_eq!(count_words("Zeig die Fehlermeldung größer an"), 5);
    }

    fn size(goal: &str) -> u32 {
        goal_complexity(Some((goal, &crate::goal::read(goal))), 0)
    }

    #[test]
    fn a_few_words_can_ask_for_a_whole_product() {
        for goal in [
            "Rewrite the app in Rust",
            "Port the whole backend to Go",
            "Migrate the entire codebase to TypeScript",
            "Replace our monolith with services",
            "Schreibe die ganze Anwendung in Rust neu",
            "Réécrire l'application en Rust",
            "Reescribir toda la aplicación en Go",
            "用Rust重写整个应用",
            "アプリ全体をRustで書き直す",
        ] {
            assert_eq!(size(goal), 9, "{goal}");
        }
        for goal in [
            "Convert all modules to async",
            "Build a compiler from scratch",
            "Refactor everything",
        ] {
            assert_eq!(size(goal), 7, "{goal}");
        }
        for goal in [
            "Replace the sync engine",
            "Migrate the database schema",
            "Refresh settings screens",
            "Rename total to sum_rows everywhere",
            "Rewrite the app's greeting",
            "Port the parser test",
            "Tidy repo",
        ] {
            assert_eq!(size(goal), 2, "{goal}");
        }
    }

    #[test]
    fn a_goal_with_many_requirements_is_large() {
        let goal = |parts: usize| {
            (0..parts)
                .map(|nth| format!("- Add part {nth}\n"))
                .collect::<String>()
        };
        assert_eq!(
            size(&goal(4)),
            5 + 2 * u32::from(count_words(&goal(4)) > 16)
        );
        assert_eq!(size(&goal(9)), 9);
    }

    #[test]
    fn courtesy_does_not_make_a_small_change_larger() {
        for goal in [
            "Hello there, I hope you are having a good day! If it is not too much trouble, could you please fix \
             the small typo in the title of the settings page, thank you so much for your time and help",
            "I would be very grateful if you could possibly change one word in the footer, because the old one \
             confuses our customers and they keep writing to us about it every single day of the week",
            "Could you please be so kind and change the label of the save button from Save to Store, whenever you \
             have a spare moment? There is no rush at all, and thank you very much in advance for looking into it!",
            "Hallo zusammen, könntet ihr bitte den Tippfehler in der Überschrift der Startseite korrigieren? Vielen \
             Dank schon mal für eure Mühe und noch einen schönen Tag wünsche ich euch allen im Team",
        ] {
            assert_eq!(size(goal), 2, "{goal}");
        }
        // Polite phrases do not make a large goal small.
        let large = "Could you please add a login form with mail and password, sessions that last a week, a reset link by \
                     mail, and a page where people see and end their open sessions, thank you very much indeed";
        assert!(size(large) >= 7);
    }

    #[test]
    fn depths_are_parsed_by_name() {
        for depth in PlanDepth::ALL {
            assert_eq!(PlanDepth::from_name(depth.as_str()), Some(depth));
        }
        assert_eq!(PlanDepth::from_name("Deep"), None);
    }
}
