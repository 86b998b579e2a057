import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// Keeps the connections of a server until they are closed, and closes the rest when it has ended.
///
/// A connection that arrives as the server ends is handed to nobody. NIO ends the process when the
/// last reference to the writer of an open connection goes.
struct OpenConnections<Wrapped: ServerChildChannel>: ServerChildChannel {
    private let wrapped: Wrapped
    private let open = Open()

    init(_ wrapped: Wrapped) { self.wrapped = wrapped }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Wrapped.Value> {
        wrapped.setup(channel: channel, logger: logger).map { value in
            open.add(channel)
            channel.closeFuture.whenComplete { _ in
                withExtendedLifetime(value) { open.remove(channel) }
            }
            return value
        }
    }

    func handle(value: Wrapped.Value, logger: Logger) async {
        await wrapped.handle(value: value, logger: logger)
    }

    /// Closes all connections, those that arrive later too.
    func end() { open.end() }

    private final class Open: Sendable {
        private let channels = Mutex<[ObjectIdentifier: any Channel]?>([:])

        func add(_ channel: any Channel) {
            let isLate = channels.withLock { channels in
                channels?[ObjectIdentifier(channel)] = channel
                return channels == nil
            }
            if isLate { channel.close(promise: nil) }
        }

        func remove(_ channel: any Channel) {
            channels.withLock { $0?[ObjectIdentifier(channel)] = nil }
        }

        func end() {
            let left = channels.withLock { channels in
                defer { channels = nil }
                return channels
            }
            for channel in (left ?? [:]).values { channel.close(promise: nil) }
        }
    }
}
