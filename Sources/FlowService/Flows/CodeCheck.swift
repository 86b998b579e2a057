import WorkflowKit
public import WorkflowLua
public import WorkflowStore

/// Says what would become of kept sessions if a service were started with other files of their flows.
///
/// The store is only read, and may be in use meanwhile. No worker runs.
public struct CodeCheck: Sendable {
    /// What becomes of a session.
    public struct Finding: Sendable {
        /// The session.
        public let session: SessionSummary
        /// The files that it goes on with; with `replay` a session that differs keeps those that it has.
        public let policy: CodePolicy
        /// What becomes of it; always the same for one that is `pinned`.
        public let fit: SessionFit
    }

    private let flows: [ServedFlow]
    private let store: SQLiteSessionStore

    /// Loads the flows and opens the store.
    ///
    /// - Parameters:
    ///   - flows: The files.
    ///   - policies: The files that sessions go on with, by the names of their flows; `migrate` for those not named.
    ///   - name: The flow whose sessions are checked; by default those of all the flows.
    ///   - path: The store.
    /// - Throws: A `FlowError` for a flow that does not load or that there is not, or a store that cannot be opened.
    public init(
        _ flows: [ServiceSettings.Flow], code policies: [String: CodePolicy] = [:],
        only name: String? = nil, store path: String
    ) throws(FlowError) {
        let table = try FlowTable(flows, code: policies)
        if let name, table[name] == nil {
            throw FlowError(
                .misuse, "there is no flow '\(name)' among the files",
                help: "there are \(table.all.map(\.name).joined(separator: ", "))")
        }
        self.flows = table.all.filter { name == nil || $0.name == name }
        do throws(StoreError) { store = try SQLiteSessionStore(reading: path) } catch {
            throw FlowError(error)
        }
    }

    /// Checks sessions, of each flow the newest first.
    ///
    /// - Parameters:
    ///   - sample: How many of each flow are checked; by default all.
    ///   - onFinding: Called for each.
    /// - Throws: A `FlowError` if the store cannot be read.
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

    /// What becomes of a session; `nil` if it is not there any more.
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
