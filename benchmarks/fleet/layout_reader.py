"""A process that reads documents as an engine process does, for `layouts`.

Of the service it imports only what each commit has since the engines exist. Each line of its input
is a number of documents to read; it answers each with the CPU seconds that they took.
"""

import sys
import time
from pathlib import Path

from acredita.engines.documents.process import read_pages, warm_up


def main() -> None:
    threads, *paths = sys.argv[1:]
    documents = [Path(path).read_bytes() for path in paths]
    warm_up(int(threads))
    for line in sys.stdin:
        before = time.process_time()
        for number in range(int(line)):
            read_pages(documents[number % len(documents)], "image/jpeg")
        print(time.process_time() - before, flush=True)


if __name__ == "__main__":
    main()
