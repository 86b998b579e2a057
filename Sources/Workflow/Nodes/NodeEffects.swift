/// The side effects of one node: those that run and those that the render under way declared.
final class NodeEffects {
    private struct Slot {
        let key: AnyHashable
        let lifetime = Lifetime()
        /// What starts it; `nil` once it runs.
        var start: ((Lifetime) -> Void)?
        var pass: Int
        let site: CallSite
    }

    private var slots: [Slot] = []

    /// The keys of all.
    var keys: [AnyHashable] { slots.map(\.key) }

    /// The keys of those that run.
    var runningKeys: [String] { slots.filter { $0.start == nil }.map { "\($0.key)" } }

    /// Declares a side effect in a pass; where one with this key was declared in it already, its place.
    func declare(
        _ key: AnyHashable, pass: Int, site: CallSite, start: @escaping (Lifetime) -> Void
    ) -> CallSite? {
        guard let index = slots.firstIndex(where: { $0.key == key }) else {
            slots.append(Slot(key: key, start: start, pass: pass, site: site))
            return nil
        }
        if slots[index].pass == pass { return slots[index].site }
        slots[index].pass = pass
        return nil
    }

    func stopUndeclared(in pass: Int) {
        let stopped = slots.filter { $0.pass != pass }
        guard !stopped.isEmpty else { return }
        slots.removeAll { $0.pass != pass }
        for slot in stopped where slot.start == nil { slot.lifetime.end() }
    }

    func startDeclared() {
        for index in slots.indices {
            guard let start = slots[index].start else { continue }
            slots[index].start = nil
            start(slots[index].lifetime)
        }
    }

    func forgetUnstarted() {
        slots.removeAll { $0.start != nil }
    }

    func endAll() {
        let ended = slots
        slots = []
        for slot in ended where slot.start == nil { slot.lifetime.end() }
    }
}
