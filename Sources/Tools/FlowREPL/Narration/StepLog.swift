import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// The effects of each input of a session.
struct StepLog {
    struct Entry {
        let milliseconds: Int
        /// The source of the input: `client`, the name of a worker, or `props`.
        let from: String
        let node: NodePath
        /// The first action that it caused.
        var action: String?
        /// The changed names in the rendering.
        var changed = Names()
        /// The outputs' places in the recording; `nil` for an output that was not recorded.
        var outputs: [Range<Int>?] = []
        /// The place of the new rendering in the recording, if there is one.
        var rendering: Range<Int>?
        /// The first error that it caused.
        var error: FlowError?
        var isRolledBack: Bool { error.map { !$0.leavesInput(from: from) } ?? false }
    }

    /// The first names and their count, because a rendering can have any number.
    struct Names {
        private static let mostKept = 6

        private(set) var first: [String] = []
        private(set) var count = 0

        init(_ names: [String] = []) {
            for name in names { add(name) }
        }

        mutating func add(_ name: String) {
            if first.count < Self.mostKept { first.append(name) }
            count += 1
        }
    }

    /// The time at which the session began, in milliseconds since 1970.
    var start = 0
    /// The place of the first rendering in the recording.
    private(set) var firstRendering: Range<Int>?
    private var entries: [Entry] = []
    /// The names that the last entry changed, until it ends.
    private var changedNames: Set<Name> = []
    /// True if new events belong to the last entry.
    private var isOpen = true

    var last: Entry? { entries.last }

    mutating func begin(_ entry: Entry) {
        entries.append(entry)
        changedNames = []
        isOpen = true
    }

    /// Ends the last entry: later events belong to no input.
    mutating func end() {
        isOpen = false
        changedNames = []
    }

    mutating func record(action: String) {
        change { if $0.action == nil { $0.action = action } }
    }

    mutating func record(rendering place: Range<Int>?, changed names: [String]) {
        if entries.isEmpty, firstRendering == nil { firstRendering = place }
        guard isOpen, !entries.isEmpty else { return }
        let new = names.filter { changedNames.insert(Name($0)).inserted }
        change { entry in
            entry.rendering = place
            for name in new { entry.changed.add(name) }
        }
    }

    mutating func record(output place: Range<Int>?) {
        change { $0.outputs.append(place) }
    }

    mutating func record(_ error: FlowError) {
        change { $0.error = $0.error ?? error }
    }

    private mutating func change(_ body: (inout Entry) -> Void) {
        guard isOpen, !entries.isEmpty else { return }
        body(&entries[entries.count - 1])
    }

    /// The entries of these inputs. The inputs are a subsequence of all inputs.
    func entries(of inputs: [FlowInput]) -> [Entry?] {
        var rest = entries[...]
        return inputs.map { input in
            let found = rest.firstIndex { entry in
                !entry.isRolledBack && entry.milliseconds == input.milliseconds
                    && entry.from == input.from
            }
            guard let found else { return nil }
            rest = rest[(found + 1)...]
            return entries[found]
        }
    }
}

extension FlowError {
    /// True if the input was applied although it failed: errors of rendering leave it applied, and
    /// a refusal of new props by the root's own `changed` does not.
    fileprivate func leavesInput(from source: String) -> Bool {
        switch phase {
        case .render, .state, .migrate: true
        case .changed: source != "props" || (node?.components.count ?? 1) > 1
        default: false
        }
    }
}

extension FlowInput {
    /// The source, as entries name it.
    fileprivate var from: String {
        switch kind {
        case .action: "client"
        case .worker(let news): news.worker
        case .props: "props"
        }
    }
}
