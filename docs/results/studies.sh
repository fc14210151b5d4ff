#!/bin/sh
# Plays all studies of these pages, each into a folder of its own, and prints the tables of house-rules.md.
#
#     docs/results/studies.sh DIR [SHO]
#
# SHO is the command, `sho` where it is not named. What is in DIR already is not played again. On two cores it takes about
# ten minutes.
set -eu

[ $# -ge 1 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2; }
dir=$1
sho=${2:-sho}
here=$(dirname "$0")
seed=20261130
mkdir -p "$dir"

# play NAME WORDS...: a study, unless its result is there.
play() {
    folder=$dir/$1
    shift
    [ -e "$folder/study.json" ] ||
        "$sho" study "$@" --seed "$seed" --out "$folder" --quiet > /dev/null
}

# both NAME WORDS...: many blocks of the quick bots, fewer of `hard`.
both() {
    both_name=$1
    shift
    play "$both_name" "$@" --bots random,easy --blocks 200000
    play "$both_name-hard" "$@" --bots hard --blocks 20000
}

tables() {
    python3 "$here/tables.py" "$@"
    echo
}

for rules in lhasa general; do
    case $rules in
        lhasa) bonus=none/2+3+12 ;;
        general) bonus=2+3 ;;
    esac
    for sides in 2 3; do
        name=$rules-$sides
        both "$name" --rules "$rules" --set "sides=$sides" --vary all,shells=32+48 --vary "opening-bonus=$bonus"
        printf '## `%s`, %s sides\n\n' "$rules" "$sides"
        tables base "$dir/$name" "$dir/$name-hard"
        tables effects "$dir/$name" "$dir/$name-hard"
    done
done

printf '## Who wins\n\n'
tables effects payoff_A "$dir/lhasa-3" "$dir/lhasa-3-hard"

printf '## The two Bhutanese rules\n\n'
for sides in 3 4; do
    name=bhutan-$sides
    both "$name" --rules general --set "sides=$sides" --vary left-over,alliance --design factorial
    tables effects "$dir/$name" "$dir/$name-hard"
done

printf '## Sholo Guti\n\n'
play guti --game sholo-guti --vary all --bots random,easy --blocks 20000 --metrics full
play guti-ab --game sholo-guti --vary takes --bots alphabeta:depth=2 --blocks 2000 --metrics full
for name in guti guti-ab; do
    tables cells turns,end_repetition,end_quiet,payoff_A,takes,long_runs,longest_run "$dir/$name"
done
