//! What storms over one plan are made of: numbers that are the same in every run, and another program's
//! way to change one line.

/// The same numbers in every run of a test.
#[derive(Debug)]
pub struct Dice(u64);

impl Dice {
    /// Other numbers for another seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `below`, which is not 0.
    ///
    /// # Panics
    /// When it is.
    pub fn roll(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % below
    }
}

/// The text with another value on the `key` line of the task `T<at>`, which has one.
///
/// # Panics
/// When it has none.
pub fn set(text: &str, at: usize, key: &str, value: &str) -> String {
    let start = text.find(&format!("**T{at}** ")).expect("the task");
    let name = format!("  - {key}: ");
    let from = start + text[start..].find(&name).expect("its line") + name.len();
    let to = from + text[from..].find('\n').expect("a whole line");
    format!("{}{value}{}", &text[..from], &text[to..])
}
