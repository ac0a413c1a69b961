"""The check of addresses outside the site, tested with a server of our own."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import links
import pytest

STATUS = {"/here": 200, "/moved": 301, "/gone": 404, "/closed": 403, "/broken": 500}


class Server(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/cut":
            self.wfile.write(b"nonsense")
            return
        self.send_response(STATUS.get(self.path, 200))
        if self.path == "/moved":
            self.send_header("Location", "/here")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_HEAD(self):
        if self.path == "/no-head":
            self.send_error(501)
        else:
            self.do_GET()

    def log_message(self, *_):
        """Says nothing."""


@pytest.fixture
def address(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("path", ["/here", "/moved", "/no-head"])
def test_what_answers(address, path):
    assert links.answer(address + path) == "answers"


@pytest.mark.parametrize(
    ("path", "words"),
    [("/gone", "fails: 404"), ("/broken", "fails: 500"), ("/closed", "refuses: 403"), ("/cut", "fails: ")],
)
def test_what_does_not(address, path, words):
    assert links.answer(address + path).startswith(words)


def test_nobody_there(address, monkeypatch):
    assert links.answer("http://127.0.0.1:9/").startswith("fails: ")
    assert links.answer("http://no such place").startswith("fails: ")


def test_it_says_which_failed_and_where_it_is_linked(address, tmp_path, capsys):
    (tmp_path / "a.html").write_text(f'<a href="{address}/here#part">x</a><a href="b.html">y</a>')
    assert links.main(tmp_path) == 0
    (tmp_path / "b.html").write_text(f'<a href="{address}/gone">x</a><a href="{address}/closed">x</a>')
    (tmp_path / "c.html").write_text(f'<a href="{address}/gone#part">x</a>')
    assert links.main(tmp_path) == 1
    output = capsys.readouterr().out
    assert (
        "1 addresses: 1 answer, 0 refuse a script, 0 fail\n3 addresses: 1 answer, 1 refuse a script, 1 fail\n"
        in output
    )
    assert f"fails: 404 Not Found: {address}/gone\n    linked from b.html, c.html" in output
