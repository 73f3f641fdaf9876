//! Which sample Label opens, how far each is, and what was wrong before the explorer began.

use super::App;
use crate::action::ScreenId;
use crate::contract::Request;
use crate::data::StudyData;
use crate::screens::home::{EstimateSoFar, Home, SampleLine};
use crate::screens::label::{Label, ReadSample};
use crate::screens::log::Log;

impl App {
    /// Says what is wrong with the settings: how much, and the first of it; all of it is on the Log.
    pub fn mistaken(&mut self, problems: &[String]) {
        for problem in problems.iter().rev() {
            self.screens.get_mut::<Log>().wrong(&format!("settings, {problem}"), &self.shared.now());
        }
        self.shared.message = match problems {
            [] => None,
            [one] => Some(format!("settings, {one}")),
            [first, ..] => Some(format!("{} mistakes in the settings (all on 0): {first}", problems.len())),
        };
    }

    /// Another sample for Label, by its name.
    pub(super) fn choose_sample(&mut self, name: &str) -> Vec<Request> {
        let names = self.shared.sample_names();
        if !names.iter().any(|known| known == name) {
            let known = names.join(", ");
            self.shared.message = Some(match name {
                "" => format!("Label opens sample {}; :sample NAME chooses another of {known}", self.shared.sample),
                _ => format!("there is no sample “{name}”; there are {known}, and `dejaview sample` draws more"),
            });
            return Vec::new();
        }
        self.shared.message = Some(format!("Label opens sample {name}"));
        if name == self.shared.sample {
            return Vec::new();
        }
        name.clone_into(&mut self.shared.sample);
        let mut requests = vec![self.screens.get_mut::<Label>().forget()];
        if self.shared.screen != ScreenId::Label {
            return requests;
        }
        self.shared.hide();
        requests.push(Request::job(ReadSample { name: self.shared.sample.clone() }));
        requests
    }

    /// The next sample.
    pub(super) fn next_sample(&mut self) -> Vec<Request> {
        let names = self.shared.sample_names();
        if names.len() == 1 {
            self.shared.message = Some(format!("there is one sample, {}; `dejaview sample` draws more", names[0]));
            return Vec::new();
        }
        let at = names.iter().position(|name| *name == self.shared.sample).unwrap_or_default();
        self.choose_sample(&names[(at + 1) % names.len()])
    }

    /// Asks for the precision that the labels give so far.
    pub(super) fn ask_so_far(&self, data: &StudyData) -> Vec<Request> {
        let begun = data.samples.iter().filter(|progress| !progress.decided.is_empty());
        let mut names: Vec<String> = begun.map(|progress| progress.name.clone()).collect();
        if let Some(open) = self
            .screens
            .get::<Label>()
            .sample()
            .filter(|_| self.screens.get::<Label>().decided(&self.shared.book.decisions) > 0)
            && !names.contains(&open.name)
        {
            names.push(open.name.clone());
        }
        if names.is_empty() { Vec::new() } else { vec![Request::job(EstimateSoFar { samples: names })] }
    }

    /// How far each sample is; the open one as it is now.
    pub fn sample_lines(&self, data: &StudyData) -> Vec<SampleLine> {
        let mut lines: Vec<SampleLine> =
            data.samples.iter().map(|of| self.screens.get::<Home>().sample_line(of)).collect();
        if let Some(open) = self.screens.get::<Label>().sample() {
            let count = self.screens.get::<Label>().decided(&self.shared.book.decisions);
            let mine = (count > 0).then(|| (self.shared.book.annotator.clone(), count));
            match lines.iter_mut().find(|line| line.name == open.name) {
                Some(line) => {
                    line.decided.retain(|(annotator, _)| *annotator != self.shared.book.annotator);
                    line.decided.extend(mine);
                }
                None => lines.push(SampleLine {
                    name: open.name.clone(),
                    size: open.pairs.len(),
                    decided: mine.into_iter().collect(),
                    parts: open.annotators().into_iter().map(|who| (who.to_owned(), open.part(who).len())).collect(),
                    ..SampleLine::default()
                }),
            }
        }
        for line in &mut lines {
            line.opens = line.name == self.shared.sample;
            // What others found so far must not guide those who have still to decide.
            if data.recipe.labels.blind && line.left(&self.shared.book.annotator) > 0 {
                line.so_far = None;
            }
        }
        lines
    }
}
