#!/bin/sh
# A bot in POSIX shell, to start from. It plays both games: it goes home or takes a piece where it can, and else does
# the first thing that is legal. The protocol is described in docs/bot-protocol.md.
#
#   sho check-bot 'sh examples/bots/first.sh'
#
# Lines come on standard input. The first word says what a line is.

set -f # A position may have `*` in it, which is not to be taken for the names of files.

while read -r word rest; do
    case $word in
    hello)
        # The program tells its version of the protocol; we tell ours, and our name.
        echo "hello sho-bot/1 first"
        ;;
    game)
        # `sho` or `sholo-guti`. A bot that plays only one of them would have answered the `hello` only here, with
        # `refuse` and a reason where the game is another one.
        ;;
    rules)
        # All settings as name=value, for those who need them.
        ;;
    start)
        # A new game: our seat, A to D, and a seed for bots that draw.
        ;;
    position)
        # Where the game stands, and it is our move. This bot does not look at it.
        ;;
    actions)
        # What is legal now, separated by spaces: $1, $2 and so on.
        set -- $rest
        choice=$1
        for action; do
            case $action in
            *'>home'* | *:*)
                choice=$action
                break
                ;;
            esac
        done
        # One answer to each `actions`, and nothing else on standard output. To say something to the person who runs
        # `sho check-bot`, write to standard error: echo "hm" >&2
        echo "action $choice"
        ;;
    bye)
        exit
        ;;
    esac
    # Other words may come with later versions, and mean nothing to us.
done
