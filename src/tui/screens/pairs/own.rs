//! The person's own list of pairs, which comes back when one leaves the pairs that another screen asked for.

use super::Pairs;
use super::kept::{OwnList, Restrictions};
use crate::action::ScreenId;
use crate::contract::{Here, Request};
use crate::data::StudyData;
use crate::pair_ids::PairIds;

impl Pairs {
    fn restrictions(&self) -> Restrictions {
        Restrictions {
            filter: self.filter.clone(),
            document: self.document.clone(),
            configuration: self.configuration,
            duel: self.duel,
        }
    }

    /// The list that comes back later: the one that is shown, unless it is one that another screen asked for and the person
    /// has not changed.
    pub(super) fn own_list(&mut self, data: &StudyData) -> OwnList {
        let shown = self.restrictions();
        self.own.take().filter(|own| own.replaced_by == shown).unwrap_or_else(|| {
            let pair = self.current().map(|row| data.table.pair(row));
            let pair = pair.map(|pair| PairIds::new(pair.source, pair.target));
            OwnList { restrictions: shown.clone(), pair, replaced_by: shown }
        })
    }

    /// Keeps a list while pairs are shown that were asked for on another screen. Who asks on this one changes the own list.
    pub(super) fn keep_own_list(&mut self, list: OwnList, asked_on: ScreenId) {
        self.returning = None;
        self.own = (asked_on != Self::ID).then(|| OwnList { replaced_by: self.restrictions(), ..list });
    }

    /// Shows the own list again, unless the person has changed what was shown in its place.
    pub(super) fn restore_own_list(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        let shown = self.restrictions();
        let own = self.own.take().filter(|own| own.replaced_by == shown && own.restrictions != shown);
        let Some((own, data)) = own.zip(here.data.clone()) else { return Vec::new() };
        let Restrictions { filter, document, configuration, duel } = own.restrictions;
        (self.filter, self.document, self.configuration, self.duel) = (filter, document, configuration, duel);
        self.returning = own.pair;
        let requests = self.arrange_or_drop_filter(&data, here.shared);
        self.return_to_pair(&data, here.area());
        requests
    }
}
