"""A service with certificates speaks TLS, and nothing else."""

import http.client
import json
import signal
import ssl
import subprocess

import pytest

from service import HERE, PATIENCE, SERVE, Service, until


def make(folder):
    files = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2",
         "-out", files[0], "-keyout", files[1]], check=True, capture_output=True)
    return files


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return make(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def service(files, tmp_path):
    service = Service(
        HERE / "chain.lua", "--store", tmp_path / "sessions.db", "--tls-cert", files[0], "--tls-key", files[1],
        open_to_all=False)
    yield service
    assert service.stop() == 0


def context(files):
    context = ssl.create_default_context(cafile=files[0])
    context.set_alpn_protocols(["http/1.1"])
    return context


def ask(service, context, method, path, body=None):
    connection = http.client.HTTPSConnection("127.0.0.1", service.port, context=context, timeout=PATIENCE)
    headers = {"Authorization": f"Bearer {service.token}"}
    if body is not None:
        headers["Content-Type"] = "application/json"
        body = json.dumps(body)
    connection.request(method, path, body, headers)
    response = connection.getresponse()
    answer = response.status, json.loads(response.read()), connection.sock and connection.sock.version()
    connection.close()
    return answer


def test_a_session_is_played(files, service):
    known = context(files)
    assert ask(service, known, "POST", "/sessions", {"flow": "chain", "id": "s"})[0] == 201
    action = {"action": {"type": "add", "value": 1}}
    status, answer, version = ask(service, known, "POST", "/sessions/s/actions", action)
    assert (status, answer["step"], version) == (200, 1, "TLSv1.3")


@pytest.mark.parametrize("version, taken", [
    (ssl.TLSVersion.TLSv1, False), (ssl.TLSVersion.TLSv1_1, False), (ssl.TLSVersion.TLSv1_2, True)])
def test_old_versions_are_refused(files, service, version, taken):
    old = context(files)
    # A client of today offers old versions only if it is told to take weak ciphers.
    old.set_ciphers("ALL:@SECLEVEL=0")
    old.minimum_version = old.maximum_version = version
    if taken:
        assert ask(service, old, "GET", "/flows")[0] == 200
    else:
        with pytest.raises(OSError):
            ask(service, old, "GET", "/flows")


def test_plain_requests_get_nothing(service):
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=PATIENCE)
    connection.request("GET", "/healthz")
    with pytest.raises((OSError, http.client.HTTPException)):
        connection.getresponse()


def test_a_certificate_is_shown_and_can_be_refused(service):
    with pytest.raises(ssl.SSLCertVerificationError):
        ask(service, ssl.create_default_context(), "GET", "/flows")


def test_a_certificate_is_renewed(tmp_path):
    files = make(tmp_path)
    service = Service(
        HERE / "chain.lua", "--store", tmp_path / "sessions.db", "--tls-cert", files[0], "--tls-key", files[1],
        open_to_all=False)

    def shown():
        return ssl.get_server_certificate(("127.0.0.1", service.port), timeout=PATIENCE)

    def read_again(holds):
        service.process.send_signal(signal.SIGHUP)
        until(holds)

    first = files[0].read_text()
    assert shown() == first
    stream = http.client.HTTPSConnection("127.0.0.1", service.port, context=context(files), timeout=PATIENCE)
    stream.connect()
    make(tmp_path)
    second = files[0].read_text()
    read_again(lambda: shown() == second)
    # A connection that was there goes on.
    stream.request("GET", "/healthz")
    assert stream.getresponse().status == 200
    # What cannot be used changes nothing.
    files[0].write_text(first)
    read_again(lambda: any("TLS cannot be used" in line for line in service.errors))
    assert shown() == second
    assert service.stop() == 0


def test_files_that_do_not_belong_together_are_an_error(files, tmp_path):
    key = tmp_path / "other.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True, capture_output=True)
    for broken in [(files[0], key), (files[1], files[1]), (files[0], tmp_path / "none.pem")]:
        result = subprocess.run(
            [SERVE, HERE / "chain.lua", "--store", tmp_path / "s.db", "--port", "0",
             "--tls-cert", broken[0], "--tls-key", broken[1]], capture_output=True, text=True, timeout=PATIENCE)
        assert result.returncode == 66
        assert "TLS cannot be used" in result.stderr
