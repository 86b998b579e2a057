package import PlainValue
import Synchronization
package import TestSupport
package import WorkerKit

extension Grants {
    /// Grants as a command line has them, with paths in a folder.
    package init(_ texts: [String], in folder: String?) throws {
        self.init(try texts.map { try Grant(parsing: $0) }, folder: folder)
    }
}

extension Folder {
    package func grants(_ texts: [String]) throws -> Grants { try Grants(texts, in: path) }
    package func grants(_ texts: String...) throws -> Grants { try grants(texts) }
}

extension Plugin {
    package func worker(_ name: String) throws -> WorkerDefinition {
        guard let worker = workers.first(where: { $0.name == name }) else {
            throw Missing(what: "worker \(name)")
        }
        return worker
    }
}

extension WorkerDefinition {
    /// Runs the worker by itself to its end and returns its outputs.
    package func outputs(of input: Value, in context: WorkerContext) async throws -> [Value] {
        let outputs = Mutex<[Value]>([])
        try await run(
            input, context: context,
            outputs: WorkerEmitter { value in outputs.withLock { $0.append(value) } })
        return outputs.withLock(\.self)
    }
}

extension AsyncSequence {
    package func first(_ count: Int) async throws(Failure) -> [Element] {
        var (elements, iterator) = ([Element](), makeAsyncIterator())
        while elements.count < count, let element = try await iterator.next(isolation: #isolation) {
            elements.append(element)
        }
        return elements
    }
}

package func failure(_ work: () async throws -> some Any) async -> WorkerError? {
    do {
        _ = try await work()
        return nil
    } catch {
        return WorkerError(describing: error)
    }
}
