"""A link between a program and a server, which can be cut, held and slow."""

import asyncio
import threading


class Link:
    """Forwards connections at a port of its own to a server's port."""

    def __init__(self, target):
        self.target = target
        # The seconds that whatever is sent is under way.
        self.delay = 0
        self._is_cut = False
        self._transports = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._is_open = self._do(self._event())
        self._server = self._do(asyncio.start_server(self._connected, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]

    def _do(self, task):
        return asyncio.run_coroutine_threadsafe(task, self._loop).result()

    def _soon(self, body):
        async def run():
            body()
        self._do(run())

    @staticmethod
    async def _event():
        event = asyncio.Event()
        event.set()
        return event

    def hold(self):
        """From now on nothing arrives, and nobody is told: what is sent arrives when the link is mended."""
        self._soon(self._is_open.clear)

    def cut(self):
        """Ends all connections; nobody can connect until the link is mended."""
        def abort():
            self._is_cut = True
            for transport in list(self._transports):
                transport.abort()
        self._soon(abort)

    def mend(self):
        def mend():
            self._is_cut = False
            self.delay = 0
            self._is_open.set()
        self._soon(mend)

    def close(self):
        self.cut()
        self._soon(self._server.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    async def _connected(self, reader, writer):
        ends = [writer]
        self._transports.add(writer.transport)
        try:
            await self._is_open.wait()
            if not self._is_cut:
                there, back = await asyncio.open_connection("127.0.0.1", self.target)
                ends.append(back)
                self._transports.add(back.transport)
                await asyncio.gather(self._pass(reader, back), self._pass(there, writer))
        except OSError:
            pass
        finally:
            for end in ends:
                end.transport.abort()
                self._transports.discard(end.transport)

    async def _pass(self, reader, writer):
        """Passes on what comes from one side, each piece after the time that it is under way."""
        waiting = asyncio.Queue()

        async def deliver():
            while (piece := await waiting.get()) is not None:
                due, data = piece
                await asyncio.sleep(due - self._loop.time())
                await self._is_open.wait()
                writer.write(data)
                await writer.drain()
            writer.close()

        delivering = asyncio.create_task(deliver())
        try:
            while data := await reader.read(1 << 16):
                waiting.put_nowait((self._loop.time() + self.delay, data))
        except OSError:
            pass
        waiting.put_nowait(None)
        await delivering
