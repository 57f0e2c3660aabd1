#!/usr/bin/env python3
"""An outside bot, to copy from: it plays at random, but takes to the floor only if it must.

    azul-ai tournament --player engine=greedy \
        --player 'engine=process,name=example,command="python3 benchmarks/example_bot.py"'

For each move one JSON line comes in on standard input, with the keys

- ``position``: the position as a one-line code, which ``azul-ai show`` draws;
- ``moves``: the legal moves, such as ``F3-B-2`` (display 3, blue, line 2);
- ``time``: the seconds it may think, or null;
- ``seed``: where all chance should come from, so that games repeat.

One line goes out on standard output, ``{"move": "F3-B-2"}``. Standard error is for notes:
its last line becomes the reason if the program ends early.
"""

import json
import random
import sys

for line in sys.stdin:
    question = json.loads(line)
    chance = random.Random(question["seed"])
    wanted = [move for move in question["moves"] if not move.endswith("-floor")]
    print(json.dumps({"move": chance.choice(wanted or question["moves"])}), flush=True)
