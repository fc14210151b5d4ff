//! Games that are played again, and what they come to.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::differences::count_differences;
use super::files::{Lines, read};
use super::subject::{Subject, TotalsOf};
use super::{Audience, Case, Faults, counted, range};
use crate::checks::{CheckLine, Checked};
use crate::chunks::CHUNK;
use crate::experiment::{Blocks, TournamentGame};
use crate::folder::{Folder, FolderError, ROWS};
use crate::tournament::{self, Keep};

/// How many ranges of blocks are given to the threads at a time: it bounds the memory that their list takes.
const AT_A_TIME: usize = 1 << 16;

/// The blocks that are played before they are compared, where no lines say which were.
const GROUP: u64 = 64;

/// Blocks that are played again, and what is known of them.
#[derive(Clone, Debug)]
struct Group<S> {
    shard: u64,
    blocks: Blocks,
    line: Option<CheckLine<S>>,
}

/// What came out of groups that were played again.
#[derive(Clone, Debug, Default)]
struct Again {
    groups: u64,
    differ: u64,
    rows: Faults,
    faults: Faults,
}

impl<G: TournamentGame, W: Subject<G>, A: Audience> Case<'_, G, W, A> {
    /// Plays the groups that hold `chosen` blocks again, or all blocks.
    pub(super) fn check_games(
        &mut self,
        shards: Vec<Lines<TotalsOf<G, W>>>,
        chosen: Option<&BTreeSet<u64>>,
    ) -> Result<(), FolderError> {
        if self.played.is_empty() {
            self.pass_over("games", "no blocks were played");
            return Ok(());
        }
        if !W::is_deterministic(&self.made) {
            self.pass_over(
                "games",
                "not played again: programs that take part may choose otherwise; see the records",
            );
            return Ok(());
        }
        match chosen {
            Some(chosen) => self.play_sample(shards, chosen),
            None => self.play_all(shards),
        }
    }

    fn play_sample(
        &mut self,
        shards: Vec<Lines<TotalsOf<G, W>>>,
        chosen: &BTreeSet<u64>,
    ) -> Result<(), FolderError> {
        let (mut groups, mut all, mut covered) = (Vec::new(), 0, 0);
        for Lines { shard, lines, .. } in shards {
            all += lines.len();
            for line in lines {
                let held = chosen.range(line.blocks.range()).count();
                covered += held;
                if held > 0 {
                    groups.push(Group { shard, blocks: line.blocks, line: Some(line) });
                }
            }
        }
        let mut again = Again::default();
        let blocks: u64 = groups.iter().map(|group| group.blocks.len()).sum();
        self.audience.expect(W::games_a_block(&self.made) * blocks);
        let wanted = groups.len();
        self.play_groups(&groups, &mut again, |_, _| {})?;
        let mut remark = format!(
            "{} of {}, with {} drawn, played again: {}",
            again.groups,
            counted(all as u64, "group"),
            counted(chosen.len() as u64, "block"),
            same_or_not(&again)
        );
        if again.groups < wanted as u64 {
            remark += &format!("; stopped before {} more", wanted as u64 - again.groups);
        }
        if covered < chosen.len() {
            let bare = (chosen.len() - covered) as u64;
            again.faults.add(format!("{} drawn that no line has", counted(bare, "block")));
        }
        self.judge_games(remark, again);
        Ok(())
    }

    fn play_all(&mut self, shards: Vec<Lines<TotalsOf<G, W>>>) -> Result<(), FolderError> {
        let blocks: u64 = self.played.iter().map(|(_, blocks)| blocks.len()).sum();
        self.audience.expect(W::games_a_block(&self.made) * blocks);
        let mut again = Again::default();
        let mut done = 0;
        for (&(shard, blocks), lines) in self.played.clone().iter().zip(shards) {
            let groups: Vec<Group<_>> = if lines.cover {
                let group =
                    |line: CheckLine<_>| Group { shard, blocks: line.blocks, line: Some(line) };
                lines.lines.into_iter().map(group).collect()
            } else {
                let group = |blocks| Group { shard, blocks, line: None };
                let savings = self.savings(shard, blocks)?;
                savings.into_iter().flat_map(|saving| pieces(saving, GROUP)).map(group).collect()
            };
            let mut all = W::nothing(&self.made);
            self.play_groups(&groups, &mut again, |_, tally| W::merge(&mut all, tally))?;
            done += all.blocks();
            if self.stopped {
                break;
            }
            let wrong = count_differences(&self.part(shard)?, &all);
            let wrong =
                wrong.each(|fault| format!("shard {shard}: the part has {fault} as played again"));
            again.faults.append(wrong);
        }
        let what = if again.faults.count == 0 { "the same counts" } else { "other counts" };
        let mut remark = format!("{done} of {} played again: {what}", counted(blocks, "block"));
        if self.stopped {
            remark += "; stopped before the rest";
        }
        self.judge_games(remark, again);
        Ok(())
    }

    /// The counted blocks of a shard as the files of rows cut them.
    fn savings(&self, shard: u64, blocks: Blocks) -> Result<Vec<Blocks>, FolderError> {
        let files = self.folder.kept_of_shard(shard, blocks, ROWS)?;
        let savings: Vec<Blocks> = files.into_iter().map(|(blocks, _)| blocks).collect();
        let whole = savings.first().is_some_and(|first| first.from == blocks.from);
        Ok(if whole { savings } else { vec![blocks] })
    }

    fn judge_games(&mut self, remark: String, again: Again) {
        let mut faults = again.faults;
        faults.append(again.rows);
        self.judge("games", remark, faults);
    }

    /// Plays groups again, compares each with its line and its rows, and shows its counts to `seen`.
    fn play_groups(
        &mut self,
        groups: &[Group<TotalsOf<G, W>>],
        again: &mut Again,
        mut seen: impl FnMut(&Group<TotalsOf<G, W>>, &W::Tally) + Send,
    ) -> Result<(), FolderError> {
        let keep = Keep { records: false, rows: self.plan.keep().rows };
        let mut rows = KeptRows::default();
        let mut pieces_of =
            groups.iter().flat_map(|group| pieces(group.blocks, *CHUNK.end())).peekable();
        let mut left = groups.iter();
        let mut group = left.next();
        let mut tally = W::nothing(&self.made);
        let mut text = String::new();
        while pieces_of.peek().is_some() && !self.stopped {
            let ranges: Vec<Blocks> = pieces_of.by_ref().take(AT_A_TIME).collect();
            let (made, audience) = (&self.made, self.audience);
            let (folder, played) = (self.folder, &self.played);
            let games = W::games_a_block(made);
            let (mut failed, mut taken) = (Ok(()), 0);
            let take = |(more, lines): (W::Tally, tournament::Lines)| {
                taken += 1;
                audience.advance(games * more.blocks());
                W::merge(&mut tally, &more);
                text += &lines.rows;
                if let Some(now) = group
                    && tally.blocks() == now.blocks.len()
                {
                    again.compare::<G, W>(now, &tally, made);
                    if keep.rows {
                        match rows.of(folder, played, (now.shard, now.blocks)) {
                            Ok(kept) if kept == text => {}
                            Ok(_) => again.rows.add(format!(
                                "shard {}: the rows of {} are not as played again",
                                now.shard,
                                range(now.blocks)
                            )),
                            Err(error) => {
                                failed = Err(error);
                                return ControlFlow::Break(());
                            }
                        }
                    }
                    seen(now, &tally);
                    tally = W::nothing(made);
                    text.clear();
                    group = left.next();
                }
                ControlFlow::Continue(())
            };
            let stop = || audience.stop();
            W::play_again(made, &ranges, keep, self.threads, stop, take)?;
            failed?;
            self.stopped = taken < ranges.len();
        }
        Ok(())
    }
}

