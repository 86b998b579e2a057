import PlainValue
public import WorkerKit

extension WorkerRegistry {
    /// Refuses a grant of a kind that no worker needs.
    ///
    /// The known kinds are those of this package's plugins, those in the needs of the available
    /// workers, and those that begin with the name of another plugin and a dot.
    ///
    /// ```swift
    /// try registry.check(Grant("htpp"))  // throws … Did you mean 'http'?
    /// ```
    ///
    /// - Throws: A `WorkerError` with the code `bad_grant` that names the known kinds.
    public func check(_ grant: Grant) throws(WorkerError) {
        let standard = Access.standardKinds
        guard !standard.contains(grant.kind) else { return }
        let kinds = Set(standard + workers.flatMap { $0.needs.map(\.kind) })
        guard !kinds.contains(grant.kind) else { return }
        let plugin = grant.kind.prefix { $0 != "." }
        let isStandard = standard.contains { $0.prefix { $0 != "." } == plugin }
        guard isStandard || !plugins.contains(where: { $0.plugin.name == plugin }) else { return }
        throw WorkerError(
            "bad_grant",
            "'\(grant)' grants '\(grant.kind)', which no worker asks for"
                + didYouMean(grant.kind, among: kinds),
            help: "the kinds are \(kinds.sorted().joined(separator: ", "))")
    }
}
