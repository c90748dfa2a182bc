//! Rates with their confidence intervals.

use serde_json::{Value, json};

/// A rate: hits out of a total.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rate {
    /// The number of hits.
    pub hits: usize,
    /// The total number of observations.
    pub of: usize,
}

/// A 95 % Wilson score interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wilson {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Rate {
    /// Adds one observation.
    pub fn count(&mut self, is_so: bool) {
        self.of += 1;
        self.hits += usize::from(is_so);
    }

    /// The rate of items for which `is_so` returns true.
    pub fn of<T>(all: impl IntoIterator<Item = T>, is_so: impl Fn(&T) -> bool) -> Self {
        let mut rate = Self::default();
        for one in all {
            rate.count(is_so(&one));
        }
        rate
    }

    /// Adds the counts of another rate.
    pub fn add(&mut self, other: Self) {
        self.hits += other.hits;
        self.of += other.of;
    }

    /// The share; `None` if the total is zero.
    #[must_use]
    pub fn share(self) -> Option<f64> {
        (self.of > 0).then(|| as_f64(self.hits) / as_f64(self.of))
    }

    /// The confidence interval.
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

    /// The rate and its interval as JSON.
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

/// Converts a count to a float.
#[must_use]
pub fn as_f64(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

/// The mean; `None` if there are no values.
#[must_use]
pub fn mean(all: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0_usize);
    for one in all {
        sum += one;
        count += 1;
    }
    (count > 0).then(|| sum / as_f64(count))
}
