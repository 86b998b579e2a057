import InspectorServer
import PlainValue
import Synchronization

/// Called once with an answer, on any thread.
///
/// - Important: The text is valid only during the call.
public typealias InspectorAnswer =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>) -> Void

/// The running servers, by the numbers that the program knows.
private let servers = Mutex<[Int: InspectorServer]>([:])

/// Starts serving a page.
///
/// - Parameters:
///   - options: A JSON object with `socket` and optionally `port`, `scopes`, `hosts`,
///     `hosts_name` and `folder`.
///   - context: Passed to `answer`.
///   - answer: Gets a JSON object with `number`, `port` and `address`, or with `message` and `help`
///     on failure.
@c(workflow_inspector_start)
public func startInspector(
    _ options: UnsafePointer<CChar>, _ context: UnsafeMutableRawPointer?,
    _ answer: @escaping InspectorAnswer
) {
    let text = String(cString: options)
    let reply = Reply(context: context, answer: answer)
    Task {
        do throws(InspectorFailure) {
            let server = try await InspectorServer(InspectorOptions(json: text))
            let number = servers.withLock { servers in
                let number = (servers.keys.max() ?? 0) + 1
                servers[number] = server
                return number
            }
            reply.tell([
                "number": .int(number), "port": .int(server.port),
                "address": .string(server.address),
            ])
        } catch {
            reply.tell([
                "message": .string(error.message), "help": error.help.map { .string($0) } ?? .null,
            ])
        }
    }
}

/// Ends a server and all its pages.
///
/// - Parameters:
///   - number: The number from `workflow_inspector_start`.
///   - context: Passed to `answer`.
///   - answer: Gets an empty JSON object at the end.
@c(workflow_inspector_stop)
public func stopInspector(
    _ number: Int, _ context: UnsafeMutableRawPointer?, _ answer: @escaping InspectorAnswer
) {
    let server = servers.withLock { $0.removeValue(forKey: number) }
    let reply = Reply(context: context, answer: answer)
    Task {
        await server?.close()
        reply.tell([:])
    }
}

/// A program's callback; `@unchecked Sendable`, as its context is passed back unread.
private struct Reply: @unchecked Sendable {
    let context: UnsafeMutableRawPointer?
    let answer: InspectorAnswer

    func tell(_ record: Value.Record) { answer(context, Value.record(record).json) }
}

extension InspectorOptions {
    fileprivate init(json: String) {
        let value = (try? Value(json: json)) ?? .null
        func names(_ field: String) -> [String]? { value[field]?.list?.compactMap(\.string) }
        self.init(socket: value["socket"]?.string ?? "")
        port = value["port"]?.int ?? 0
        if let names = names("scopes") { scopes = names.compactMap(InspectorScope.init) }
        hosts = names("hosts") ?? []
        hostsName = value["hosts_name"]?.string ?? hostsName
        folder = value["folder"]?.string
    }
}
