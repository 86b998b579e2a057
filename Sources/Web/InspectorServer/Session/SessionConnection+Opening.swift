import HTTPServing
import NIOCore
import PlainValue

extension SessionConnection {
    /// Connects to a session, or to the fork with a number, which has its own socket, and narrows
    /// the connection to the scopes; it then gets only news. Returns the name of the flow as well.
    static func open(
        _ options: InspectorOptions, on group: any EventLoopGroup, scopes: [InspectorScope],
        session: Int? = nil, keepsEvents: Bool
    ) async throws(Problem) -> (connection: SessionConnection, flow: String?) {
        let connection = SessionConnection(limits: options.limits, keepsEvents: keepsEvents)
        do throws(Problem) {
            try await connection.connect(
                to: options.socket + (session.map { ".\($0)" } ?? ""), on: group)
        } catch {
            throw session == nil ? error : .noSession
        }
        do throws(Problem) {
            let names = scopes.map { Value.string($0.rawValue) }
            try await connection.require(["do": "narrow", "to": .list(of: names)], .cannotNarrow)
            try await connection.require(["do": "follow"], .cannotNarrow)
            connection.becomeReady()
            let status = try await connection.request(["do": "status"])
            return (connection, status.value["value"]?["flow"]?.string)
        } catch {
            connection.close("refused")
            throw error
        }
    }

    private func require(_ request: Value.Record, _ problem: Problem) async throws(Problem) {
        guard try await self.request(request).error == nil else { throw problem }
    }
}

extension Problem {
    fileprivate static let noSession = Problem(
        .notFound, "not_found", "No such session", detail: "It has been ended.")

    fileprivate static let cannotNarrow = Problem(
        .badGateway, "connection", "Session of another version",
        detail: "Its program is of an earlier version: build it again.")
}
