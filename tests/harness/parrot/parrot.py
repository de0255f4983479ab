"""A command-line agent for tests: runs the Python that its model says, tells it what came of it, until "Done."."""

import contextlib
import io
import json
import sys
import traceback
import urllib.error
import urllib.request
from pathlib import Path

ADDRESS, MODEL, TASK = sys.argv[1:]


def ask(body: object, path: str = "/chat/completions", method: str = "POST") -> tuple[int, str]:
    """(status, text) of any request to the model's address."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(
        ADDRESS + path, data, {"Content-Type": "application/json"}, method=method
    )
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def say(*words: str) -> tuple[int, str]:
    """(status, text) of a small request beside the conversation."""
    return ask({"model": MODEL, "messages": [{"role": "user", "content": " ".join(words)}]})


messages = [{"role": "system", "content": "Say Python."}, {"role": "user", "content": Path(TASK).read_text()}]
while True:
    status, text = ask({"model": MODEL, "messages": messages})
    if status != 200:
        sys.exit(f"{status} {text}")
    said = json.loads(text)["choices"][0]["message"]["content"]
    messages.append({"role": "assistant", "content": said})
    if said == "Done.":
        break
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            exec(said)
        except Exception:
            traceback.print_exc(file=output)
    messages.append({"role": "user", "content": output.getvalue()})
