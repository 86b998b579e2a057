import PlainValue
import Synchronization
public import WorkerKit

/// The available workers: those of built-in and of loaded plugins.
///
/// ```swift
/// let registry = try WorkerRegistry([ClockPlugin.plugin, FilePlugin.plugin])
/// for worker in registry.workers { print(worker.name, worker.summary) }
/// ```
///
/// One registry serves all sessions, and a library is loaded once. It may be used from any thread.
public final class WorkerRegistry: Sendable {
    /// A plugin and its origin.
    public struct Entry: Sendable {
        /// The plugin.
        public let plugin: Plugin
        /// The absolute path of the library; nil for a built-in plugin.
        public let file: String?
    }

    private struct Contents {
        var entries: [Entry] = []
        var workers: [String: (worker: WorkerDefinition, plugin: String)] = [:]
        /// Libraries that are loaded on demand, by plugin name.
        var offers: [String: String] = [:]
        /// The help for plugins whose libraries are missing, by plugin name.
        var absences: [String: String] = [:]
        var help = "load the plugin that offers it into the WorkerRegistry"
    }

    private let contents = Mutex(Contents())

    /// Makes a registry without workers.
    public init() {}

    /// Makes a registry with the workers of built-in plugins.
    ///
    /// - Throws: A ``PluginError`` for a name that is invalid or taken.
    public convenience init(_ plugins: [Plugin]) throws(PluginError) {
        self.init()
        for plugin in plugins { try register(plugin) }
    }

    /// The plugins in the order of their registration.
    public var plugins: [Entry] { contents.withLock { $0.entries } }

    /// All workers, sorted by name.
    public var workers: [WorkerDefinition] {
        contents.withLock { $0.workers.values.map(\.worker) }.sorted { $0.name < $1.name }
    }

    /// Adds the workers of a plugin, all or none.
    ///
    /// ```swift
    /// try registry.register(greeter)
    /// ```
    ///
    /// - Throws: A ``PluginError`` for a name that is invalid or taken.
    public func register(_ plugin: Plugin) throws(PluginError) {
        try add(Entry(plugin: plugin, file: nil))
    }

    /// Loads a plugin from a shared library and adds its workers, all or none.
    ///
    /// A relative path starts at the current folder.
    ///
    /// ```swift
    /// try registry.load("plugins/libtea.so")
    /// ```
    ///
    /// - Warning: The library's code runs with all rights of this process, and is never unloaded.
    /// - Throws: A ``PluginError``.
    @discardableResult
    public func load(_ path: String) throws(PluginError) -> Plugin {
        let file = try PluginLibrary.locate(path)
        if let known = plugins.first(where: { $0.file == file }) { return known.plugin }
        let plugin = try PluginLibrary(file: file).plugin
        try add(Entry(plugin: plugin, file: file))
        return plugin
    }

    /// Names a library to load when a worker of its plugin is first requested.
    ///
    /// A registered plugin of this name takes precedence.
    ///
    /// ```swift
    /// registry.offer("tea", in: "/opt/plugins/libtea.so")  // loaded for tea.brew, for example
    /// ```
    public func offer(_ plugin: String, in path: String) {
        contents.withLock { contents in
            guard !contents.entries.contains(where: { $0.plugin.name == plugin }) else { return }
            contents.offers[plugin] = path
        }
    }

    /// Names a plugin whose library is missing, so that the error for its workers gives help.
    ///
    /// ```swift
    /// registry.miss("sqlite", help: "install libsqlite3-dev and build again")
    /// ```
    public func miss(_ plugin: String, help: String) {
        contents.withLock { contents in
            guard !contents.entries.contains(where: { $0.plugin.name == plugin }) else { return }
            contents.absences[plugin] = help
        }
    }

    /// Sets the help for a worker that no plugin offers, where plugins are loaded in another way.
    package func setHelp(forUnknownWorkers help: String) {
        contents.withLock { $0.help = help }
    }

    /// The plugins whose libraries are missing, by name, with help.
    public var missing: [(plugin: String, help: String)] {
        contents.withLock { $0.absences }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Loads all offered libraries, for a list of all workers.
    ///
    /// - Throws: A ``PluginError`` for the first one that cannot be loaded.
    public func loadOffers() throws(PluginError) {
        for (_, path) in contents.withLock({ $0.offers }).sorted(by: { $0.key < $1.key }) {
            try load(path)
        }
    }

    /// The worker with a name.
    ///
    /// ```swift
    /// _ = try registry.worker(named: "file.reed")  // throws … Did you mean 'file.read'?
    /// ```
    ///
    /// - Throws: A `WorkerError` with the code `unknown_worker` and a suggestion, or with the
    ///   reason why an offered library cannot be loaded.
    public func worker(named name: String) throws(WorkerError) -> WorkerDefinition {
        if let known = contents.withLock({ $0.workers[name]?.worker }) { return known }
        let plugin = name.prefix { $0 != "." }
        // Loaded outside the lock, because the library's own code runs meanwhile.
        if let path = contents.withLock({ $0.offers[String(plugin)] }) {
            do throws(PluginError) {
                try load(path)
            } catch {
                throw WorkerError(
                    "unknown_worker", "worker '\(name)': \(error.message)", help: error.help)
            }
        }
        let (found, names) = contents.withLock { contents in
            (contents.workers[name]?.worker, Array(contents.workers.keys))
        }
        if let found { return found }
        if let help = contents.withLock({ $0.absences[String(plugin)] }) {
            throw WorkerError(
                "unknown_worker", "worker '\(name)': the plugin \(plugin) is not built",
                help: help)
        }
        let near = didYouMean(name, among: names)
        throw WorkerError(
            "unknown_worker", "there is no worker '\(name)'\(near)",
            help: near.isEmpty ? contents.withLock(\.help) : nil)
    }

    private func add(_ entry: Entry) throws(PluginError) {
        try PluginRules.check(entry.plugin)
        let taken: (name: String, plugin: String)? = contents.withLock { contents in
            // Two threads may have loaded the library at the same time.
            if let file = entry.file, contents.entries.contains(where: { $0.file == file }) {
                return nil
            }
            for worker in entry.plugin.workers {
                if let known = contents.workers[worker.name] { return (worker.name, known.plugin) }
            }
            for worker in entry.plugin.workers {
                contents.workers[worker.name] = (worker, entry.plugin.name)
            }
            contents.entries.append(entry)
            contents.offers[entry.plugin.name] = nil
            contents.absences[entry.plugin.name] = nil
            return nil
        }
        guard let taken else { return }
        throw PluginError(
            .duplicateWorker,
            "the plugin '\(entry.plugin.name)' has a worker '\(taken.name)', as the plugin "
                + "'\(taken.plugin)' does",
            help: "use one of the two")
    }
}
