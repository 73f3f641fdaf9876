//! Filtering, sorting and searching the table of pairs, which may be of any length.

use std::sync::Arc;
use std::time::Duration;

use super::Pairs;
use super::kept::TitledIds;
use crate::contract::{Job, News, Request, Screens, Stop};
use crate::data::{FilterFacts, ShownRows, StudyData};
use crate::filtering::FilteredRows;
use crate::jobs::Backend;
use crate::logbook::LogLine;
use crate::pair_ids::PairIds;
use crate::shared::Shared;
use dejaview_base::ignoring_case;
use dejaview_labels::Decisions;
use dejaview_report::numbers::plural;
use dejaview_study::{Arranged, Filter, Order, Sort, StudyError};

/// Filters and sorts the table.
#[derive(Debug)]
pub struct Arrange {
    pub(super) data: Arc<StudyData>,
    pub(super) filter: Filter,
    /// Two configurations, and which of their pairs.
    pub(super) duel: Option<([usize; 2], usize)>,
    pub(super) sort: Sort,
    /// The configuration whose distances are meant by [`Sort::Distance`].
    pub(super) measured: Option<usize>,
    pub(super) reverse: bool,
    /// The person's labels; empty if neither filter nor order depends on them.
    pub(super) labels: Decisions,
}

impl Arrange {
    fn arrange(&self, stop: Stop<'_>) -> Result<Option<Arranged>, StudyError> {
        let facts = FilterFacts::new(self.data.clone(), &self.labels, &self.filter, self.sort)?;
        let (duel, sort, measured, reverse) = (self.duel, self.sort, self.measured, self.reverse);
        let order = Order { filter: &self.filter, duel, sort, measured, reverse, facts: &facts, stop };
        Ok(self.data.table.arrange(&order))
    }
}

/// The pairs that are shown, as a filter counts them while it is typed.
#[derive(Debug)]
pub(super) struct CountedPairs {
    pub data: Arc<StudyData>,
    pub labels: Decisions,
    /// What restricts the list beside the filter.
    pub others: Filter,
    pub duel: Option<([usize; 2], usize)>,
}

impl CountedPairs {
    fn passing(&self, filter: Filter, stop: Stop<'_>) -> Result<Option<u64>, StudyError> {
        if filter.is_empty() && self.duel.is_none() {
            return Ok(Some(self.data.table.len() as u64));
        }
        let rows = Arrange {
            data: self.data.clone(),
            filter,
            duel: self.duel,
            sort: Sort::Source,
            measured: None,
            reverse: false,
            labels: self.labels.clone(),
        };
        Ok(rows.arrange(stop)?.map(|arranged| arranged.rows.len() as u64))
    }
}

impl FilteredRows for CountedPairs {
    fn count(&self, filter: &Filter, stop: Stop<'_>) -> Option<Result<[u64; 2], String>> {
        let counts = self.passing(self.others.clone().and(filter.clone()), stop).and_then(|passing| {
            let all = self.passing(self.others.clone(), stop)?;
            Ok(passing.zip(all).map(|(passing, all)| [passing, all]))
        });
        counts.map_err(|error| error.to_string()).transpose()
    }
}

impl Job for Arrange {
    type Output = Result<Arranged, String>;
    const NAME: &'static str = "arrange the pairs";

    fn run(self, _: &Backend, stop: Stop<'_>) -> Option<Self::Output> {
        self.arrange(stop).map_err(|error| error.to_string()).transpose()
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |rows| format!("arranged {}", plural(rows.rows.len() as u64, "pair")))
    }

    fn deliver(output: Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        let pairs = screens.get_mut::<Pairs>();
        match (output, &shared.data) {
            (Ok(arranged), Some(data)) => {
                let first_wanted = pairs.arranged(arranged);
                pairs.return_to_pair(data, shared.area());
                if first_wanted {
                    let pair = pairs.current().map(|row| data.table.pair(row));
                    let first = pair.map(|pair| PairIds::new(pair.source, pair.target));
                    return vec![Request::Tell(News::FirstPair(first))];
                }
                return pairs.show_preview(data, shared, Duration::ZERO);
            }
            (Ok(_), None) => {}
            (Err(why), _) => {
                pairs.keep_rows();
                shared.message = Some(why);
            }
        }
        Vec::new()
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Pairs>().keep_rows();
        Vec::new()
    }
}

/// Rows searched before the job asks again whether anybody still wants the result.
const BLOCK: usize = 1 << 12;

/// Searches the rows shown: ids, titles and URLs. Titles are read document by document and not pair by pair, since there may
/// be many more pairs.
#[derive(Debug)]
pub struct SearchPairs {
    pub(super) data: Arc<StudyData>,
    pub(super) rows: ShownRows,
    /// In lower case.
    pub(super) query: String,
    /// What titles and URLs have, where an earlier search has read it.
    pub(super) titled: Option<TitledIds>,
    /// The position of the first row searched.
    pub(super) from: usize,
    pub(super) forward: bool,
}

impl Job for SearchPairs {
    /// The position of the result among the rows shown, if there is one, and what was read of titles and URLs.
    type Output = (Option<usize>, TitledIds);
    const NAME: &'static str = "search the pairs";

    fn run(self, _: &Backend, stop: Stop<'_>) -> Option<Self::Output> {
        let titled = match &self.titled {
            Some(known) => known.clone(),
            None => {
                let words: Vec<String> = self.query.split_whitespace().map(str::to_owned).collect();
                Arc::new(self.data.study.titles().ids_with(&words, stop)?)
            }
        };
        let [sources, targets] = &*titled;
        let (len, from) = (self.rows.len(), self.from);
        for step in 0..len {
            if step % BLOCK == 0 && stop() {
                return None;
            }
            let at = if self.forward { (from + step) % len } else { (from + len - step) % len };
            let (source, target) = self.data.table.ids(self.rows.get(at)?);
            let in_title = sources.contains(source) || targets.contains(target);
            if in_title || [source, target].iter().any(|id| ignoring_case::contains(id, &self.query)) {
                return Some((Some(at), titled));
            }
        }
        Some((None, titled))
    }

    fn line(_: &Self::Output) -> Option<LogLine> {
        LogLine::done("searched the pairs")
    }

    fn deliver((result, titled): Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        let pairs = screens.get_mut::<Pairs>();
        pairs.titled = Some(titled);
        if let Some(message) = pairs.searched(result, shared.area()) {
            shared.message = Some(message);
        }
        shared.data.as_ref().map_or(Vec::new(), |data| pairs.show_preview(data, shared, Duration::ZERO))
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Pairs>().searching = false;
        Vec::new()
    }
}
