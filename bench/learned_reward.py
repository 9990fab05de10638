"""How many of MiLDE's rewards one core reckons in a second; 10,000 were asked for.

    python bench/learned_reward.py

Answers are of the lengths that reasoners write: kept layers, edited ones with a prompt of about
twenty words, and answers that cannot be read. The last line is JSON.
"""

import json
import time
from random import Random

from overpaint.editors.agent.deciding import Decision, written
from overpaint.training.reward import Truth, rewards

WANTED, SECONDS = 10_000, 2.0
WORDS = ("change", "the", "words", "summer", "camp", "to", "winter", "and", "keep", "font", "place")


def answers(count: int, seed: int) -> tuple[list[str], list[Truth]]:
    """Answers and truths, some of each kind."""
    chance = Random(seed)
    said, truths = [], []
    for _ in range(count):
        edit, prompt = chance.random() < 0.5, " ".join(chance.choices(WORDS, k=20))
        reply = written(Decision("1", edit, prompt, "The request is about these words."))
        said.append(reply if chance.random() < 0.9 else reply[: chance.randrange(len(reply))])
        must = chance.random() < 0.4
        truths.append(Truth(must, " ".join(chance.choices(WORDS, k=20)) if must else ""))
    return said, truths


def rate(batch: int) -> float:
    """Rewards in a second of processor time, so many at once."""
    said, truths = answers(batch, seed=batch)
    rewards(said, truths)
    started, done = time.process_time(), 0
    while time.process_time() - started < SECONDS:
        rewards(said, truths)
        done += batch
    return done / (time.process_time() - started)


def main() -> None:
    """Print the table."""
    found = {batch: rate(batch) for batch in (1, 5, 40, 512, 2560)}
    print("answers at once   rewards a second")
    for batch, speed in found.items():
        print(f"{batch:15,}   {speed:16,.0f}")
    print(
        json.dumps({"wanted": WANTED, "rewards_a_second": {k: round(v) for k, v in found.items()}})
    )


if __name__ == "__main__":
    main()
