/// A named, versioned list of workers.
///
/// ```swift
/// let greeter = Plugin("greeter", version: "1.0.0", workers: [Greet(), Count()])
/// ```
public struct Plugin: Sendable {
    /// The name, which the names of the workers begin with, such as `greeter`.
    public let name: String
    /// The version, for people.
    public let version: String
    /// The workers.
    public let workers: [WorkerDefinition]

    /// Makes a plugin from one value of each type of worker; it serves all runs.
    ///
    /// - Parameters:
    ///   - name: The name, which the names of the workers begin with, such as `greeter`.
    ///   - version: The version, for people.
    ///   - workers: One value of each type of worker; it serves all runs.
    public init(_ name: String, version: String, workers: [any EmittingPluginWorker]) {
        self.init(name, version: version, definitions: workers.map { WorkerDefinition($0) })
    }

    /// Makes a plugin from worker definitions, of which no two have one name.
    ///
    /// - Parameters:
    ///   - name: The name, which the names of the workers begin with, such as `greeter`.
    ///   - version: The version, for people.
    ///   - definitions: The workers, of which no two have one name.
    public init(_ name: String, version: String, definitions: [WorkerDefinition]) {
        self.name = name
        self.version = version
        workers = definitions
    }
}
