//! Helpers for tests in which many writers change one plan: deterministic random numbers, and a
//! change of one line as another program would make it.

/// A deterministic random number generator.
#[derive(Debug)]
pub struct Dice(u64);

impl Dice {
    /// Creates a generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number less than `below`.
    ///
    /// # Panics
    /// If `below` is 0.
    pub fn roll(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % below
    }
}

/// The text with the value of the `key` line of task `T<at>` replaced.
///
/// # Panics
/// If the task has no such line.
pub fn set(text: &str, at: usize, key: &str, value: &str) -> String {
    let start = text.find(&format!("**T{at}** ")).expect("the task");
    let name = format!("  - {key}: ");
    let from = start + text[start..].find(&name).expect("its line") + name.len();
    let to = from + text[from..].find('\n').expect("a complete line");
    format!("{}{value}{}", &text[..from], &text[to..])
}
