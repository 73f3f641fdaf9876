//! `dejaview match`: one of many workers that search the target, each its share of the files.

use std::io::{IsTerminal, Read};
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};

use super::output::{Misuse, Output, print_error};
use super::work::thread_count;
use dejaview_base::{lines, own_folder};
use dejaview_report::runs::MatchedFileRow;
use dejaview_study::{Kit, Worker, join_rows};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview match study.kit --parts parts < files.txt")]
pub struct Args {
    /// The kit that `dejaview run STUDY --prepare` wrote
    pub kit: PathBuf,
    /// Files to search, as the study names them, or their paths. Where none are named, names are read from standard input,
    /// one a line
    pub files: Vec<String>,
    /// Folder for what is found, the same for all workers. A file that was searched before is not searched again
    #[arg(long, value_name = "FOLDER", required_unless_present_any = ["list", "join"])]
    pub parts: Option<PathBuf>,
    /// Threads to use; all cores by default. The result does not depend on it
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Join sorted rows of sketches from standard input, each after its length in four bytes, and print what they tell: for
    /// tasks of a cluster
    #[arg(long, conflicts_with_all = ["list", "files", "give_up"])]
    pub join: bool,
    /// Search one file that the study names by an address, and take its bytes from standard input
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["list", "files", "give_up", "join"])]
    pub stream: Option<String>,
    /// Print the files that the kit is for, and search none
    #[arg(long)]
    pub list: bool,
    /// Do not read these files, and list them as given up for this reason: workers did not survive them
    #[arg(long, value_name = "REASON", conflicts_with = "list")]
    pub give_up: Option<String>,
}

pub fn match_files(args: &Args, output: &mut Output) -> Result<()> {
    let kit = Kit::read(&args.kit)?;
    if args.join {
        let rows = std::io::BufReader::new(std::io::stdin().lock());
        return join_rows(&kit, rows, std::io::stdout().lock()).context("joining rows of sketches");
    }
    let Some(parts) = args.parts.as_ref().filter(|_| !args.list) else {
        return kit.files().iter().try_for_each(|file| output.line(file.name()));
    };
    // A run keeps parts of its own beside its results; labels and samples are no place for any.
    if !parts.components().any(|part| part.as_os_str() == own_folder::NAME) {
        dejaview_study::must_be_no_own_file(parts)?;
    }
    let worker = Worker::new(&kit, parts, thread_count(args.threads));
    let files = match &args.stream {
        Some(address) => vec![address.clone()],
        None if args.files.is_empty() => names_from_input()?,
        None => args.files.clone(),
    };
    output.header::<MatchedFileRow>()?;
    let (mut failed, done) = (0, kit.stage().done());
    for file in &files {
        let searched = match &args.give_up {
            Some(why) => worker.give_up(file, why),
            None if args.stream.is_some() => worker.search_streamed(file),
            None => worker.search(file),
        };
        match searched {
            Ok(searched) => output.record(&MatchedFileRow(searched))?,
            // One file costs itself, not the others.
            Err(why) => {
                failed += 1;
                print_error(&anyhow::Error::from(why).context(format!("{file} was not {done}")));
            }
        }
    }
    if failed > 0 {
        bail!(
            "{failed} of {} files were not {done}; the others are done, and the same command tries these again",
            files.len()
        );
    }
    Ok(())
}

/// The names on standard input, one a line.
fn names_from_input() -> Result<Vec<String>> {
    let input = std::io::stdin();
    if input.is_terminal() {
        return Err(Misuse("name files, or pass their names on standard input, one a line".to_owned()).into());
    }
    let mut bytes = Vec::new();
    let read = input.lock().read_to_end(&mut bytes).map_err(anyhow::Error::from);
    read.and_then(|_| names(&bytes)).context("reading the names of files from standard input")
}

fn names(list: &[u8]) -> Result<Vec<String>> {
    let text = lines::exact_text(list).map_err(|why| anyhow!("line {}: {}", why.line, why.fault))?;
    Ok(text.lines().map(str::trim_end).filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_no_part_of_the_first_name() {
        assert_eq!(names("\u{feff}new/a.warc\r\n\nnew/b.warc\n".as_bytes()).unwrap(), ["new/a.warc", "new/b.warc"]);
        assert!(names(b"\xff\xfea\0").unwrap_err().to_string().contains("save it as UTF-8"));
    }
}
