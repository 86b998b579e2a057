package import PlainValue
import WorkflowKit

/// The sinks of a rendering with their paths, in the order of their numbers.
package func sinksInOrder(_ rendering: Value) -> [(path: String, sink: Value)] {
    rendering.sinks.map { ($0.path.description, $0.sink) }
}
