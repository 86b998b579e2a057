import InspectorServer
import PlainValue
import Synchronization

/// Called with an answer, once, on any thread. The text is valid during the call.
public typealias InspectorAnswer =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>) -> Void

/// The servers that are running, by the numbers that the program knows them by.
private let servers = Mutex<[Int: InspectorServer]>([:])

/// Starts to serve a page.
///
/// - Parameters:
///   - settings: A JSON object: `socket`, and of `port`, `scopes`, `hosts` and `folder` what is not to be left as it is.
///   - context: Passed on to the answer.
///   - answer: Told a JSON object: `number`, `port`, `address`, or `message` and `help` if nothing is served.
@c(workflow_inspector_start)
public func startInspector(
    _ settings: UnsafePointer<CChar>, _ context: UnsafeMutableRawPointer?,
    _ answer: @escaping InspectorAnswer
) {
    let text = String(cString: settings)
    let reply = Reply(context: context, answer: answer)
    Task {
        do throws(InspectorFailure) {
            let server = try await InspectorServer(InspectorSettings(json: text))
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
                "message": .string(error.message),
                "help": error.help.map { .string($0) } ?? .null,
            ])
        }
    }
}

/// Ends a server; all pages are told so.
///
/// - Parameters:
///   - number: What `workflow_inspector_start` has answered.
///   - answer: Told an empty JSON object when it has ended.
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

/// Where an answer goes.
private struct Reply: @unchecked Sendable {
    // Handed back as it came, and never looked at.
    let context: UnsafeMutableRawPointer?
    let answer: InspectorAnswer

    func tell(_ record: Value.Record) { answer(context, Value.record(record).json) }
}

extension InspectorSettings {
    /// The settings that a JSON object stands for.
    fileprivate init(json: String) {
        let value = (try? Value(json: json)) ?? .null
        func names(_ field: String) -> [String]? { value[field]?.list?.compactMap(\.string) }
        self.init(socket: value["socket"]?.string ?? "")
        port = value["port"]?.int ?? 0
        if let names = names("scopes") { scopes = names.compactMap(InspectorScope.init) }
        hosts = names("hosts") ?? []
        folder = value["folder"]?.string
    }
}
