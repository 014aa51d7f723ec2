"""Ctrl+C interrupts long-running work."""

import signal
import subprocess
import sys
import time

import pytest

ENDLESS = {
    "count": "ninefold.count('.' * 81, limit=2**60)",
    "solve": "ninefold.solve('.' * 256, limit=2**60)",
    "generate": "ninefold.generate(10**7, seed=1)",
    "wish": "ninefold.generate(1, seed=1, clues=17, attempts=10**9)",
    "predict": "ninefold.predict('kaleidoscope', '55' + '.' * 79, iterations=2**30)",
    "rate": "ninefold.rate(ninefold.generate(10**5, seed=1).puzzles, 'se', threads=1)",
}


@pytest.mark.skipif(sys.platform == "win32", reason="there Ctrl+C reaches the whole console")
@pytest.mark.parametrize("work", ENDLESS.values(), ids=ENDLESS.keys())
def test_ctrl_c_interrupts_the_work(work):
    # Background jobs of a shell ignore Ctrl+C, and their children inherit that.
    heard = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{heard}\nimport ninefold\nprint('begun', flush=True)\ntry:\n  {work}\nexcept KeyboardInterrupt:\n  print('interrupted')"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.5)
    assert process.poll() is None, "the work has not ended by itself"
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate()
    assert said == "interrupted\n"
