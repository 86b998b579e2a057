import PlainValue
import WorkflowKit

// Keeps the open sessions, and closes some to make room.
extension SessionPool {
    private static let attempts = 4

    /// Opens a session, or reuses the open one, and counts its user. Checks one that is created.
    func acquire(
        _ id: String, _ way: Way, _ opening: Opening?, _ allow: SessionCheck?
    ) async throws -> (session: StoredSession, place: ObjectIdentifier) {
        while true {
            try await untilSettled(id)
            let known = places[Name(id)]
            let place = known ?? makePlace(id, way, opening, allow)
            place.users += 1
            do {
                let session = try await place.session.value
                if known != nil, case .create(let key) = way {
                    try await store.validate(key, hasBegun: id)
                }
                useCount += 1
                place.lastUse = useCount
                await makeRoom()
                return (session, ObjectIdentifier(place))
            } catch {
                leave(place, of: id)
                let isOpen = (try? await place.session.value) != nil
                // The next call tries again.
                if !isOpen, places[Name(id)] === place { places[Name(id)] = nil }
                // An error of one way of opening, or one creator, need not apply to another.
                if isOpen || known == nil || place.way == way && way.mayExist { throw error }
            }
        }
    }

    /// Waits while a session is being closed or deleted.
    private func untilSettled(_ id: String) async throws {
        while true {
            if let deletion = deletions[Name(id)] {
                await untilOver(deletion, of: id)
            } else if let place = places[Name(id)], let closing = place.closing {
                end(place, of: id, isLeft: await closing.value)
            } else {
                break
            }
        }
        guard !isClosed else { throw StoreError.closedPool() }
    }

    /// Waits until a session is deleted. The first task to notice it removes the entry.
    func untilOver(_ deletion: Task<Void, any Error>, of id: String) async {
        _ = await deletion.result
        if deletions[Name(id)] == deletion { deletions[Name(id)] = nil }
    }

    func release(_ id: String, _ place: ObjectIdentifier) async {
        guard let known = places[Name(id)], ObjectIdentifier(known) == place else { return }
        leave(known, of: id)
        await makeRoom()
    }

    private func leave(_ place: Place, of id: String) {
        assert(place.users > 0)
        place.users -= 1
        guard place.users == 0, places[Name(id)] === place else { return }
        unused.add(
            UseOrder.Entry(id: id, use: place.lastUse), holds: isUnused, of: places.count)
    }

    private func isUnused(_ entry: UseOrder.Entry) -> Bool {
        guard let place = places[Name(entry.id)] else { return false }
        return place.users == 0 && place.closing == nil && place.lastUse == entry.use
    }

    private func makePlace(
        _ id: String, _ way: Way, _ opening: Opening?, _ allow: SessionCheck?
    ) -> Place {
        let (store, storage, executor, watch) = (store, storage, executor, watch)
        let suspension = suspension
        let (prepare, onEvent, onNews) = (prepare, onEvent, onNews)
        let place = Place(
            way,
            Task(executorPreference: executor) {
                let contents = way.mayExist ? try await store.contents(of: id) : nil
                if contents == nil, way == .resume { throw StoreError.notFound(id) }
                var opening =
                    if let opening { opening } else { try await prepare(id, contents?.summary) }
                opening.options.executor = executor
                opening.options.watch = watch.watching(.init(id))
                let session = StoredSession(
                    id, of: opening.source, in: store, options: opening.options,
                    storage: storage, suspension: suspension, onEvent: { onEvent(id, $0) })
                await session.follow { onNews(id, $0) }
                await self.note(session, at: id)
                if let contents {
                    try await session.resume(from: contents)
                } else if case .create(let key) = way {
                    try await session.beginOnce(for: key, allow: allow)
                } else {
                    try await session.beginUnlessBegun()
                }
                return session
            })
        places[Name(id)] = place
        return place
    }

    /// Notes a session that is being opened, so that it can be given up.
    private func note(_ session: StoredSession, at id: String) {
        places[Name(id)]?.opened = session
    }

    // MARK: Closing

    /// Closes the least recently used sessions while there are too many.
    private func makeRoom() async {
        var attempts = Self.attempts
        while places.count - closingCount > limit, attempts > 0,
            let entry = unused.removeFirst(where: isUnused), let place = places[Name(entry.id)]
        {
            if await close(place, of: entry.id) { continue }
            attempts -= 1
            guard isUnused(entry) else { continue }
            // Try the others first.
            useCount += 1
            place.lastUse = useCount
            unused.add(
                UseOrder.Entry(id: entry.id, use: useCount), holds: isUnused, of: places.count)
        }
    }

