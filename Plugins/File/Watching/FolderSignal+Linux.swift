#if os(Linux)
    import Dispatch
    import LibC
    import Synchronization
    import WorkerKit

    /// Signals changes in a folder, with inotify.
    final class FolderSignal {
        /// An element for each change; one may stand for several events.
        let signals: AsyncStream<Void>

        private let source: any DispatchSourceRead
        private let queue: Queue

        /// - Parameter links: The folders in which a link on the way to this one may be replaced.
        init(_ folder: OpenFolder, links: Set<String>, of path: String) throws(WorkerError) {
            let inotify: Descriptor
            do throws(Failure) {
                inotify = try Descriptor(inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)))
            } catch {
                throw .noWatch(path, error.number)
            }
            let events =
                IN_CREATE | IN_DELETE | IN_MODIFY | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
                | IN_MOVE_SELF | IN_ONLYDIR
            // Watches the open folder itself, whatever is at its path by now.
            let watched = inotify_add_watch(
                inotify.number, "/proc/self/fd/\(folder.descriptor.number)", UInt32(events))
            guard watched >= 0 else { throw .noWatch(path, errno) }
            for link in links {
                // One may be the folder itself, whose events stay as they are.
                let names = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR
                _ = inotify_add_watch(inotify.number, link, UInt32(names) | UInt32(IN_MASK_ADD))
            }

            let queue = Queue(inotify, of: watched)
            let (signals, continuation) = AsyncStream<Void>.makeStream(
                bufferingPolicy: .bufferingNewest(1))
            source = DispatchSource.makeReadSource(fileDescriptor: inotify.number)
            source.setEventHandler {
                queue.fetch()
                continuation.yield()
            }
            // Keeps the descriptor open until the source has released it.
            source.setCancelHandler { withExtendedLifetime(inotify) {} }
            source.activate()
            self.signals = signals
            self.queue = queue
        }

        deinit { source.cancel() }

        func drain() -> FolderChanges { queue.drain() }
    }

    /// The pending events of inotify.
    private final class Queue: Sendable {
        private let inotify: Descriptor
        private let watched: Int32
        private let changes = Mutex(FolderChanges())

        init(_ inotify: Descriptor, of watched: Int32) {
            self.inotify = inotify
            self.watched = watched
        }

        func fetch() {
            changes.withLock { changes in
                var bytes = [UInt8](repeating: 0, count: 16 * 1024)
                // Limited, in case events keep coming. The source fires again for the rest.
                for _ in 1...64 {
                    let count = read(inotify.number, &bytes, bytes.count)
                    guard count > 0 else { return }
                    changes.parse(inotify: bytes[..<count], of: watched)
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
