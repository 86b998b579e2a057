#if canImport(Darwin)
    import Dispatch
    import LibC
    import WorkerKit

    /// Signals possible changes in a folder. The system reports new and removed names, but no
    /// writing. So it signals each second, too.
    final class FolderSignal {
        /// An element for each time to look; one may stand for several events.
        let signals: AsyncStream<Void>

        private let source: any DispatchSourceFileSystemObject
        private let timer: any DispatchSourceTimer

        /// - Parameter links: Not needed: the signal of each second shows where links lead.
        init(_ folder: OpenFolder, links: Set<String>, of path: String) throws(WorkerError) {
            let descriptor = try at(path) { () throws(Failure) in try folder.opened() }
            let (signals, continuation) = AsyncStream<Void>.makeStream(
                bufferingPolicy: .bufferingNewest(1))
            source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: descriptor.number, eventMask: [.write, .delete, .rename, .revoke])
            source.setEventHandler { continuation.yield() }
            // Keeps the descriptor open until the source has released it.
            source.setCancelHandler { withExtendedLifetime(descriptor) {} }
            timer = DispatchSource.makeTimerSource()
            timer.schedule(deadline: .now() + 1, repeating: 1)
            timer.setEventHandler { continuation.yield() }
            self.signals = signals
            source.activate()
            timer.activate()
        }

        deinit {
            source.cancel()
            timer.cancel()
        }

        /// Always empty: the listing shows more than the system reports.
        func drain() -> FolderChanges { FolderChanges() }
    }
#endif
