import Dispatch
import FlowDebugging
import LibC
import Synchronization

struct DebugConnection {
    let input: Int32
    let output: Int32

    private enum Work: Sendable {
        case request(DebugRequest)
        case unreadable(String, DebugRequest? = nil)
        case news
    }

    /// Serves until the client disconnects.
    func serve(_ options: DebugAdapter.Options) async {
        let (work, end) = AsyncStream<Work>.makeStream()
        var options = options
        let open = options.open
        options.open = { command, arguments in
            let subject = try await open(command, arguments)
            let tell: @Sendable () -> Void = { end.yield(.news) }
            (subject as? LiveSubject)?.onNews(tell)
            (subject as? AttachedSubject)?.onNews(tell)
            return subject
        }
        let lock = Mutex(())
        let adapter = DebugAdapter(options) { [output] message in
            lock.withLock { _ in Self.write(DebugMessageReader.bytes(of: message), to: output) }
        }
        DispatchQueue(label: "client of the debugger").async { [input, output] in
            Self.read(input, adapter, end)
            end.finish()
            // A pipe may have brought all requests, and still be read for their answers.
            if input != output { Self.awaitHangUp(of: output) }
            adapter.clientHasGone()
        }
        for await next in work {
            switch next {
            case .request(let request):
                guard await adapter.handle(request) else { return }
            case .unreadable(let text, let request?): await adapter.refuse(request, text)
            case .unreadable(let text, nil): await adapter.complain(text)
            case .news: await adapter.newsCame()
            }
        }
        await adapter.close()
    }

    private static func read(
        _ input: Int32, _ adapter: DebugAdapter, _ work: AsyncStream<Work>.Continuation
    ) {
        var reader = DebugMessageReader()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = LibC.read(input, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            reader.add(buffer[..<count])
            while let item = reader.next() {
                switch item {
                case .unreadable(let text, let request): work.yield(.unreadable(text, request))
                case .foreign: return
                case .message(let message):
                    guard let request = DebugRequest(message) else {
                        work.yield(.unreadable("a message is not a request with a number"))
                        continue
                    }
                    adapter.hurry(request)
                    work.yield(.request(request))
                }
            }
        }
    }

    /// Waits until nobody can read an output any more.
    private static func awaitHangUp(of output: Int32) {
        var file = pollfd(fd: output, events: 0, revents: 0)
        while poll(&file, 1, -1) < 0, errno == EINTR {}
    }

    private static func write(_ bytes: [UInt8], to output: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { LibC.write(output, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // The reader notices that the client is gone.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
