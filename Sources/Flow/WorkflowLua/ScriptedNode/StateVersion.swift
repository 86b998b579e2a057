import LuaVM
import PlainValue

/// A version of a state with large tables, whose value is made when somebody asks.
///
/// It is told by the tables of today, and by what was changed since.
final class StateVersion {
    private var known: Value?
    private let vm: LuaVM
    /// What the value is made of, until it is.
    private var shared: LuaReference?
    private var plain: [UInt8]
    private var changes: StateChanges?
    /// How much had been changed before, in the measure of ``StateHistory``.
    let age: Int

    init(_ drafts: LuaDrafts, in vm: LuaVM, until changes: StateChanges, age: Int) {
        self.vm = vm
        shared = drafts.shared
        plain = drafts.plain
        self.changes = changes
        self.age = age
    }

    var hasValue: Bool { known != nil }

    /// The value, made if need be; `nil` if there is no memory for it.
    func read() -> Value? {
        if let known { return known }
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

/// What changed one version of a state into the next, and so on; the newest version has nothing yet.
///
/// Kept by the versions that need it, so it goes away with them.
final class StateChanges {
    var journal: LuaReference?
    var next: StateChanges?
}

/// The versions of a state since its tables were made.
struct StateHistory {
    private var changes = StateChanges()
    private var age = 0
    /// Those that may still need the changes, oldest first.
    private var versions: [WeakVersion] = []

    private struct WeakVersion {
        weak var version: StateVersion?
    }

    /// Changes after which an older version gets its value, so that the changes can be let go.
    private static let span = 64

    /// Adds the version that `drafts` now stands for.
    mutating func advance(
        by journal: LuaReference?, entries: Int, to drafts: LuaDrafts, in vm: LuaVM
    ) -> StateVersion {
        end(by: journal)
        age += 1 + entries / 16
        versions.removeAll { $0.version?.hasValue ?? true }
        while let oldest = versions.first, let version = oldest.version,
            age - version.age > Self.span
        {
            _ = version.read()
            versions.removeFirst()
        }
        let version = StateVersion(drafts, in: vm, until: changes, age: age)
        versions.append(WeakVersion(version: version))
        return version
    }

    /// Notes the last change.
    mutating func end(by journal: LuaReference?) {
        let next = StateChanges()
        changes.journal = journal
        changes.next = next
        changes = next
    }
}
