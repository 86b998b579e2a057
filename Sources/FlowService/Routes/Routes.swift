import HTTPServing
import HTTPTypes
import HummingbirdCore
import PlainValue

/// What the service answers besides the state of its own.
struct Routes: Sendable {
    let flows: FlowTable
    let sessions: ServedSessions
    let inspections: Inspections
    let limits: ServiceLimits
    let files: ServiceFiles

    /// All routes.
    var all: [Route] {
        [
            Route(.get, "/flows", .read) { [flows] _ in
                .json(["flows": .list(Value.List(flows.all.map(\.record)))])
            }
        ] + SessionRoutes(sessions: sessions, limits: limits).all
            + InspectRoutes(sessions: sessions, inspections: inspections, limits: limits).all
            + files.routes
    }
}
