/// A worker made of a closure.
///
/// ```swift
/// ClosureWorker(id: state.page) { try await api.page(state.page) }
///     .mapOutput { Action.loaded($0) }
///     .running(in: context)
/// ```
public struct ClosureWorker<Output: Sendable>: Worker {
    private let id: any Hashable & Sendable
    private let operation: @Sendable () async throws -> Output

    /// Makes a worker that runs `operation`.
    ///
    /// ```swift
    /// let load = ClosureWorker(id: 7) { "name 7" }  // starts again with another id
    /// ```
    ///
    /// - Parameters:
    ///   - id: Identifies the work. While it stays equal the work continues; when it changes the
    ///     work starts again. By default all are equivalent.
    ///   - operation: The work.
    public init(
        id: any Hashable & Sendable = true,
        operation: @escaping @Sendable () async throws -> Output
    ) {
        self.id = id
        self.operation = operation
    }

    /// Makes a worker that runs `operation`.
    ///
    /// ```swift
    /// ClosureWorker { ["abacus"] }.mapOutput { Action.found($0) }.running(in: context)
    /// ```
    ///
    /// - Important: All such workers with one type and key are equivalent.
    public init(_ operation: @escaping @Sendable () async throws -> Output) {
        self.init(operation: operation)
    }

    /// True if the ids are equal.
    public func isEquivalent(to otherWorker: ClosureWorker) -> Bool {
        AnyHashable(id) == AnyHashable(otherWorker.id)
    }

    /// Runs the closure.
    public func run() async throws -> Output { try await operation() }
}
