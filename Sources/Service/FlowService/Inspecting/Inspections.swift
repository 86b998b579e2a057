import HTTPServing
import HummingbirdCore
import InspectorServer
import PlainValue
import Timers

/// The copies of the inspected sessions, by session id. A copy is made for the first page of a
/// session and closed some time after the last.
actor Inspections {
    private final class Place {
        let opening: Task<Inspection, any Error>
        var inspection: Inspection?
        /// Runs until the copy is closed.
        var following: Task<Void, Never>?

        /// True if no page shows it.
        var isUnused: Bool { inspection?.gateway.streamCount == 0 }

        init(_ opening: Task<Inspection, any Error>) { self.opening = opening }
    }

    private let sessions: ServedSessions
    private let limits: ServiceLimits
    private var places: [Name: Place] = [:]
    private var isClosed = false

    init(_ sessions: ServedSessions, _ limits: ServiceLimits) {
        self.sessions = sessions
        self.limits = limits
    }

    /// Opens a stream of news of a session or a fork.
    func stream(
        of id: String, for request: Request, _ access: Access,
        while isStillGranted: @escaping @Sendable () async -> Bool,
        unless refusal: @escaping @Sendable () async -> String?
    ) async throws(Problem) -> Response {
        let inspection = try await inspection(of: id)
        do throws(Problem) {
            return try await inspection.gateway.stream(
                for: request, access, telling: inspection.about, while: isStillGranted,
                unless: refusal)
        } catch {
            leave(id)
            throw error
        }
    }

    func known(_ id: String) throws(Problem) -> Inspection {
        guard let inspection = places[Name(id)]?.inspection else {
            throw Problem(
                .notFound, "gone", "No such stream", detail: "Open another one.")
        }
        return inspection
    }

    func close() async {
        isClosed = true
        let open = places.values
        for place in open { await (try? place.opening.value)?.stop() }
        for place in open { await place.following?.value }
    }

    // MARK: Opening and giving up

    private func inspection(of id: String) async throws(Problem) -> Inspection {
        while places[Name(id)] == nil, places.count >= limits.inspections {
            guard let unused = places.values.first(where: \.isUnused) else {
                throw .tooMany(limits.inspections)
            }
            await unused.inspection?.stop()
            await unused.following?.value
        }
        guard !isClosed else { throw .ends }
        let place = places[Name(id)] ?? open(id)
        return try await problems { [opening = place.opening] in try await opening.value }
    }

    private func open(_ id: String) -> Place {
        assert(places[Name(id)] == nil)
        let (sessions, limits) = (sessions, limits)
        let place = Place(
            Task {
                try await Inspection.open(id, in: sessions, limits) { [weak self] in
                    Task { await self?.leave(id) }
                }
            })
        places[Name(id)] = place
        place.following = Task { await follow(id, place) }
        return place
    }

    private func follow(_ id: String, _ place: Place) async {
        let inspection = try? await place.opening.value
        place.inspection = inspection
        let reason = await inspection?.follow() ?? ""
        if places[Name(id)] === place { places[Name(id)] = nil }
        await inspection?.close(reason)
    }

    /// Closes an inspection later, unless a page shows it by then.
    private func leave(_ id: String) {
        guard let place = places[Name(id)], place.isUnused, let inspection = place.inspection else {
            return
        }
        Task { [linger = limits.inspectionLinger] in
            // Nobody cancels this task, so the sleep does not fail.
            try? await TimerClock().sleep(for: linger)
            if inspection.gateway.streamCount == 0 { await inspection.stop() }
        }
    }
}

extension Problem {
    fileprivate static func tooMany(_ most: Int) -> Problem {
        Problem(
            .serviceUnavailable, "busy", "Too many inspected sessions",
            detail: "At most \(most) are at a time. Close the page of one of them.", retryAfter: 2)
    }

    static let ends = Problem(
        .serviceUnavailable, "draining", "Service ending",
        detail: "Ask again when it is back.", retryAfter: 1)
}
