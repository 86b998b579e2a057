import LuaVM
import PlainValue

/// A version of a state with large tables, whose value is made on demand from the current tables
/// and the journal of changes since.
final class StateVersion {
    private var known: Value?
    private let vm: LuaVM
    /// The source of the value, until it is made.
    private var shared: LuaReference?
    private var plain: [UInt8]
    private var changes: StateChanges?
    /// The amount of earlier changes, in the unit of ``StateHistory``.
    let age: Int

    init(_ drafts: LuaDrafts, in vm: LuaVM, until changes: StateChanges, age: Int) {
        self.vm = vm
        shared = drafts.shared
        plain = drafts.plain
        self.changes = changes
        self.age = age
    }

    var hasValue: Bool { known != nil }

    /// The value, made if needed; `nil` if there is no memory for it.
    func read() -> Value? {
        if let known { return known }
        assert(shared != nil)
        guard let made = make() ?? retry() else { return nil }
        known = made
        changes = nil
        shared = nil
        plain = []
        return made
    }

    private func make() -> Value? {
        guard let shared else { return nil }
        var journals: [LuaReference] = []
        var link = changes
        while let next = link?.next {
            if let journal = link?.journal { journals.append(journal) }
            link = next
        }
        return vm.value(ofPlainPart: plain, shared: shared, before: journals)
    }

    private func retry() -> Value? {
        vm.collectGarbage()
        return make()
    }
}

/// The changes from one version of a state to the next; the newest has no journal yet. Versions
/// retain the links that they need, so unneeded ones are released with them.
final class StateChanges {
    var journal: LuaReference?
    var next: StateChanges?
}

/// The versions of a state since its tables were made.
struct StateHistory {
    private var changes = StateChanges()
    private var age = 0
    /// The versions that may still need the changes, oldest first.
    private var versions: [WeakVersion] = []

    private struct WeakVersion {
        weak var version: StateVersion?
    }

    /// The amount of changes after which an older version is made a value, to release its journal.
    private static let span = 64

    mutating func advance(
        by journal: LuaReference?, entries: Int, to drafts: LuaDrafts, in vm: LuaVM
    ) -> StateVersion {
        end(by: journal)
        // A change of many entries counts as several, as its journal is longer.
        age += 1 + entries / 16
        versions.removeAll { $0.version?.hasValue ?? true }
        while let oldest = versions.first, let version = oldest.version,
            age - version.age > Self.span
        {
            _ = version.read()
            versions.removeFirst()
        }
        assert(versions.last?.version.map { $0.age < age } ?? true)
        let version = StateVersion(drafts, in: vm, until: changes, age: age)
        versions.append(WeakVersion(version: version))
        return version
    }

    /// Ends the newest link with its journal.
    mutating func end(by journal: LuaReference?) {
        assert(changes.next == nil)
        let next = StateChanges()
        changes.journal = journal
        changes.next = next
        changes = next
    }
}
