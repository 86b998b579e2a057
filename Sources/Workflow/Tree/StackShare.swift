import CThreadStack

/// The half of what a thread's stack has left, for a walk whose result is nested as deeply as the tree.
///
/// The other half is for those who read the result and let go of it, which takes the stack, too.
struct StackShare {
    private let floor = stack_room() / 2

    /// Whether the walk must go no deeper.
    var isUsedUp: Bool { stack_room() < floor }
}
