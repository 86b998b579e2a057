package import PlainValue
import WorkflowKit

/// The sinks in a rendering with their paths, in the order in which they are shown.
package func sinksInOrder(_ rendering: Value) -> [(path: String, sink: Value)] {
    rendering.sinks.map { ($0.path.description, $0.sink) }
}
