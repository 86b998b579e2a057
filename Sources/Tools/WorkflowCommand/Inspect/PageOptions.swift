import ArgumentParser

/// The options for what a page may do and how it is reached.
struct PageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What the page may do: view, or some of act, travel and evaluate, with commas.",
            valueName: "scopes"))
    var inspectScope: PageScopes?

    @Option(
        help: ArgumentHelp(
            "Serve the page under this name too; may be repeated.", valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp("Serve the page's files from this folder.", valueName: "folder"),
        completion: .directory)
    var inspectorFiles: String?

    @Flag(help: "Open the page in a browser.")
    var open = false

    func validate() throws {
        try check(
            allowHost.allSatisfy { name in
                !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && !"/:@#?".utf8.contains($0) }
            }, "--allow-host takes a name without a port, such as box.example.")
    }

    /// The first given option; `nil` if there is none.
    var given: String? {
        if inspectScope != nil { return "--inspect-scope" }
        if !allowHost.isEmpty { return "--allow-host" }
        if inspectorFiles != nil { return "--inspector-files" }
        return open ? "--open" : nil
    }
}

/// The scopes of a page: always `view`.
struct PageScopes: ExpressibleByArgument {
    static let all = ["view", "act", "travel", "evaluate"]
    static var allValueStrings: [String] { all }

    let names: [String]

    init?(argument: String) {
        let given = argument.split(separator: ",", omittingEmptySubsequences: false).map(
            String.init)
        guard given.allSatisfy(Self.all.contains) else { return nil }
        // A page without `view` would show nothing.
        names = Self.all.filter { $0 == "view" || given.contains($0) }
    }
}

struct InspectOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show the session in a browser; --inspect is --inspect=0: any port that is free.",
            valueName: "port"))
    var inspect: UInt16?

    @OptionGroup var page: PageOptions

    func validate() throws {
        if inspect == nil, let option = page.given {
            throw ValidationError("\(option) goes with --inspect.")
        }
    }

    /// Serves a page for a session of this process, if requested.
    func start() async throws -> Inspection? {
        guard let inspect else { return nil }
        return try await Inspection(port: inspect, page)
    }
}
