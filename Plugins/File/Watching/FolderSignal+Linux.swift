#if os(Linux)
    import Dispatch
    import LibC
    import Synchronization
    import WorkerKit

    /// Tells that something happened in a folder, by inotify.
    final class FolderSignal {
        /// An element when there are news; several happenings may be one.
        let rings: AsyncStream<Void>

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
            let (rings, continuation) = AsyncStream<Void>.makeStream(
                bufferingPolicy: .bufferingNewest(1))
            source = DispatchSource.makeReadSource(fileDescriptor: inotify.number)
            source.setEventHandler {
                queue.fetch()
                continuation.yield()
            }
            // Holds the descriptor until the source has let go of it.
            source.setCancelHandler { withExtendedLifetime(inotify) {} }
            source.activate()
            self.rings = rings
            self.queue = queue
        }

        deinit { source.cancel() }

        /// The news since the last time, up to now.
        func take() -> FolderNews { queue.take() }
    }

    /// What inotify has told and nobody has taken yet.
    private final class Queue: Sendable {
        private let inotify: Descriptor
        private let news = Mutex(FolderNews())

        init(_ inotify: Descriptor) { self.inotify = inotify }

        /// Gets what is there.
        func fetch() {
            news.withLock { news in
                var bytes = [UInt8](repeating: 0, count: 16 * 1024)
                // Another time if there is more and more: the source rings again.
                for _ in 1...64 {
                    let count = read(inotify.number, &bytes, bytes.count)
                    guard count > 0 else { return }
                    news.add(inotify: bytes[..<count])
                }
            }
        }

        func take() -> FolderNews {
            fetch()
            return news.withLock { news in
                defer { news = FolderNews() }
                return news
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
