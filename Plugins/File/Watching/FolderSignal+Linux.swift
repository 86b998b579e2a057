#if os(Linux)
    import Dispatch
    import LibC
    import Synchronization
    import WorkerKit

    /// Tells that something happened in a folder, by inotify.
    final class FolderSignal {
        /// An element when something changed; several events may be one.
        let signals: AsyncStream<Void>

        private let source: any DispatchSourceRead
        private let queue: Queue

        /// Starts to listen.
        ///
        /// - Parameter path: The path as the flow wrote it, for errors.
        init(_ folder: Folder, of path: String) throws(WorkerError) {
            guard let inotify = Descriptor(inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))) else {
                throw .noWatch(path, errno)
            }
            let events =
                IN_CREATE | IN_DELETE | IN_MODIFY | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
                | IN_MOVE_SELF | IN_ONLYDIR
            // The open folder itself, whatever stands at its path by now.
            let watched = inotify_add_watch(
                inotify.number, "/proc/self/fd/\(folder.descriptor.number)", UInt32(events))
            guard watched >= 0 else { throw .noWatch(path, errno) }

            let queue = Queue(inotify)
            let (signals, continuation) = AsyncStream<Void>.makeStream(
                bufferingPolicy: .bufferingNewest(1))
            source = DispatchSource.makeReadSource(fileDescriptor: inotify.number)
            source.setEventHandler {
                queue.fetch()
                continuation.yield()
            }
            // Holds the descriptor until the source has let go of it.
            source.setCancelHandler { withExtendedLifetime(inotify) {} }
            source.activate()
            self.signals = signals
            self.queue = queue
        }

        deinit { source.cancel() }

        /// The changes since the last time, up to now.
        func drain() -> FolderChanges { queue.drain() }
    }

    /// What inotify has told and nobody has taken yet.
    private final class Queue: Sendable {
        private let inotify: Descriptor
        private let changes = Mutex(FolderChanges())

        init(_ inotify: Descriptor) { self.inotify = inotify }

        /// Gets what is there.
        func fetch() {
            changes.withLock { changes in
                var bytes = [UInt8](repeating: 0, count: 16 * 1024)
                // Another time if there is more and more: the source fires again.
                for _ in 1...64 {
                    let count = read(inotify.number, &bytes, bytes.count)
                    guard count > 0 else { return }
                    changes.parse(inotify: bytes[..<count])
                }
            }
        }

        func drain() -> FolderChanges {
            fetch()
            return changes.withLock { changes in
                defer { changes = FolderChanges() }
                return changes
            }
        }
    }

    extension WorkerError {
        static func noWatch(_ path: String, _ failure: Int32) -> WorkerError {
            guard [ENOSPC, EMFILE, ENFILE].contains(failure) else {
                return WorkerError(Failure(failure), at: path)
            }
            return WorkerError(
                "too_many_watches", "'\(path)' cannot be watched: too many files and folders are",
                help: "raise fs.inotify.max_user_instances and max_user_watches with sysctl")
        }
    }
#endif
