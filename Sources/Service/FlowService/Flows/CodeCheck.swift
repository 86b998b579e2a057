public import WorkflowLua
public import WorkflowStore

/// Checks what would happen to stored sessions with other files of their flows.
///
/// The store is only read and may be in use. No worker runs.
public struct CodeCheck: Sendable {
    /// The result for a session.
    public struct Finding: Sendable {
        /// The session.
        public let session: SessionSummary
        /// The policy of its flow.
        public let policy: CodePolicy
        /// The result with the other files; always `same` for a `pinned` session.
        public let fit: SessionFit

        /// True if the service would open it with its own files, since the policy is `replay` and
        /// it does not give the same results with the other ones.
        public var keepsFiles: Bool {
            guard policy == .replay else { return false }
            return switch fit {
            case .same, .unknown: false
            case .differs: true
            // Without a process for scripts, nothing was compared.
            case .refused(let error): error.code != .noProcess
            }
        }
    }

    private let flows: [ServedFlow]
    private let store: any SessionStore

    /// Loads the flows and opens the store.
    ///
    /// ```swift
    /// let check = try await CodeCheck(
    ///     [.init(file: "new/todo.lua")], code: ["todo": .replay], store: "sessions.db")
    /// ```
    ///
    /// - Parameters:
    ///   - flows: The files.
    ///   - policies: The policies by flow name; by default `migrate`.
    ///   - name: The flow to check; by default all.
    ///   - place: The store: a file or the address of a database; see ``ServiceOptions/store``.
    /// - Throws: A `FlowError` for a flow that is missing or does not load; or for the store, with
    ///   its `StoreError` as the `cause`.
    public init(
        _ flows: [ServiceOptions.Flow], code policies: [String: CodePolicy] = [:],
        only name: String? = nil, store place: String
    ) async throws(FlowError) {
        let table = try FlowTable(flows, code: policies)
        if let name, table[name] == nil {
            throw FlowError(.noFlowAmongFiles, name, table.all.map(\.name).joined(separator: ", "))
        }
        self.flows = table.all.filter { name == nil || $0.name == name }
        do throws(StoreError) { store = try await ServedStore.openForReading(place) } catch {
            throw FlowError(error)
        }
    }

    /// Checks the sessions of each flow, newest first.
    ///
    /// ```swift
    /// try await check.run(sample: 100) { finding in print(finding.session.id, finding.fit) }
    /// ```
    ///
    /// - Parameters:
    ///   - sample: The number of sessions per flow; by default all.
    ///   - onFinding: Called for each session.
    /// - Throws: A `FlowError` if the store cannot be read, with its `StoreError` as the `cause`.
    public func run(
        sample: Int? = nil, onFinding: (Finding) -> Void
    ) async throws(FlowError) {
        for flow in flows {
            var rest = sample ?? .max
            var after: String?
            repeat {
                let page: SessionPage
                do throws(StoreError) {
                    page = try await store.list(
                        flow: flow.name, after: after, limit: min(rest, 100))
                } catch {
                    throw FlowError(error)
                }
                for session in page.sessions.prefix(rest) {
                    if let fit = try await fit(of: session, flow) {
                        onFinding(Finding(session: session, policy: flow.code, fit: fit))
                    }
                }
                rest -= page.sessions.count
                after = page.next
            } while after != nil && rest > 0
        }
    }

    /// The result for a session; `nil` if it was deleted.
    private func fit(
        of session: SessionSummary, _ flow: ServedFlow
    ) async throws(FlowError) -> SessionFit? {
        if flow.code == .pinned { return .same }
        let (source, options) = flow.opening
        do throws(StoreError) {
            return try await store.fit(of: session.id, to: source, options: options)
        } catch {
            if error.code == .notFound { return nil }
            throw FlowError(error)
        }
    }
}
