import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

/// The effects of each input of a session, for looking back.
struct StepLog {
    struct Entry {
        let milliseconds: Int
        /// The source of the input: `client`, the name of a worker, or `props`.
        let from: String
        let node: NodePath
        /// The first action that it led to.
        var action: String?
        /// The names in the rendering whose values changed.
        var changed = Names()
        /// The places of the outputs in the recording; `nil` for one that could not be recorded.
        var outputs: [Range<Int>?] = []
        /// The place of the new rendering in the recording; `nil` if there was none.
        var rendering: Range<Int>?
        /// The first error that it ended in.
        var error: FlowError?
        /// True if it had no effect in the end.
        var isRolledBack: Bool { error.map { !$0.leavesInput(from: from) } ?? false }
    }

    /// The first of some names and their number: a rendering may have any number of them.
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

    /// When the session began, in milliseconds since 1970.
    var start = 0
    /// The place of the first rendering in the recording.
    private(set) var firstRendering: Range<Int>?
    private var entries: [Entry] = []
    /// All names that changed by what the last entry is of, until its end.
    private var changedNames: Set<Name> = []
    /// True if what happens now belongs to the last entry.
    private var isOpen = true

    /// The effects of the last input.
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

    /// The entries of the inputs of a timeline, which are some of all inputs, in their order.
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

extension StepLog {
    /// The place of the rendering after a step in the recording; `nil` if it is not there.
    ///
    /// - Parameter start: The step at which the recording begins.
    func rendering(at step: Int, of inputs: [FlowInput], from start: Int) -> Range<Int>? {
        let entries = entries(of: inputs)
        // An input that gave no rendering left the one before.
        for step in stride(from: step, to: 0, by: -1) {
            guard let entry = entries[step - 1] else { return step == start ? firstRendering : nil }
            if let place = entry.rendering { return place }
        }
        return start == 0 ? firstRendering : nil
    }
}

extension FlowError {
    /// True if the input that it came of has been applied all the same: what cannot be rendered
    /// has, and new props that the root's own `changed` refused have not.
    fileprivate func leavesInput(from source: String) -> Bool {
        switch phase {
        case .render, .state, .migrate: true
        case .changed: source != "props" || node?.contains("/") ?? false
        default: false
        }
    }
}

extension FlowInput {
    /// Who brought it, as entries name it.
    fileprivate var from: String {
        switch kind {
        case .action: "client"
        case .worker(let news): news.worker
        case .props: "props"
        }
    }
}
