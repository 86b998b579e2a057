import Foundation
import PlainValue
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowPlugins
import WorkflowStore

/// A notes program whose commands its users write as flows.
///
/// Each flow in a folder is a notebook. Its commands are the sinks that the flow renders as
/// `commands`, and its text is `lines`. The program itself knows nothing about notes.
public struct NotesTool: Sendable {
    let flows: String
    let store: SQLiteSessionStore
    let options: FlowOptions

    /// Opens the store of the notebooks, and creates it if necessary.
    ///
    /// - Parameters:
    ///   - flows: The folder of flows.
    ///   - path: The file of the store.
    ///   - folder: The folder whose files flows may read.
    ///   - now: The time, in milliseconds since 1970.
    public init(
        flows: String, store path: String,
        folder: String = FileManager.default.currentDirectoryPath,
        now: @escaping @Sendable () -> Int = FlowOptions.wallClock
    ) throws {
        self.flows = flows
        store = try SQLiteSessionStore(path: path)
        options = try Self.options(folder: folder, now: now)
    }

    /// The options that decide what flows may do.
    static func options(
        folder: String, now: @escaping @Sendable () -> Int
    ) throws -> FlowOptions {
        var options = FlowOptions(now: now)
        options.limits.timeLimit = .milliseconds(500)
        options.plugins = try WorkerRegistry([
            Plugin("notes", version: "1.0.0", workers: [ReadLines()])
        ])
        options.grants = Grants([Grant("file.read", folder)], folder: folder)
        options.registerNativeWorkflows = { natives in
            natives.register("word_count", props: WordCount.Props.self) { WordCount(props: $0) }
        }
        return options
    }

    /// Runs a command, such as `notes add buy milk`, and returns the text to print.
    ///
    /// - Parameter arguments: The name of a flow, a command and its text. Without arguments, the
    ///   notebooks are listed.
    /// - Throws: A ``NotesError``, the `FlowError` of a failed command, or a `StoreError`; then
    ///   nothing has changed.
    public func run(_ arguments: [String]) async throws -> String {
        guard let name = arguments.first else { return try await overview() }
        let session = try await open(name)
        do {
            if arguments.count > 1 {
                try await run(
                    arguments[1], text: arguments.dropFirst(2).joined(separator: " "), in: session)
            }
            let text = await screen(of: session)
            // The command is stored already. Closing only adds a snapshot, which makes the next
            // start faster.
            _ = try? await session.close()
            return text
        } catch {
            _ = try? await session.close()
            throw error
        }
    }

    /// Resumes a notebook or creates it.
    private func open(_ name: String) async throws -> StoredSession {
        guard try names().contains(name) else {
            throw NotesError("there is no flow '\(name)' in \(flows)")
        }
        return try await StoredSession.open(
            name, of: .file("\(flows)/\(name).lua"), in: store, options: options,
            // Users change their flows, and want their notes to stay.
            storage: StoredSessionOptions(isLenient: true))
    }

    private func run(
        _ command: String, text: String, in session: StoredSession
    ) async throws {
        switch command {
        case "undo": try await session.undo()
        case "redo": try await session.redo()
        default:
            let commands = await session.rendering["commands"]?.record ?? [:]
            guard let sink = commands[command] else {
                let known = (commands.map(\.key) + ["redo", "undo"]).joined(separator: ", ")
                throw NotesError(
                    "\(session.id) has no command '\(command)'; its commands are \(known)")
            }
            try await session.send(sink: sink, with: ["text": .string(text)])
            try await session.untilIdle()
        }
    }

    private func screen(of session: StoredSession) async -> String {
        let lines = await session.rendering["lines"]?.list ?? []
        return lines.compactMap(\.string).joined(separator: "\n")
    }

    private func overview() async throws -> String {
        var steps: [String: Int] = [:]
        for session in try await store.list(limit: 10_000).sessions {
            steps[session.id] = session.step
        }
        return try names().map { "\($0): \(steps[$0] ?? 0) steps" }.joined(separator: "\n")
    }

    private func names() throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: flows)
        return files.filter { $0.hasSuffix(".lua") }.map { String($0.dropLast(4)) }.sorted()
    }
}
