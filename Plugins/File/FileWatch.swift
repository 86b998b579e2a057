import WorkerKit

/// `file.watch`: reports changes in a folder or of a file.
struct FileWatch: EmittingPluginWorker {
    static let name = "file.watch"
    static let summary = "Tells each change of a file, or of what is in a folder."
    static let needs: [WorkerNeed] = ["file.read={path}"]

    /// The time for which changes are collected: an editor saves a file in several steps.
    private static let pause = Duration.milliseconds(50)

    struct Input: Codable, Sendable {
        var path: String
    }

    enum Event: String, Codable, Sendable, CaseIterable {
        case created, modified, removed, renamed
        /// Some changes may be missing.
        case overflow
    }

    struct Output: Codable, Sendable, Equatable {
        var path: String
        var event: Event
        /// The old path of a renamed file.
        var from: String?
    }

    func run(
        _ input: Input, context: WorkerContext, outputs: WorkerEmitter<Output>
    ) async throws {
        var before: WatchState?
        while true {
            // Where links lead elsewhere by now, that must be granted, too.
            let granted = try context.require(.fileRead(input.path))
            var state = try WatchState(input.path, at: granted, from: context.folder)
            let signal = try FolderSignal(
                try state.folder(), links: LinkFolders.of(input.path, from: context.folder),
                of: input.path)
            // The first listing is made after changes are being reported, so that none is missed.
            try state.look()
            if let before {
                for change in state.changes(since: before) { try await outputs.send(change) }
            } else {
                context.log.debug("watching \(input.path)")
            }
            var signals = signal.signals.makeAsyncIterator()
            while !state.leadsElsewhere {
                guard await signals.next() != nil else { return try Task.checkCancellation() }
                try await context.sleep(for: Self.pause)
                if state.leadsElsewhere { break }
                let changes = signal.drain()
                if changes.hasOverflowed {
                    context.log.warning("some changes of \(input.path) may not have been told")
                }
                for change in try state.changes(after: changes) { try await outputs.send(change) }
                if state.isGone { return }
            }
            before = state
        }
    }
}
