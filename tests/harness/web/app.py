"""A shop: an API, a page, a Socket.IO server at port 5000; a plain WebSocket at port 8765."""

import asyncio
import gzip
import json
import threading
import time

import flask
import socketio
import websockets
from werkzeug.serving import run_simple

app = flask.Flask(__name__)
io = socketio.Server(async_mode="threading")
items = [{"id": 1, "name": "tea", "price": None}]

PAGE = """<!doctype html><html><head><title>Shop</title></head><body>
<h1>Shop</h1>
<form id="form"><input name="name" id="name" placeholder="name">
<select id="size"><option value="s">small</option><option value="l">large</option></select>
<button>Add</button></form>
<ul id="items"></ul><a id="other" href="/other">Other</a>
<button id="ask" onclick="document.title = confirm('Sure?') ? 'yes' : 'no'">Ask</button>
<button id="window" onclick="window.open('/other')">Window</button>
<button id="crash" onclick="throw new Error('it broke')">Crash</button>
<button id="off" disabled>Off</button><input type="file" id="file">
<div style="position: relative"><button id="covered">Covered</button>
<div style="position: absolute; inset: 0">Cover</div></div>
<script>
console.error('the console complains');
fetch('/missing.json');
const list = document.getElementById('items');
document.getElementById('form').onsubmit = async event => {
  event.preventDefault();
  const name = document.getElementById('name').value + ' ' + document.getElementById('size').value;
  const answer = await fetch('/api/items', {method: 'POST', headers: {'content-type': 'application/json'},
                                             body: JSON.stringify({name})});
  const line = document.createElement('li');
  line.textContent = (await answer.json()).name;
  list.append(line);
};
</script></body></html>"""


@app.get("/")
def page():
    return PAGE


@app.get("/other")
def other():
    return "<title>Other</title><p class='x'>one</p><p class='x'>two</p>"


@app.get("/api/items")
def listed():
    return flask.jsonify(items)


@app.post("/api/items")
def added():
    item = {"id": len(items) + 1, **flask.request.get_json()}
    items.append(item)
    with open("items.json", "w") as file:
        json.dump(items, file)
    return flask.jsonify(item), 201


polls = []


@app.route("/closed/", methods=["GET", "POST"])
def closed():
    """A Socket.IO server that refuses a connection, then holds the next request open."""
    if flask.request.method == "POST":
        return "ok"
    polls.append(time.monotonic())
    if len(polls) == 1:
        opening = {"sid": "1", "upgrades": [], "pingInterval": 25_000, "pingTimeout": 20_000}
        return f"0{json.dumps({**opening, 'maxPayload': 1_000_000})}"
    if len(polls) == 2:
        return '44{"message": "the shop is closed"}'
    time.sleep(30)
    return "6"


@app.route("/echo", methods=["GET", "POST", "PUT", "DELETE", "PATCH"])
def echo():
    request = flask.request
    return flask.jsonify(
        method=request.method,
        query=request.args,
        form=request.form,
        body=request.get_data(as_text=True),
        authorization=request.headers.get("Authorization"),
        colour=request.headers.get("X-Colour"),
    )


@app.get("/login")
def login():
    answer = flask.redirect("/me")
    answer.set_cookie("user", "ada")
    return answer


@app.get("/me")
def me():
    return flask.jsonify(user=flask.request.cookies.get("user"))


@app.get("/away")
def away():
    return flask.redirect("http://example.com/secret")


@app.get("/round")
def round_and_round():
    return flask.redirect("/round")


@app.get("/broken")
def broken():
    return "no soup", 500


@app.get("/hang")
def hang():
    time.sleep(60)
    return "late"


@app.get("/big")
def big():
    return flask.Response((b"0123456789" * 10_000 for _ in range(500)), mimetype="text/plain")


@app.get("/stream")
def stream():
    def ticks():
        while True:
            yield "data: tick\n\n"
            time.sleep(0.1)

    return flask.Response(ticks(), mimetype="text/event-stream")


@app.get("/half")
def half():
    def broken():
        yield b"half of it"
        raise OSError("gone")

    return flask.Response(broken(), headers={"content-length": "100"})


@app.get("/packed/<int:layers>")
def packed(layers):
    body = bytes(10_000_000) if layers > 1 else "grüße".encode()
    for _ in range(layers):
        body = gzip.compress(body, 1)
    return flask.Response(
        body, headers={"content-encoding": ", ".join(["gzip"] * max(layers, 1))}, mimetype="text/plain"
    )


@app.get("/binary")
def binary():
    return flask.Response(bytes(range(256)), mimetype="application/octet-stream")


@app.get("/heavy")
def heavy():
    return "<script>let all = []; while (true) all.push(new Array(1e6).fill(Math.random()))</script>"


@app.get("/busy-later")
def busy_later():
    return "<title>Idle</title><script>setTimeout(() => { while (true); }, 800)</script>"


@io.event
def greet(sid, name):
    io.emit("greeting", {"hello": name}, room=sid)
    return "heard " + name


@io.on("*", namespace="/room")
def any_event(event, sid, data):
    io.emit("again", [event, data], room=sid, namespace="/room")


@io.event
def leave(sid):
    io.disconnect(sid)


@io.event
def connect(sid, environ, auth):
    if (auth or {}).get("token") == "wrong":
        raise socketio.exceptions.ConnectionRefusedError("wrong token")


@io.on("connect", namespace="/room")
def enter(sid, environ, auth):
    pass


async def talk(socket):
    async for message in socket:
        if message == "bye":
            await socket.close(4000, "as you wish")
            return
        await socket.send(message.upper())
        await socket.send(b"\x00\x01")


async def plain():
    async with websockets.serve(talk, "127.0.0.1", 8765):
        await asyncio.Future()


threading.Thread(target=lambda: asyncio.run(plain()), daemon=True).start()
run_simple("127.0.0.1", 5000, socketio.WSGIApp(io, app), threaded=True)
