//! Baselines for the file search: BM25 from `tantivy`, and word rarity.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::error::Error;

use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, STORED, STRING, Schema, TEXT, Value as _};
use tantivy::{Index, IndexWriter, TantivyDocument, Term};

/// Memory budget of the index writer, in bytes.
const ROOM: usize = 64 << 20;

/// BM25 over the path and contents of each file, with `tantivy`'s default tokenizer.
pub(crate) struct Bm25 {
    index: Index,
    writer: IndexWriter,
    path: Field,
    text: Field,
}

impl Bm25 {
    pub(crate) fn new() -> Result<Self, Box<dyn Error>> {
        let mut schema = Schema::builder();
        let path = schema.add_text_field("path", STRING | STORED);
        let text = schema.add_text_field("text", TEXT);
        let index = Index::create_in_ram(schema.build());
        let writer = index.writer_with_num_threads(1, ROOM)?;
        Ok(Self {
            index,
            writer,
            path,
            text,
        })
    }

    pub(crate) fn forget(&mut self, path: &str) {
        self.writer
            .delete_term(Term::from_field_text(self.path, path));
    }

    pub(crate) fn put(&mut self, path: &str, text: &str) -> Result<(), Box<dyn Error>> {
        self.forget(path);
        let mut document = TantivyDocument::default();
        document.add_text(self.path, path);
        document.add_text(self.text, format!("{path}\n{text}"));
        self.writer.add_document(document)?;
        Ok(())
    }

    pub(crate) fn settle(&mut self) -> Result<(), Box<dyn Error>> {
        self.writer.commit()?;
        Ok(())
    }

    pub(crate) fn search(&self, goal: &str, most: usize) -> Result<Vec<String>, Box<dyn Error>> {
        let clauses = words(goal).into_iter().map(|word| {
            let term = Term::from_field_text(self.text, &word);
            let query: Box<dyn Query> =
                Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs));
            (Occur::Should, query)
        });
        let query = BooleanQuery::new(clauses.collect());
        let searcher = self.index.reader()?.searcher();
        let mut found = Vec::new();
        for (_, at) in searcher.search(&query, &TopDocs::with_limit(most).order_by_score())? {
            let document: TantivyDocument = searcher.doc(at)?;
            let path = document.get_first(self.path).and_then(|path| path.as_str());
            found.extend(path.map(str::to_owned));
        }
        Ok(found)
    }
}

/// Ranks files by the total rarity of the goal's words in them.
#[derive(Default)]
pub(crate) struct Rarity {
    files: BTreeMap<String, HashSet<String>>,
}

impl Rarity {
    pub(crate) fn forget(&mut self, path: &str) {
        self.files.remove(path);
    }

    pub(crate) fn put(&mut self, path: &str, text: &str) {
        let mut held = words(path);
        held.extend(words(text));
        self.files.insert(path.to_owned(), held);
    }

    #[allow(clippy::cast_precision_loss, reason = "file counts are small")]
    pub(crate) fn search(&self, goal: &str, most: usize) -> Vec<String> {
        let all = self.files.len() as f64;
        let mut rarity: HashMap<String, f64> = HashMap::new();
        for word in words(goal) {
            let holding = self
                .files
                .values()
                .filter(|held| held.contains(&word))
                .count();
            rarity.insert(word, (all / (1.0 + holding as f64)).ln().max(0.0));
        }
        let mut rarity: Vec<(String, f64)> = rarity.into_iter().collect();
        rarity.sort_by(|one, other| one.0.cmp(&other.0));
        let mut ranked: Vec<(f64, &String)> = self
            .files
            .iter()
            .map(|(path, held)| {
                let held = rarity.iter().filter(|(word, _)| held.contains(word));
                (held.map(|(_, rarity)| rarity).sum(), path)
            })
            .filter(|(score, _)| *score > 0.0)
            .collect();
        ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(other.1)));
        ranked
            .into_iter()
            .take(most)
            .map(|(_, path)| path.clone())
            .collect()
    }
}

/// The words of a text as the default tokenizer splits it: lowercase runs of letters and digits.
fn words(text: &str) -> HashSet<String> {
    let runs = text.split(|c: char| !c.is_alphanumeric());
    let whole = runs.filter(|run| !run.is_empty() && run.len() < 40);
    whole.map(str::to_lowercase).collect()
}