impl Again {
    fn compare<G: TournamentGame, W: Subject<G>>(
        &mut self,
        group: &Group<TotalsOf<G, W>>,
        tally: &W::Tally,
        made: &W::Made,
    ) {
        self.groups += 1;
        let Some(line) = &group.line else { return };
        let found = CheckLine::new(line.blocks, tally);
        if found == *line {
            return;
        }
        self.differ += 1;
        let differences = W::total_differences(made, &line.totals, &found.totals);
        let mut numbers: Vec<String> = differences.iter().map(ToString::to_string).collect();
        if numbers.is_empty() {
            let (here, there) = (line.fingerprint, found.fingerprint);
            numbers.push(format!("the same totals and the fingerprint {here}, not {there},"));
        }
        let (shard, blocks) = (group.shard, range(line.blocks));
        self.faults.add(format!(
            "shard {shard}, {blocks}: the line has {} as played again",
            numbers.join("; ")
        ));
    }
}

fn same_or_not(again: &Again) -> String {
    match again.differ {
        0 => "the same counts".to_owned(),
        differ => format!("other counts in {}", counted(differ, "group")),
    }
}

/// Blocks in ranges of at most `size`.
fn pieces(blocks: Blocks, size: u64) -> impl Iterator<Item = Blocks> {
    let pieces = blocks.len().div_ceil(size);
    (0..pieces).map(move |piece| {
        let from = blocks.from + piece * size;
        Blocks { from, to: blocks.to.min(from + size) }
    })
}

/// Reads the rows of groups that are asked for in order, each file once.
#[derive(Debug, Default)]
struct KeptRows {
    /// The shard, and the blocks of its file that was read last.
    at: Option<(u64, Blocks)>,
    text: String,
    /// What of the text was looked at, and up to which block.
    read: usize,
    upto: u64,
}

impl KeptRows {
    /// The rows of a group, which is never in two files. Rows of other blocks than those between two groups that are asked
    /// for belong to the later group, and rows behind the last block of a file to its last group: so none is passed over.
    fn of(
        &mut self,
        folder: &Folder,
        played: &[(u64, Blocks)],
        (shard, group): (u64, Blocks),
    ) -> Result<&str, FolderError> {
        let holds = |blocks: Blocks| blocks.range().contains(&group.from);
        if self.at.is_none_or(|(of, blocks)| of != shard || !holds(blocks)) {
            *self = Self::default();
            let counted = played.iter().find(|(of, _)| *of == shard);
            let counted = counted.map_or(group, |&(_, blocks)| blocks);
            let files = folder.kept_of_shard(shard, counted, ROWS)?;
            let Some((blocks, file)) = files.into_iter().find(|&(blocks, _)| holds(blocks)) else {
                return Ok("");
            };
            self.text = read(&file)?;
            self.at = Some((shard, blocks));
            self.upto = blocks.from;
        }
        let of_block = |line: &str, blocks: std::ops::Range<u64>| {
            let block = line.split(',').next().and_then(|block| block.parse().ok());
            block.is_some_and(|block| blocks.contains(&block))
        };
        let mut rest = self.text[self.read..].split_inclusive('\n').peekable();
        while let Some(line) = rest.next_if(|line| of_block(line, self.upto..group.from)) {
            self.read += line.len();
        }
        let start = self.read;
        if self.at.is_some_and(|(_, blocks)| blocks.to == group.to) {
            self.read = self.text.len();
        } else {
            while let Some(line) = rest.next_if(|line| of_block(line, group.range())) {
                self.read += line.len();
            }
        }
        self.upto = group.to;
        Ok(&self.text[start..self.read])
    }
}
