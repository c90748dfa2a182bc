//! Shares with their intervals.

use serde_json::{Value, json};

/// So many of so many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rate {
    /// Those for which it is so.
    pub hits: usize,
    /// All.
    pub of: usize,
}

/// An interval that holds the true share in 95 of 100 cases, after Wilson.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wilson {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Rate {
    /// Counts one more.
    pub fn count(&mut self, is_so: bool) {
        self.of += 1;
        self.hits += usize::from(is_so);
    }

    /// How many of these are so.
    pub fn of<T>(all: impl IntoIterator<Item = T>, is_so: impl Fn(&T) -> bool) -> Self {
        let mut rate = Self::default();
        for one in all {
            rate.count(is_so(&one));
        }
        rate
    }

    /// Both together.
    pub fn add(&mut self, other: Self) {
        self.hits += other.hits;
        self.of += other.of;
    }

    /// The share; none of nothing.
    #[must_use]
    pub fn share(self) -> Option<f64> {
        (self.of > 0).then(|| as_f64(self.hits) / as_f64(self.of))
    }

    /// The interval.
    #[must_use]
    pub fn wilson(self) -> Wilson {
        let Some(share) = self.share() else {
            return Wilson {
                low: 0.0,
                high: 1.0,
            };
        };
        let z = 1.96_f64;
        let n = as_f64(self.of);
        let middle = share + z * z / (2.0 * n);
        let spread = z * ((share * (1.0 - share) + z * z / (4.0 * n)) / n).sqrt();
        let all = 1.0 + z * z / n;
        Wilson {
            low: ((middle - spread) / all).max(0.0),
            high: ((middle + spread) / all).min(1.0),
        }
    }

    /// As JSON.
    #[must_use]
    pub fn json(self) -> Value {
        let Wilson { low, high } = self.wilson();
        let round = |number: f64| (number * 10_000.0).round() / 10_000.0;
        json!({"hits": self.hits, "of": self.of, "share": self.share().map(round), "low": round(low), "high": round(high)})
    }
}

impl std::fmt::Display for Rate {
    /// `95.0 % [91.2, 97.4] n=300`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some(share) = self.share() else {
            return f.pad("–");
        };
        let Wilson { low, high } = self.wilson();
        let text = format!(
            "{:5.1} % [{:.1}, {:.1}] n={}",
            share * 100.0,
            low * 100.0,
            high * 100.0,
            self.of
        );
        f.pad(&text)
    }
}

/// A count as a number with a fraction.
#[must_use]
pub fn as_f64(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

/// The mean; none of nothing.
#[must_use]
pub fn mean(all: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0_usize);
    for one in all {
        sum += one;
        count += 1;
    }
    (count > 0).then(|| sum / as_f64(count))
}
