/// The side effects of one node: those that run and those that the current render declared. A
/// render that declares the same effects as the last one finds each with a single comparison.
/// Otherwise keys are looked up in an index, as with many children.
@usableFromInline
final class NodeEffects {
    @exclusivity(unchecked)
    @usableFromInline var slots = ContiguousArray<EffectSlot>()
    /// The index at which the next declared effect is likely to be.
    @exclusivity(unchecked)
    @usableFromInline var cursor = 0
    /// The last pass in which effects were declared.
    @exclusivity(unchecked)
    @usableFromInline var pass = 0
    /// The places of all keys, once there are many and one was not at its expected place.
    @exclusivity(unchecked)
    @usableFromInline var places: PlaceIndex?
    /// The hash of the key that the last search did not find in the index; read and written whole.
    @exclusivity(unchecked)
    @usableFromInline var missedHash: Int?
    @exclusivity(unchecked)
    @usableFromInline var hasUnstarted = false

    @inlinable
    init() {}

    var keys: [AnyHashable] { slots.map(\.anyKey) }

    var runningKeys: [String] { slots.filter { $0.start == nil }.map { "\($0.anyKey)" } }

    /// Declares a side effect in a pass. Returns the place of this key's earlier declaration in it.
    @inlinable
    func declare<Key: Hashable>(
        _ key: Key, pass: Int, site: CallSite, start: @escaping (Lifetime) -> Void
    ) -> CallSite? {
        if self.pass != pass {
            self.pass = pass
            cursor = 0
        }
        guard let place = find(key) else {
            if let missedHash { places?.append(hash: missedHash) }
            slots.append(KeyedEffectSlot(key: key, start: start, pass: pass, site: site))
            hasUnstarted = true
            cursor = slots.count
            assert(places == nil || places?.hashes.count == slots.count)
            return nil
        }
        cursor = place + 1
        let slot = slots[place]
        if slot.pass == pass { return slot.site }
        slot.pass = pass
        return nil
    }

    @inlinable
    func find<Key: Hashable>(_ key: Key) -> Int? {
        missedHash = nil
        if slots.isEmpty { return nil }
        if cursor < slots.count, slots[cursor].hasKey(key) { return cursor }
        if slots.count <= 8 { return slots.firstIndex { $0.hasKey(key) } }
        if places == nil { enterPlaces() }
        let hash = key.hashValue
        let place = places?.find(hash: hash) { slots[$0].hasKey(key) }
        if place == nil { missedHash = hash }
        return place
    }

    @usableFromInline
    func enterPlaces() {
        var entered = PlaceIndex(minimumCapacity: slots.count * 2)
        for slot in slots { entered.append(hash: slot.keyHash) }
        places = entered
    }

    func stopUndeclared(in pass: Int) {
        guard slots.contains(where: { $0.pass != pass }) else { return }
        // A handler may look at the tree, so the slots are settled before any lifetime ends.
        let before = slots
        remove { $0.pass != pass }
        for slot in before where slot.pass != pass && slot.start == nil { slot.lifetime.end() }
    }

    func startDeclared() {
        guard hasUnstarted else { return }
        hasUnstarted = false
        for slot in slots {
            guard let start = slot.start else { continue }
            slot.start = nil
            start(slot.lifetime)
        }
    }

    func forgetUnstarted() {
        guard hasUnstarted else { return }
        hasUnstarted = false
        remove { $0.start != nil }
    }

    func endAll() {
        let ended = slots
        slots = []
        places = nil
        for slot in ended where slot.start == nil { slot.lifetime.end() }
    }

    private func remove(_ isGone: (EffectSlot) -> Bool) {
        slots.removeAll(where: isGone)
        places = nil
    }
}

@usableFromInline
class EffectSlot {
    let lifetime = Lifetime()
    /// Starts the effect; `nil` once it runs.
    @exclusivity(unchecked)
    @usableFromInline final var start: ((Lifetime) -> Void)?
    @exclusivity(unchecked)
    @usableFromInline final var pass: Int
    @usableFromInline final let site: CallSite
    @usableFromInline final let keyType: ObjectIdentifier

    @usableFromInline
    init(
        keyType: ObjectIdentifier, start: @escaping (Lifetime) -> Void, pass: Int, site: CallSite
    ) {
        self.keyType = keyType
        self.start = start
        self.pass = pass
        self.site = site
    }

    /// The key; overridden by the slot that knows its type.
    var anyKey: AnyHashable { 0 }

    @usableFromInline var keyHash: Int { 0 }

    @inlinable
    final func hasKey<Key: Hashable>(_ key: Key) -> Bool {
        // Sound because the id is that of the key's type.
        keyType == ObjectIdentifier(Key.self)
            && unsafeDowncast(self, to: KeyedEffectSlot<Key>.self).key == key
    }
}

@usableFromInline
final class KeyedEffectSlot<Key: Hashable>: EffectSlot {
    @usableFromInline let key: Key

    @inlinable
    init(key: Key, start: @escaping (Lifetime) -> Void, pass: Int, site: CallSite) {
        self.key = key
        super.init(keyType: ObjectIdentifier(Key.self), start: start, pass: pass, site: site)
    }

    override var anyKey: AnyHashable { AnyHashable(key) }

    @inlinable override var keyHash: Int { key.hashValue }
}
