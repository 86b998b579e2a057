import FlowChecking
import LuaVM
import Terminal
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

/// The mistakes that `check` finds in the text of files that are played. A flow reports them when
/// it is loaded. Some cause no error, such as a new state of an action.
enum PlayedMistakes {
    /// The maximum number of reported mistakes.
    private static let most = 10

    /// Makes sessions with these options report them.
    static func tell(in options: inout FlowOptions) {
        options.mistakes = { [registry = options.plugins, libraries = options.libraries] in
            find(in: $0, registry: registry, libraries: libraries)
        }
    }

    /// - Parameters:
    ///   - paths: The files; what cannot be read has an error of its own.
    ///   - libraries: The folders of libraries, whose files are left out.
    static func find(
        in paths: [String], registry: WorkerRegistry, libraries: [String]
    ) -> [FlowLog] {
        let own = paths.filter { !$0.contains(FlowModules.sharedFolder) }
        guard var check = try? Check(own, registry: registry, libraries: libraries) else {
            return []
        }
        let problems = check.run(loadsFiles: false)
        var notes = problems.prefix(most).map { problem in
            FlowLog(
                note: problem.message, at: problem.line.map { .init(file: problem.file, line: $0) })
        }
        if problems.count > most {
            notes.append(
                FlowLog(note: "\(problems.count - most) more mistakes; see workflow-run check"))
        }
        return notes
    }
}
