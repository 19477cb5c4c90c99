"""nomenklatura's logic-v2 on the same queries; runs in an environment of its own.

Reads JSON from standard input: `entities` (id, schema, names) and `queries` (name, schema,
candidates). Writes the best score of each query's candidates, by id, and the CPU time.
"""

import json
import sys
import time
from typing import Any

from followthemoney import ValueEntity
from nomenklatura.matching import LogicV2, ScoringConfig


def proxy(identifier: str, schema: str, names: list[str]) -> Any:
    properties = {"name": names[:1], "alias": names[1:]}
    return ValueEntity.from_dict({"id": identifier, "schema": schema, "properties": properties})


def main() -> None:
    asked = json.load(sys.stdin)
    entities = {
        one["id"]: proxy(one["id"], one["schema"], one["names"]) for one in asked["entities"]
    }
    config = ScoringConfig.defaults()
    answers, taken = [], []
    for number, query in enumerate(asked["queries"]):
        # Analyses are remembered by id: each query needs one of its own.
        name = proxy(f"query-{number}", query["schema"], [query["name"]])
        started = time.process_time()
        scores = {
            candidate: LogicV2.compare(name, entities[candidate], config).score
            for candidate in query["candidates"]
        }
        taken.append(time.process_time() - started)
        answers.append(scores)
    json.dump({"scores": answers, "seconds": taken}, sys.stdout)


if __name__ == "__main__":
    main()
