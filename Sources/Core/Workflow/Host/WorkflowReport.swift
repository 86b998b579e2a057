/// A report of a failure, a dropped action or a misuse, after which the host continues.
public enum WorkflowReport: Sendable, CustomStringConvertible {
    /// An action or a render failed.
    case failure(WorkflowFailure)
    /// An action was dropped: its node has ended, or no longer has its sink.
    case dropped(NodePath, DropReason)
    /// One render has two children of one type and key, at these places. The second got a new key.
    case duplicateChild(NodePath, first: String, second: String)
    /// One render has two side effects with one key, declared at these places. Only the first runs.
    case duplicateSideEffect(NodePath, key: String, first: String, second: String)
    /// An interceptor proceeded twice in one call of its method `step`, with the first result.
    case proceededTwice(NodePath, step: String)
    /// A sink was used while its tree was rendering; the action was queued.
    case sentDuringRender(NodePath)
    /// A render context was used after its call of `render`.
    case contextUsedAfterRender(NodePath)
    /// Inputs were read from an apply context after its call of `apply`.
    case contextUsedAfterApply(NodePath)
    /// A node is so deep in the tree that the thread's stack is nearly full; the process then
    /// traps. The path has its last eight components.
    case stackNearlyFull(NodePath, depth: Int)
    /// A node is so deep that a description ends there. The path has its last eight components.
    case tooDeepToDescribe(NodePath, depth: Int)

    /// In debug builds, once for each type of workflow: a node renders in each pass of its parent,
    /// because its inputs cannot be compared. `field` is the first such input with its type.
    case inputsNotComparable(NodePath, type: String, field: String?)

    /// In strict mode, the two renders of a node differ, with the differences.
    case rendersDiffer(NodePath, [String])

    /// A sentence that says what happened and what to do about it.
    public var description: String {
        switch self {
        case .failure(let failure): failure.description
        case .dropped(let path, .workerStopped):
            "an output of \(path) was dropped: that worker was stopped"
        case .dropped(let path, let reason):
            "an action for \(path) was dropped: \(reason.sentence)"
        case .duplicateChild(let path, let first, let second):
            """
            two children \(path) in one render, the first from \(first), the second from \
            \(second); give each child of one type a key of its own
            """
        case .duplicateSideEffect(let path, let key, let first, let second):
            """
            two side effects with the key \(key) in one render of \(path), the first from \
            \(first), the second from \(second); only the first runs
            """
        case .proceededTwice(let path, let step):
            """
            an interceptor proceeded twice in one call of \(step) for \(path); it has the result \
            of the first time twice: call `proceed` once at most
            """
        case .sentDuringRender(let path):
            """
            an action was sent to \(path) while the tree was rendering; it is applied after the \
            pass, but a render must not send: use a side effect
            """
        case .contextUsedAfterRender(let path):
            "the render context of \(path) was used after its render; it is good for that call only"
        case .contextUsedAfterApply(let path):
            "the apply context of \(path) was used after its action; it is good for that call only"
        case .stackNearlyFull(let path, let depth):
            """
            the workflow tree is \(depth) nodes deep at \(path), and the stack of its thread is \
            nearly full; does a workflow render itself?
            """
        case .tooDeepToDescribe(let path, let depth):
            """
            the description ends at \(path), \(depth) nodes deep: the stack of the thread has no \
            room for more; ask for it on a thread with a larger stack
            """
        case .inputsNotComparable(let path, let type, let field):
            """
            \(path) renders whenever its parent does, because its inputs cannot be compared\
            \(field.map { ": \($0)" } ?? ""); make \(type) Equatable\
            \(field?.contains("->") == true ? ", or pass a sink in place of the closure" : "")
            """
        case .rendersDiffer(let path, let differences):
            """
            \(path), rendered twice with the same state and inputs, \
            \(differences.joined(separator: "; ")); a render must depend on nothing else
            """
        }
    }
}

extension DropReason {
    fileprivate var sentence: String {
        switch self {
        case .nodeEnded: "that node has ended"
        case .notDeclared:
            "its sink is of an earlier rendering, and the last render did not make it again"
        case .hostShutDown: "its host has shut down"
        case .workerStopped: "that worker was stopped"
        }
    }
}
