"""A link between a program and a server that can be cut, held and slow. Its own process, so it waits for no test's client."""

import asyncio
import subprocess
import sys


class Link:
    def __init__(self, target):
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(target)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self._process.stdout.readline())

    def _tell(self, *words):
        print(*words, file=self._process.stdin, flush=True)
        assert self._process.stdout.readline() == "done\n", words

    def hold(self):
        """From now on nothing arrives, and nobody is told: what is sent arrives when the link is mended."""
        self._tell("hold")

    def slow(self, seconds):
        """From now on all that is sent is under way for some seconds."""
        self._tell("slow", seconds)

    def cut(self):
        """Ends all connections; nobody can connect until the link is mended."""
        self._tell("cut")

    def mend(self):
        self._tell("mend")

    def close(self):
        self._process.stdin.close()
        self._process.wait()


class Forwarder:
    def __init__(self, target):
        self.target = target
        self.delay = 0
        self.is_cut = False
        self.is_open = asyncio.Event()
        self.is_open.set()
        self.transports = set()

    def hold(self):
        self.is_open.clear()

    def slow(self, seconds):
        self.delay = float(seconds)

    def cut(self):
        self.is_cut = True
        for transport in list(self.transports):
            transport.abort()

    def mend(self):
        self.is_cut = False
        self.delay = 0
        self.is_open.set()

    async def connected(self, reader, writer):
        ends = [writer]
        self.transports.add(writer.transport)
        try:
            await self.is_open.wait()
            if not self.is_cut:
                there, back = await asyncio.open_connection("127.0.0.1", self.target)
                ends.append(back)
                self.transports.add(back.transport)
                await asyncio.gather(self.forward(reader, back), self.forward(there, writer))
        except (OSError, asyncio.CancelledError):
            # It was cut, or this is the end.
            pass
        finally:
            for end in ends:
                end.transport.abort()
                self.transports.discard(end.transport)

    async def forward(self, reader, writer):
        """Passes on what comes from one side, each piece after the time that it is under way."""
        waiting, now = asyncio.Queue(), asyncio.get_running_loop().time

        async def deliver():
            while (piece := await waiting.get()) is not None:
                due, data = piece
                await asyncio.sleep(due - now())
                await self.is_open.wait()
                writer.write(data)
                await writer.drain()
            writer.close()

        delivering = asyncio.create_task(deliver())
        try:
            while data := await reader.read(1 << 16):
                waiting.put_nowait((now() + self.delay, data))
        except OSError:
            pass
        waiting.put_nowait(None)
        await delivering


async def main(target):
    forwarder = Forwarder(target)
    server = await asyncio.start_server(forwarder.connected, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        command, *words = line.split()
        getattr(forwarder, command)(*words)
        print("done", flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
