import WorkerKit

enum PluginRules {
    static func check(_ plugin: Plugin) throws(PluginError) {
        guard isWord(plugin.name) else {
            throw PluginError(
                .badWorker, "'\(plugin.name.prefix(60))' cannot be the name of a plugin",
                help: "use lower-case letters, digits, '_' and '-'")
        }
        var names: Set<String> = []
        for worker in plugin.workers {
            let parts = worker.name.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count > 1, parts.allSatisfy({ isWord($0) }) else {
                throw PluginError(
                    .badWorker,
                    "'\(worker.name.prefix(60))' of the plugin '\(plugin.name)' cannot be the name "
                        + "of a worker",
                    help: "write it like 'http.get'")
            }
            guard names.insert(worker.name).inserted else {
                throw PluginError(
                    .duplicateWorker,
                    "the plugin '\(plugin.name)' has two workers '\(worker.name)'")
            }
            try checkNeeds(worker, plugin)
        }
    }

    /// Refuses needs that no input can meet, because they would leave a worker unchecked.
    private static func checkNeeds(
        _ worker: WorkerDefinition, _ plugin: Plugin
    ) throws(PluginError) {
        for need in worker.needs {
            var isGood = isKind(need.kind) && need.target != ""
            if let field = need.field, case .record(let fields) = worker.input {
                isGood = isGood && fields.contains { $0.name == field }
            }
            guard isGood else {
                throw PluginError(
                    .badWorker,
                    """
                    '\(need)' cannot be what '\(worker.name)' of the plugin '\(plugin.name)' needs
                    """,
                    help: "write a kind and a field of the input, such as http={url}")
            }
        }
    }

    private static func isKind(_ text: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { isWord($0) }
    }

    private static func isWord(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.count <= 64
            && text.utf8.allSatisfy("abcdefghijklmnopqrstuvwxyz0123456789_-".utf8.contains)
    }
}
