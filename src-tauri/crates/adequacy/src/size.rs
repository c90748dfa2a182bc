//! How large a goal is, and how many tasks it should have at least.

/// How finely a plan is to be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PlanDepth {
    /// One task fewer than usual will do.
    Minimal,
    /// The usual number.
    #[default]
    Standard,
    /// Two tasks more.
    Deep,
}

impl PlanDepth {
    /// Every depth, the coarsest first.
    pub const ALL: [Self; 3] = [Self::Minimal, Self::Standard, Self::Deep];

    /// The name used in reports and settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Minimal => "minimal",
            Self::Standard => "standard",
            Self::Deep => "deep",
        }
    }

    /// The depth of this exact name.
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

/// The goal's complexity, 2 to 9: by its words, lifted by the number of files in scope.
pub(crate) fn goal_complexity(goal: Option<&str>, scope_files: usize) -> u32 {
    let by_words = match goal.map_or(0, count_words) {
        0..=6 => 2,
        7..=16 => 5,
        17..=30 => 7,
        _ => 9,
    };
    let by_scope = match scope_files {
        0 => 0,
        1..=3 => 6,
        _ => 7,
    };
    by_words.max(by_scope)
}

/// The least number of normal leaf tasks for a goal of this complexity.
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

/// Words between blanks; scripts that write without blanks count one word for two characters.
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
            assert_eq!(
                goal_complexity(Some(&goal(words)), 0),
                complexity,
                "{words} words"
            );
        }
    }

    #[test]
    fn files_in_scope_lift_a_short_goal() {
        let lifted = [0, 1, 3, 4, 9].map(|files| goal_complexity(Some("Rename it"), files));
        assert_eq!(lifted, [2, 6, 6, 7, 7]);
        assert_eq!(goal_complexity(None, 0), 2);
    }

    #[test]
    fn a_goal_without_blanks_between_words_is_not_one_word() {
        assert_eq!(count_words("设置页面需要支持深色模式并保存用户选择"), 10);
        assert_eq!(count_words("Zeig die Fehlermeldung größer an"), 5);
    }

    #[test]
    fn depths_are_read_by_name() {
        for depth in PlanDepth::ALL {
            assert_eq!(PlanDepth::from_name(depth.as_str()), Some(depth));
        }
        assert_eq!(PlanDepth::from_name("Deep"), None);
    }
}
