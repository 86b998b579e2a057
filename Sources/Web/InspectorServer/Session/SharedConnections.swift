import HTTPServing
import NIOCore

/// The connections for requests without a stream, one per set of scopes.
actor SharedConnections {
    private let options: InspectorOptions
    private let group: any EventLoopGroup
    private var opening: [[InspectorScope]: Task<SessionConnection, any Error>] = [:]

    init(_ options: InspectorOptions, on group: any EventLoopGroup) {
        self.options = options
        self.group = group
    }

    func connection(for scopes: [InspectorScope]) async throws(Problem) -> SessionConnection {
        if let task = opening[scopes], let connection = try? await task.value, !connection.isOver {
            return connection
        }
        let (options, group) = (options, group)
        let task = Task {
            try await SessionConnection.open(
                options, on: group, scopes: scopes, keepsEvents: false
            ).connection
        }
        opening[scopes] = task
        do {
            return try await task.value
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .sessionGone
        }
    }

    func close() async {
        for task in opening.values { (try? await task.value)?.close("closed") }
        opening = [:]
    }
}
