//! The records that are kept of the games: played through step by step, and counted again.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::PathBuf;

use super::differences::count_differences;
use super::files::read;
use super::recount::{Recount, Recounted};
use super::{Audience, Case, Faults, counted, range};
use crate::experiment::{Blocks, TournamentGame};
use crate::folder::{FolderError, Plan, RECORDS, ROWS};
use crate::in_order::in_order;
use crate::tally::Tally;
use crate::tournament::RunError;

/// The records of some blocks of a shard.
#[derive(Clone, Debug)]
struct Saving {
    shard: u64,
    blocks: Blocks,
    records: PathBuf,
    rows: Option<PathBuf>,
}

/// What came out of a saving.
#[derive(Debug)]
struct Counted {
    recounted: Recounted,
    /// Whether the rows that were kept are those of the records.
    rows: bool,
}

impl<G: TournamentGame, A: Audience> Case<'_, G, Plan<G::Rules>, A> {
    /// Counts all records again. In `chosen` blocks, or in all, the bots of this program choose again too.
    pub(super) fn check_records(
        &mut self,
        chosen: Option<&BTreeSet<u64>>,
    ) -> Result<(), FolderError> {
        if self.plan.records.is_none() || self.played.is_empty() {
            let why = match &self.plan.records {
                None => "none were kept",
                Some(_) => "no blocks were played",
            };
            self.pass_over("games on record", why);
            return Ok(());
        }
        if self.stopped {
            self.pass_over("games on record", "stopped before");
            return Ok(());
        }
        let mut faults = Faults::default();
        let mut savings = Vec::new();
        for (shard, counted) in self.played.clone() {
            let of_shard = self.savings_on_record(shard, counted)?;
            let first = of_shard.first().map_or(counted.to, |saving| saving.blocks.from);
            if first > counted.from {
                let gap = Blocks { from: counted.from, to: first };
                faults.add(format!("shard {shard}: no file has the records of {}", range(gap)));
            }
            savings.extend(of_shard);
        }
        let blocks: u64 = savings.iter().map(|saving| saving.blocks.len()).sum();
        let games_a_block = self.made.games_a_block();
        self.audience.expect(games_a_block * blocks);
        let (experiment, audience) = (&self.made, self.audience);
        let asks = |block: u64| chosen.is_none_or(|chosen| chosen.contains(&block));
        let seen = |blocks: u64| audience.advance(games_a_block * blocks);
        let count = |recount: &mut Recount<'_, G>, index: u64| {
            let saving = &savings[index as usize];
            Ok(recounted(recount, saving, &asks, &seen))
        };
        let mut all = Sums::new(Tally::new::<G>(experiment));
        let (mut shards, mut failed, mut done) = (Vec::new(), None, 0);
        let take = |counted: Result<Counted, FolderError>| {
            let Counted { recounted, rows } = match counted {
                Ok(counted) => counted,
                Err(error) => {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
            };
            let saving: &Saving = &savings[done];
            done += 1;
            if !rows {
                let blocks = range(saving.blocks);
                all.faults.add(format!("the rows of {blocks} are not those of their records"));
            }
            all.add(saving, recounted);
            let is_last = savings.get(done).is_none_or(|next| next.shard != saving.shard);
            if is_last {
                let nothing = Tally::new::<G>(experiment);
                let tally = std::mem::replace(&mut all.tally, nothing);
                // Where a record is missing or wrong, counts without it say nothing more.
                if !std::mem::take(&mut all.broken) {
                    shards.push((saving.shard, tally));
                }
            }
            ControlFlow::Continue(())
        };
        let worker = || Recount::<G>::new(experiment);
        let stop = || audience.stop();
        in_order::<_, _, RunError>(self.threads, savings.len() as u64, worker, count, stop, take)?;
        if let Some(error) = failed {
            return Err(error);
        }
        let Sums { faults: wrong, games, choices, .. } = all;
        faults.append(wrong);
        self.stopped = done < savings.len();
        for (shard, tally) in shards {
            let wrong = count_differences(&self.part(shard)?, &tally);
            faults.append(
                wrong.each(|fault| format!("shard {shard}: the part has {fault} as its records")),
            );
        }
        let mut remark = format!("{} followed step by step", counted(games, "game"));
        if choices > 0 {
            remark +=
                &format!(", {} of this program's bots made again", counted(choices, "choice"));
        }
        if self.stopped {
            remark +=
                &format!("; stopped before {}", counted((savings.len() - done) as u64, "file"));
        } else if faults.count == 0 {
            remark += ": the same counts";
        }
        self.judge("games on record", remark, faults);
        Ok(())
    }

    fn savings_on_record(&self, shard: u64, counted: Blocks) -> Result<Vec<Saving>, FolderError> {
        let rows = self.folder.kept_of_shard(shard, counted, ROWS)?;
        let wanted = self.plan.rows.is_some();
        let saving = |(blocks, records)| {
            let rows = rows.iter().find(|(of, _)| *of == blocks).map(|(_, file)| file.clone());
            // A file that is not there has no rows.
            let rows = wanted.then(|| rows.unwrap_or_default());
            Saving { shard, blocks, records, rows }
        };
        let records = self.folder.kept_of_shard(shard, counted, RECORDS)?;
        Ok(records.into_iter().map(saving).collect())
    }
}

/// What the records of a saving come to.
fn recounted<G: TournamentGame>(
    recount: &mut Recount<'_, G>,
    saving: &Saving,
    asks: &dyn Fn(u64) -> bool,
    seen: &dyn Fn(u64),
) -> Result<Counted, FolderError> {
    let recounted = recount.blocks(saving.blocks, &read(&saving.records)?, asks, seen);
    let rows = match &saving.rows {
        // The rows of records that are wrong are not known.
        Some(file) if recounted.faults.count == 0 => {
            !file.as_os_str().is_empty() && read(file)? == recounted.rows
        }
        _ => true,
    };
    Ok(Counted { recounted, rows })
}

/// What savings come to together.
struct Sums {
    /// Of the shard in work.
    tally: Tally,
    /// Whether records of the shard in work are wrong.
    broken: bool,
    games: u64,
    choices: u64,
    faults: Faults,
}

impl Sums {
    fn new(tally: Tally) -> Self {
        Self { tally, broken: false, games: 0, choices: 0, faults: Faults::default() }
    }

    fn add(&mut self, saving: &Saving, recounted: Recounted) {
        let Recounted { tally, games, choices, faults, .. } = recounted;
        self.games += games;
        self.choices += choices;
        self.tally.merge(&tally);
        self.broken |= faults.count > 0;
        let blocks = range(saving.blocks);
        self.faults.append(faults.each(|fault| format!("{blocks}, {fault}")));
    }
}
