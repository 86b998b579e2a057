import Foundation
import Workflow

/// Reads a file of notes, one a line: a worker, which the runtime starts and stops.
struct ReadNotes: Worker, Equatable {
    var path: String

    func run() async throws -> [String] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return text.split(separator: "\n").map(String.init)
    }
}

/// A native workflow of the program's own: it waits for the worker, then shows what came of it.
struct ImportWorkflow: Workflow {
    enum State: Equatable {
        case reading
        case read([String])
        case failed(String)
    }

    enum Action: WorkflowAction {
        typealias WorkflowType = ImportWorkflow

        case finished(Result<[String], any Error>)

        func apply(toState state: inout State) -> Never? {
            switch self {
            case .finished(.success(let notes)): state = .read(notes)
            case .finished(.failure): state = .failed("the file cannot be read")
            }
            return nil
        }
    }

    var path: String

    func makeInitialState() -> State { .reading }

    func render(state: State, context: RenderContext<ImportWorkflow>) -> State {
        if state == .reading {
            ReadNotes(path: path).asResult()
                .mapOutput { Action.finished($0) }
                .running(in: context)
        }
        return state
    }
}

/// An actor with a host of its own: every action of the tree is applied here, wherever it was sent from.
actor NoteImport {
    /// The notes in a file, or why there are none.
    func notes(in path: String) async -> ImportWorkflow.State {
        let host = WorkflowHost(workflow: ImportWorkflow(path: path))
        for await rendering in host.renderings where rendering != .reading { return rendering }
        return .failed("the import was stopped")
    }
}
