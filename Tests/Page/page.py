#!/usr/bin/env python3
"""Shows the page of real nodes to a real browser. `Tests/Page/run` installs what this needs, and starts it.

    Tests/Page/run                        every check and story
    Tests/Page/run --only gallery         the stories whose name has the word
    Tests/Page/run --develop              three nodes with the page from its source files, until Ctrl-C
    Tests/Page/run --pictures DIR         the pictures of the documents
    Tests/Page/run --develop --month      the same, after a month of three people
"""

import argparse
import contextlib
import os
import pathlib
import shutil
import signal
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Page"))


@contextlib.contextmanager
def fresh(moot):
    from harness.nodes import connected_nodes

    folder = pathlib.Path(tempfile.mkdtemp(prefix="moot-page-"))
    nodes = connected_nodes(moot, folder)
    try:
        yield nodes, {}
    finally:
        for node in nodes:
            node.stop()
        shutil.rmtree(folder, ignore_errors=True)


def develop(moot, after_month):
    from harness.develop import PageServer
    from harness.pictures import month

    with (month if after_month else fresh)(moot) as (nodes, conversations):
        for node in nodes:
            print(f"{node.name}: {PageServer(node).address}/    --home {node.home}", flush=True)
        for name, conversation in conversations.items():
            print(f"{name}: #/conversation/{conversation}", flush=True)
        print("Ctrl-C ends it", flush=True)
        signal.sigwait({signal.SIGINT, signal.SIGTERM})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moot", type=pathlib.Path, default=ROOT / ".build/debug/moot", help="the program whose page is shown")
    parser.add_argument("--only", action="append", default=[], metavar="WORD", help="only stories whose name has it; may be given again")
    parser.add_argument("--develop", action="store_true", help="run no story, but show the page from its source files")
    parser.add_argument("--month", action="store_true", help="with --develop: after a month of three people")
    parser.add_argument("--pictures", type=pathlib.Path, metavar="DIR", help="take the pictures of the documents, and run no story")
    parser.add_argument("--source", action="store_true", help="show the page from its source files; stories of letting in fail then")
    parser.add_argument("--worlds", type=int, default=2, metavar="N", help="run so many stories at a time (%(default)s)")
    parser.add_argument("--headed", action="store_true", help="show the browser")
    arguments = parser.parse_args()
    moot = arguments.moot.resolve()
    if arguments.develop:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
        develop(moot, arguments.month)
        return 0
    if arguments.pictures:
        from harness.pictures import take

        take(moot, arguments.pictures, arguments.source)
        return 0
    import stories  # noqa: F401
    from harness.runner import run

    artifacts = pathlib.Path(os.environ.get("MOOT_PAGE_ARTIFACTS") or ROOT / ".build/page/artifacts")
    passed, failed = run(moot, artifacts, arguments.only, arguments.headed, arguments.source, arguments.worlds)
    print(f"the pictures are in {artifacts}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
