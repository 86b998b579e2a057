import WorkflowKit
import WorkflowLua

extension TestedFlow {
    /// Writes the events as the recording of a session, which can be replayed.
    ///
    /// - Parameter flowFile: The file of the flow's definition, if it has one of its own.
    func record(to path: String, flowFile: String?) throws(FlowError) {
        let journal = try FlowJournal(path: path)
        for var event in events.all {
            if case .ready(var header) = event.kind, let flowFile,
                // The hash of the flow alone, without the test that shares its interpreter.
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
