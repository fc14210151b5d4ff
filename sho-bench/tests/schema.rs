//! The JSON Schemas in `docs/schema` say what the program writes: real documents are valid by them, and the settings have
//! the same values. The schemas allow no key that they do not name.

use std::collections::BTreeSet;

use jsonschema::Validator;
use serde::Serialize;
use serde_json::Value;
use sho_ai::Bots;
use sho_bench::analysis::{Analysed, Analysis, SearchOptions};
use sho_bench::folder::{Plan, StudyPlan};
use sho_bench::rollout::{Rollout, RolloutResult, roll_out, roll_out_actions};
use sho_bench::stats::sprt::Bounds;
use sho_bench::study::{Design, Study, StudyResult, run_study};
use sho_bench::{
    Amount, Experiment, Lineups, MetricsTier, Schedule, SequentialTest, TournamentGame,
    TournamentResult, record_of, run,
};
use sho_core::{ActionList, RuleSet, SettingValues, Step, sho, sholo_guti};

fn schema(name: &str) -> Value {
    let path = format!("{}/../docs/schema/{name}-1.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The keys of an object.
fn keys(object: &Value) -> BTreeSet<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

/// The strings of an array.
fn words(array: &Value) -> BTreeSet<&str> {
    array.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect()
}

/// The schema of an object names exactly its keys, and asks for each.
#[track_caller]
fn names_the_keys(schema: &Value, object: &Value) {
    assert_eq!(keys(&schema["properties"]), keys(object));
    assert_eq!(words(&schema["required"]), keys(object));
    assert_eq!(schema["additionalProperties"], false);
}

fn rules_agree<R: RuleSet + Serialize>(schema: &Value, rules: R) {
    names_the_keys(schema, &serde_json::to_value(rules).unwrap());
    for setting in R::SETTINGS {
        let said = &schema["properties"][setting.name];
        match setting.values {
            SettingValues::Words(possible) => {
                assert_eq!(words(&said["enum"]), possible.iter().copied().collect());
            }
            SettingValues::YesNo => assert_eq!(words(&said["enum"]), BTreeSet::from(["no", "yes"])),
            SettingValues::Range(low, high) => {
                assert_eq!((&said["minimum"], &said["maximum"]), (&low.into(), &high.into()));
            }
            _ => assert_eq!(said["type"], "array", "{}", setting.name),
        }
    }
}

/// A document is what its schema says.
#[track_caller]
fn is_valid(schema: &Value, document: &Value) {
    let validator: Validator = jsonschema::draft202012::new(schema).unwrap();
    let complaints: Vec<String> = validator
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(complaints.is_empty(), "{}\n{document}", complaints.join("\n"));
    // It has a schema's word on every key: one that it does not name is refused.
    let mut more = document.clone();
    more["no-such-key"] = true.into();
    assert!(!validator.is_valid(&more));
}

/// Experiments whose results have everything in them that a result may have.
fn experiments<G: Bots>(rules: G::Rules) -> Vec<Experiment<G::Rules>> {
    let (sides, bots) = (rules.sides(), ["easy", "random"].map(String::from));
    let pool = |lineups, schedule, blocks| {
        Experiment::pool::<G>(rules, &bots, lineups, schedule, 1, Amount::Blocks(blocks)).unwrap()
    };
    let mut experiments = vec![
        pool(Lineups::Gauntlet, Schedule::Rotations, 40),
        // Not enough blocks for any error.
        pool(Lineups::Gauntlet, Schedule::Permutations, 1),
    ];
    let mut lineup = vec!["random".to_owned(); sides];
    let mut given = |first: &str, blocks| {
        lineup[0] = first.to_owned();
        let (fixed, amount) = (Schedule::Fixed, Amount::Blocks(blocks));
        Experiment::pool::<G>(rules, &lineup, Lineups::Given, fixed, 1, amount).unwrap()
    };
    experiments.push(given("random", 3));
    if G::BOTS.iter().any(|bot| bot.name == "hard") {
        experiments.push(given("hard", 3));
    }
    let mut full = given("easy", 10);
    full.metrics = MetricsTier::Full;
    experiments.push(full);
    let mut tested = given("easy", 1000);
    for bounds in
        [Bounds::Logistic { low: 0.0, high: 50.0 }, Bounds::Normalized { low: 0.0, high: 0.001 }]
    {
        tested.sprt = Some(SequentialTest { bounds, alpha: 0.05, beta: 0.05 });
        experiments.push(tested.clone());
    }
    experiments
}

fn check<G: TournamentGame + Analysed>(rules: G::Rules) {
    check_analysis::<G>(rules);
    let (record_schema, plan_schema) = (schema("record"), schema("experiment"));
    let schema = schema("tournament");
    for schema in [&record_schema, &plan_schema, &schema] {
        rules_agree(&schema["$defs"][format!("rules-{}", G::NAME)], rules);
    }
    for experiment in experiments::<G>(rules) {
        let tally = run::<G>(&experiment, 1, &()).unwrap().tally;
        let result = TournamentResult::new::<G>(&experiment, &tally);
        is_valid(&schema, &serde_json::to_value(&result).unwrap());

        let plan = Plan::new::<G>(&experiment, Amount::Games(1), 1).unwrap();
        is_valid(&plan_schema, &serde_json::to_value(&plan).unwrap());
        let plan = plan.keeping(Some("games.jsonl".to_owned()), Some("rows.csv".to_owned()));
        is_valid(&plan_schema, &serde_json::to_value(plan.unwrap()).unwrap());

        let record = record_of::<G>(&experiment, "0.0.0".parse().unwrap()).unwrap();
        is_valid(&record_schema, &serde_json::to_value(&record).unwrap());
    }
}

/// Positions of a game in which dice are due and in which an action is, with games and without.
fn check_analysis<G: TournamentGame + Analysed>(rules: G::Rules) {
    let (rollouts, analyses) = (schema("rollout"), schema("analysis"));
    for schema in [&rollouts, &analyses] {
        rules_agree(&schema["$defs"][format!("rules-{}", G::NAME)], rules);
    }
    let game = G::new(rules).unwrap();
    let (mut state, mut actions) = (game.start(), G::Actions::default());
    let search = SearchOptions { depth: 1, weights: None };
    for step in 0..40 {
        for (bot, games) in [("random", 1), ("random", 5)] {
            let rollout = Rollout::new(&game, &[bot.to_owned()], step, games).unwrap();
            let tally = roll_out(&game, &state, &rollout, 1, &()).unwrap();
            let result = RolloutResult::new(&game, &state, &rollout, &tally).unwrap();
            is_valid(&rollouts, &serde_json::to_value(&result).unwrap());
            game.actions(&state, &mut actions);
            let tally = if actions.is_empty() {
                tally
            } else {
                roll_out_actions(&game, &state, &rollout, 1, &()).unwrap()
            };
            for rolled_out in [None, Some((&rollout, &tally))] {
                let analysis = Analysis::new(&game, &state, &search, rolled_out).unwrap();
                is_valid(&analyses, &serde_json::to_value(&analysis).unwrap());
            }
        }
        if let Step::Chance(_) = game.step(&state) {
            let outcome = game.outcomes(&state).nth(step as usize % 21).unwrap().0;
            game.cast(&mut state, outcome).unwrap();
        } else {
            game.play(&mut state, actions.get(step as usize % actions.len())).unwrap();
        }
    }
}

/// Studies whose results have everything in them that a result may have.
fn studies<G: TournamentGame>(rules: G::Rules) {
    let (schema, plan_schema) = (schema("study"), schema("study-plan"));
    for schema in [&schema, &plan_schema] {
        rules_agree(&schema["$defs"][format!("rules-{}", G::NAME)], rules);
    }
    let bots = ["easy", "random"].map(str::to_owned);
    for (blocks, metrics, design, vary) in [
        (30, MetricsTier::Basic, Design::OneAtATime, "all"),
        (1, MetricsTier::Full, Design::OneAtATime, "all"),
        (30, MetricsTier::Full, Design::Factorial, FACTORIAL[usize::from(!G::HAS_CHANCE)]),
    ] {
        let mut study =
            Study::new::<G>(rules, &[vary.to_owned()], design, &bots, 1, blocks).unwrap();
        study.metrics = metrics;
        let tally = run_study::<G>(&study, 2, &()).unwrap().tally;
        let result = StudyResult::new::<G>(&study, &tally);
        is_valid(&schema, &serde_json::to_value(&result).unwrap());
        let plan = StudyPlan::new::<G>(&study, 1).unwrap();
        is_valid(&plan_schema, &serde_json::to_value(&plan).unwrap());
    }
}

/// Two settings of two values, of each game.
const FACTORIAL: [&str; 2] = ["join-throws,kill", "all"];

#[test]
fn studies_are_what_their_schemas_say() {
    let mut rules = sho::Rules::lhasa();
    rules.sides = 2;
    studies::<sho::Sho>(rules);
    studies::<sholo_guti::SholoGuti>(sholo_guti::Rules::standard());
}

#[test]
fn documents_are_what_their_schemas_say() {
    for sides in [2, 3, 4] {
        let mut rules = sho::Rules::lhasa();
        rules.sides = sides;
        check::<sho::Sho>(rules);
    }
    check::<sholo_guti::SholoGuti>(sholo_guti::Rules::standard());
}

#[test]
fn a_tuning_is_what_its_schema_says() {
    let schema = schema("tune");
    let mut tune = sho_bench::tune::Tune::new(sho::Rules::lhasa(), "hard", 1).unwrap();
    (tune.fit_blocks, tune.generations, tune.candidates) = (100, 2, 4);
    (tune.blocks, tune.choice_blocks, tune.measure_blocks) = (2, 8, 8);
    tune.proof_blocks = 64;
    let mut tuner = sho_bench::tune::Tuner::new(tune).unwrap();
    while tuner.stage().is_some() {
        tuner.step(2, &()).unwrap();
    }
    let result = sho_bench::tune::TuneResult::new(tuner.tune(), tuner.state()).unwrap();
    let document = serde_json::to_value(&result).unwrap();
    is_valid(&schema, &document);
    names_the_keys(&schema, &document);
    names_the_keys(&schema["$defs"]["tune"], &document["tune"]);
}
