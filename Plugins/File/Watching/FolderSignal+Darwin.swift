#if canImport(Darwin)
    import Dispatch
    import LibC
    import WorkerKit

    /// Tells that something may have happened in a folder.
    ///
    /// The system tells when names come and go, but not when a file is written to; so there is a signal
    /// each second as well.
    final class FolderSignal {
        /// An element when it is time to look; several events may be one.
        let signals: AsyncStream<Void>

        private let source: any DispatchSourceFileSystemObject
        private let timer: any DispatchSourceTimer

        /// Starts to listen.
        ///
        /// - Parameter path: The path as the flow wrote it, for errors.
        init(_ folder: Folder, of path: String) throws(WorkerError) {
            let descriptor = try at(path) { () throws(Failure) in try folder.opened() }
            let (signals, continuation) = AsyncStream<Void>.makeStream(
                bufferingPolicy: .bufferingNewest(1))
            source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: descriptor.number, eventMask: [.write, .delete, .rename, .revoke])
            source.setEventHandler { continuation.yield() }
            // Holds the descriptor until the source has let go of it.
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

        /// Nothing: what is there tells more than the system does.
        func drain() -> FolderChanges { FolderChanges() }
    }
#endif
