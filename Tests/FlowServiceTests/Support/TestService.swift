import FlowService
import RawHTTP
import TestSupport
import WorkflowKit

extension ServiceLimits {
    /// However slow the machine is, nothing ends for its time.
    mutating func setTimesUnreached() {
        idleTime = .unreached
        headerTime = .unreached
        bodyTime = .unreached
        processWait = .unreached
        inspectionLinger = .unreached
    }
}

final class TestService: RawServer, Sendable {
    static let counter = """
        return {
            name = "counter",
            state = function() return { count = 0 } end,
            apply = { add = function(state, action) state.count = state.count + (action.n or 1) end },
            render = function(state, context)
                return { count = state.count, add = context:sink("add") }
            end,
        }
        """

    let folder: Folder
    let service: FlowService

    var port: Int { service.port }
    /// The header with the token created at the start.
    var bearer: String { "Authorization: Bearer \(service.token ?? "")" }

    init(
        _ files: [String: String] = ["counter.lua": counter],
        _ change: (inout ServiceOptions, Folder) -> Void = { _, _ in }
    ) async throws {
        folder = try Folder(files)
        let flows = files.keys.filter { $0.hasSuffix(".lua") }.sorted()
        var options = ServiceOptions(
            flows: flows.map { [folder] in
                .init(file: folder.path($0), options: FlowOptions(limits: .unhurried))
            },
            store: folder.path("sessions.db"))
        options.port = 0
        options.limits.setTimesUnreached()
        change(&options, folder)
        service = try await FlowService(options)
    }

    func get(_ path: String, _ headers: [String]? = nil) async throws -> RawAnswer {
        try await ask(.get(path, headers ?? [bearer]))
    }
}