    /// Closes an unused session. A session with running workers stays open, and so does one with
    /// resting workers if nobody would wake it.
    private func close(_ place: Place, of id: String) async -> Bool {
        let closing = Task(executorPreference: executor) { [onSleep, session = place.session] in
            guard let session = try? await session.value else { return true }
            do {
                _ = try await session.close { session in
                    onSleep == nil ? !session.hasRunningWorkers : session.mayBeClosed
                }
            } catch is StillAtWork {
                return false
            } catch {
                // Acknowledged changes are stored even if the last snapshot is not.
            }
            if let onSleep, let wakeUp = await session.wakeUp { onSleep(wakeUp) }
            return true
        }
        assert(place.closing == nil)
        place.closing = closing
        closingCount += 1
        let isLeft = await closing.value
        closingCount -= 1
        assert(closingCount >= 0)
        end(place, of: id, isLeft: isLeft)
        return isLeft
    }

    /// Handles the end of closing. The first task to notice it does so.
    private func end(_ place: Place, of id: String, isLeft: Bool) {
        place.closing = nil
        if isLeft, places[Name(id)] === place { places[Name(id)] = nil }
    }

    /// The ids of the open sessions, in an order that is the same in each run.
    private var ids: [String] { places.keys.map(\.text).sorted() }

    /// Stops the workers that another host runs by now, after ``StoreBeat/wasLate``.
    package func yieldWorkers() async {
        await forAllOpen { try await $0.yieldWorkers() }
    }

    /// Stops all workers until ``resumeWorkers()``, because another host may soon run them.
    package func suspendWorkers() async {
        suspension.isOn = true
        await forAllOpen { await $0.suspendWorkers() }
    }

    /// Starts the workers that were stopped or left for later, and are still this host's.
    package func resumeWorkers() async {
        suspension.isOn = false
        await forAllOpen { await $0.resumeWorkers() }
    }

    private func forAllOpen(_ body: @escaping @Sendable (StoredSession) async throws -> Void) async
    {
        await withDiscardingTaskGroup { group in
            for id in ids { group.addTask { [self] in try? await resume(id, body) } }
        }
    }

    /// Opens a session whose workers belong to this host, so that they run, and has it follow what
    /// other hosts stored; see ``StoreBeat``.
    ///
    /// - Throws: Also a ``StoreError`` with the code `busy` while no worker may start.
    package func wake(_ id: String) async throws {
        if suspension.isOn { throw StoreError.stoppedWorkers() }
        // One that is not open finds what is stored.
        let wasOpen = places[Name(id)] != nil
        try await resume(id) { if wasOpen { try await $0.takeWorkers() } }
    }

    /// Closes a session if it is open, unused and has no running workers.
    ///
    /// ```swift
    /// await pool.close("groceries")
    /// print(await pool.openCount)
    /// ```
    public func close(_ id: String) async {
        guard let place = places[Name(id)], place.users == 0, place.closing == nil else { return }
        if await close(place, of: id) { return }
        unused.add(UseOrder.Entry(id: id, use: place.lastUse), holds: isUnused, of: places.count)
    }

    /// Closes all sessions after their current calls. Later calls throw `closed`.
    ///
    /// ```swift
    /// let abandoned = await pool.close(within: .seconds(5))
    /// print(abandoned)  // ["kitchen": ["brew"]]
    /// ```
    ///
    /// - Parameter limit: The time that workers have to end.
    /// - Returns: The names of abandoned workers by session id.
    @discardableResult
    public func close(within limit: Duration = .seconds(2)) async -> [String: [String]] {
        isClosed = true
        var abandoned: [String: [String]] = [:]
        await withTaskGroup(of: (String, [String]).self) { group in
            for id in ids {
                guard let place = places[Name(id)] else { continue }
                let (session, closing) = (place.session, place.closing)
                group.addTask { [self] in
                    let abandoned = try? await watching(.init(id)) {
                        _ = await closing?.value
                        return try await session.value.close(within: limit)
                    }
                    return (id, abandoned ?? [])
                }
            }
            for await (id, names) in group where !names.isEmpty { abandoned[id] = names }
        }
        for deletion in deletions.values { _ = await deletion.result }
        places = [:]
        return abandoned
    }
}
