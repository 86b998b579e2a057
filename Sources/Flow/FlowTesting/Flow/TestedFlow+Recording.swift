import WorkflowKit
import WorkflowLua

extension TestedFlow {
    /// Writes what happened as the recording of a session, which can be replayed.
    ///
    /// - Parameter path: The file that the definition of the flow is in, if it has one of its own.
    func record(to path: String, flowFile: String?) throws(FlowError) {
        let journal = try FlowJournal(path: path)
        for var event in events.all {
            if case .ready(var header) = event.kind, let flowFile,
                // The hash of the flow alone: the test and what it requires are no part of it.
                let alone = try? LuaFlow(file: flowFile), alone.name == flow.name
            {
                header.file = flowFile
                header.hash = alone.hash
                event.kind = .ready(header)
            }
            if let error = journal.write(event) { throw error }
        }
    }
}
