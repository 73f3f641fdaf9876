//! Which sample Label opens, how far each is, and what was wrong before the explorer began.

use super::App;
use crate::action::ScreenId;
use crate::asks::Ask;
use crate::data::StudyData;
use crate::jobs::Effect;
use crate::screens::home::SampleLine;
use dejaview_study::Changed;

impl App {
    /// Says what is wrong with the settings: how much, and the first of it; all of it is on the Log.
    pub fn mistaken(&mut self, problems: &[String]) {
        for problem in problems.iter().rev() {
            self.log.wrong(&format!("settings, {problem}"), &(self.clock)());
        }
        self.message = match problems {
            [] => None,
            [one] => Some(format!("settings, {one}")),
            [first, ..] => Some(format!("{} mistakes in the settings (all on 0): {first}", problems.len())),
        };
    }

    /// Names of the samples: those there are, and the one that Label opens.
    pub(super) fn sample_names(&self) -> Vec<String> {
        let samples = self.data.iter().flat_map(|data| &data.samples);
        let mut names: Vec<String> = samples.map(|progress| progress.name.clone()).collect();
        if !names.contains(&self.sample) {
            names.push(self.sample.clone());
        }
        names
    }

    /// Which sample Label has opened, where there are others.
    pub(super) fn one_of_several(&self) -> Option<String> {
        let samples = self.sample_names().len();
        (samples > 1).then(|| format!("sample {}, one of {samples}; :sample NAME chooses another", self.sample))
    }

    /// Another sample for Label, by its name.
    pub(super) fn choose_sample(&mut self, name: &str) -> Vec<Effect> {
        let names = self.sample_names();
        if !names.iter().any(|known| known == name) {
            let known = names.join(", ");
            self.message = Some(match name {
                "" => format!("Label opens sample {}; :sample NAME chooses another of {known}", self.sample),
                _ => format!("there is no sample “{name}”; there are {known}, and `dejaview sample` draws more"),
            });
            return Vec::new();
        }
        self.message = Some(format!("Label opens sample {name}"));
        if name == self.sample {
            return Vec::new();
        }
        name.clone_into(&mut self.sample);
        self.label.forget();
        if self.screen != ScreenId::Label {
            return Vec::new();
        }
        self.hide();
        vec![Effect::Sample(self.sample.clone())]
    }

    /// The next sample.
    pub(super) fn next_sample(&mut self) -> Vec<Effect> {
        let names = self.sample_names();
        if names.len() == 1 {
            self.message = Some(format!("there is one sample, {}; `dejaview sample` draws more", names[0]));
            return Vec::new();
        }
        let at = names.iter().position(|name| *name == self.sample).unwrap_or_default();
        self.choose_sample(&names[(at + 1) % names.len()])
    }

    /// Asks for the precision that the labels give so far.
    pub(super) fn ask_so_far(&self, data: &StudyData) -> Vec<Effect> {
        let begun = data.samples.iter().filter(|progress| !progress.decided.is_empty());
        let mut names: Vec<String> = begun.map(|progress| progress.name.clone()).collect();
        if let Some(open) = self.label.sample().filter(|_| self.label.decided(&self.book.decisions) > 0)
            && !names.contains(&open.name)
        {
            names.push(open.name.clone());
        }
        if names.is_empty() { Vec::new() } else { vec![Effect::Ask(Ask::SoFar(names))] }
    }

    /// What is different, where a sample is no longer of the pairs there are.
    pub(super) fn changed(&self, sample: &str) -> Option<Changed> {
        let data = self.data.as_ref()?;
        data.samples.iter().find(|progress| progress.name == sample)?.changed.clone()
    }

    /// How far each sample is; the open one as it is now.
    pub fn sample_lines(&self, data: &StudyData) -> Vec<SampleLine> {
        let mut lines: Vec<SampleLine> = data.samples.iter().map(|of| self.home.sample_line(of)).collect();
        if let Some(open) = self.label.sample() {
            let count = self.label.decided(&self.book.decisions);
            let mine = (count > 0).then(|| (self.book.annotator.clone(), count));
            match lines.iter_mut().find(|line| line.name == open.name) {
                Some(line) => {
                    line.decided.retain(|(annotator, _)| *annotator != self.book.annotator);
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
            line.opens = line.name == self.sample;
            // What others found so far must not guide those who have still to decide.
            if data.recipe.labels.blind && line.left(&self.book.annotator) > 0 {
                line.so_far = None;
            }
        }
        lines
    }
}
