import PlainValue
import WorkflowKit
import WorkflowLua

/// A notes program whose commands its users write: each is an action of their flow.
///
/// The program knows nothing of notes. It reads command lines, sends each as an action, and shows the
/// `lines` that the flow renders.
public struct NotesTool: Sendable {
    private let session: FlowSession

    /// Opens the user's flow.
    public init(flow path: String) async throws {
        var options = FlowOptions()
        options.limits.timeLimit = .milliseconds(200)
        options.registerNativeWorkflows = { natives in
            natives.register("word_count", props: WordCount.Props.self) { WordCount(props: $0) }
        }
        session = try await FlowSession.open(.file(path), options: options)
    }

    /// The commands that the flow knows.
    public var commands: [String] {
        get async { await session.actionTypes }
    }

    /// What the flow shows now.
    public var screen: String {
        get async {
            let lines = await session.rendering["lines"]?.list ?? []
            return lines.compactMap(\.string).joined(separator: "\n")
        }
    }

    /// Runs one command line, such as `add buy milk`; gives what to print.
    ///
    /// `import FILE` is the program's own: it adds each line of a file. A command that fails, or that the
    /// flow does not know, changes nothing.
    public func run(_ line: String) async -> String {
        let words = line.split(separator: " ").map(String.init)
        guard let command = words.first else { return await screen }
        let text = words.dropFirst().joined(separator: " ")
        do throws(FlowError) {
            if command == "import" {
                try await importNotes(from: text)
            } else {
                try await session.send(["type": .string(command), "text": .string(text)])
            }
        } catch {
            return "error: \(error.message)"
        }
        return await screen
    }

    private func importNotes(from path: String) async throws(FlowError) {
        switch await NoteImport().notes(in: path) {
        case .read(let notes):
            for note in notes { try await session.send(["type": "add", "text": .string(note)]) }
        case .failed(let reason): throw FlowError(.file, "\(path): \(reason)")
        case .reading: break
        }
    }
}
