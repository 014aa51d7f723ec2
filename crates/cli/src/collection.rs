//! Collections: puzzles with everything a file says about them, in any of the formats of `ninefold::puzzles::format`.

use crate::source::{Opened, Place, Source, Sources};
use crate::stream::Feed;
use crate::trouble::Trouble;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ninefold::grid::Order;
use ninefold::puzzles::format::{self, BadEntry, Format, Pairs, Reason};
use std::collections::VecDeque;
use std::io::BufRead;
use std::sync::Arc;

/// Which collections to read, and how.
#[derive(Args, Debug)]
pub struct Reading {
    #[command(flatten)]
    pub sources: Sources,

    /// The format of the input [default: found out from its beginning]
    #[arg(long, value_name = "FORMAT", value_parser = format_names())]
    pub from: Option<Format>,

    /// Leave bad entries out and count them, instead of stopping at the first
    #[arg(long)]
    pub skip_bad: bool,
}

/// Reads the name of a format.
pub fn format_names() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .map(|name| Format::by_name(&name).expect("the parser lets only these names through"))
}

/// An entry and where it stands.
pub struct Found {
    /// Where it stands.
    pub place: Place,
    /// What is said there.
    pub entry: format::Entry,
}

/// Something that is no puzzle, and where it stands.
pub struct Bad {
    /// Where it stands.
    pub place: Place,
    error: BadEntry,
}

impl Bad {
    /// Did the stream itself fail?
    pub fn is_fatal(&self) -> bool {
        self.error.is_fatal()
    }

    /// What is wrong, with its place. `boxes` is the shape the user asked for.
    pub fn trouble(&self, boxes: Option<Order>) -> Trouble {
        self.trouble_without_place(boxes).at(&self.place)
    }

    /// What is wrong, for those who name the place themselves.
    pub fn trouble_without_place(&self, boxes: Option<Order>) -> Trouble {
        match &self.error.reason {
            Reason::Puzzle(error) => Trouble::unreadable(error, boxes),
            other => Trouble::new(other.to_string()),
        }
    }
}

/// The entries of one source, or of two that belong together.
pub struct Entries {
    name: Arc<str>,
    numbered: bool,
    /// May asking for the next one wait for somebody?
    pub waits: bool,
    items: Box<dyn Iterator<Item = Result<format::Entry, BadEntry>> + Send>,
    read: usize,
}

impl Entries {
    /// The entries of an open source in a known format.
    pub fn of(opened: Opened, format: Format, boxes: Option<Order>) -> Entries {
        let Opened { name, reader, numbered, waits } = opened;
        Entries { name, numbered, waits, items: Box::new(format::read(format, reader, boxes)), read: 0 }
    }

    /// Paper 2's two files: puzzles in one, their solutions in the other.
    fn paired(puzzles: Opened, solutions: Opened, boxes: Option<Order>) -> Entries {
        let Opened { name, reader, numbered, waits } = puzzles;
        let items = Box::new(Pairs::new(reader, solutions.reader, boxes));
        Entries { name, numbered, waits: waits || solutions.waits, items, read: 0 }
    }
}

impl Iterator for Entries {
    type Item = Result<Found, Bad>;

    fn next(&mut self) -> Option<Result<Found, Bad>> {
        let item = self.items.next()?;
        self.read += 1;
        let place = Place { source: self.name.clone(), line: None, number: None };
        Some(match item {
            Ok(entry) => Ok(Found { place: Place { number: self.numbered.then_some(self.read), ..place }, entry }),
            Err(error) => {
                let line = self.numbered.then_some(error.line as usize);
                Err(Bad { place: Place { line, ..place }, error })
            }
        })
    }
}

/// The entries of all sources, one after the other.
pub struct Collection {
    waiting: VecDeque<Source>,
    open: Option<Entries>,
    from: Option<Format>,
    boxes: Option<Order>,
    skip_bad: bool,
}

impl Reading {
    /// All sources as one collection.
    pub fn open(&self) -> Result<Collection, Trouble> {
        Ok(self.open_some(self.sources.list()?))
    }

    /// Some sources as one collection.
    pub fn open_some(&self, waiting: VecDeque<Source>) -> Collection {
        let (from, boxes, skip_bad) = (self.from, self.sources.boxes, self.skip_bad);
        Collection { waiting, open: None, from, boxes, skip_bad }
    }

    /// One file of puzzles and one of solutions, as in paper 2.
    pub fn open_pair(&self, solutions: &str) -> Result<Collection, Trouble> {
        let mut sources = self.sources.list()?;
        let (Some(puzzles), None) = (sources.pop_front(), sources.pop_front()) else {
            return Err(Trouble::new("solutions in a file of their own belong to one file of puzzles")
                .hint("convert the files one by one"));
        };
        let solutions = Source::File(solutions.to_string()).open()?;
        let open = Entries::paired(puzzles.open()?, solutions, self.sources.boxes);
        Ok(Collection { open: Some(open), ..self.open_some(VecDeque::new()) })
    }
}

impl Collection {
    fn open(&self, source: Source) -> Result<Entries, Trouble> {
        let mut opened = source.open()?;
        let format = match self.from {
            Some(format) => format,
            None => Format::of(
                opened
                    .reader
                    .fill_buf()
                    .map_err(|error| Trouble::new(format!("{} cannot be read: {error}", opened.name)))?,
            ),
        };
        Ok(Entries::of(opened, format, self.boxes))
    }
}

impl Feed for Collection {
    fn more_is_ready(&self) -> bool {
        self.open.as_ref().is_some_and(|entries| !entries.waits)
    }
}

/// What a collection yields: after trouble that ends it nothing more comes.
pub enum Item {
    /// A puzzle.
    Found(Box<Found>),
    /// A bad entry that is left out because the user wants so.
    Skipped(Trouble),
    /// The end, too early.
    Broken(Trouble),
}

impl Iterator for Collection {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(entries) = &mut self.open {
                match entries.next() {
                    None => self.open = None,
                    Some(Ok(found)) => return Some(Item::Found(Box::new(found))),
                    Some(Err(bad)) if self.skip_bad && !bad.is_fatal() => {
                        return Some(Item::Skipped(bad.trouble(self.boxes)));
                    }
                    Some(Err(bad)) => {
                        let trouble = bad.trouble(self.boxes);
                        return Some(self.broken(trouble));
                    }
                }
            }
            let source = self.waiting.pop_front()?;
            match self.open(source) {
                Ok(entries) => self.open = Some(entries),
                Err(trouble) => return Some(self.broken(trouble)),
            }
        }
    }
}

impl Collection {
    fn broken(&mut self, trouble: Trouble) -> Item {
        self.open = None;
        self.waiting.clear();
        Item::Broken(trouble)
    }
}
