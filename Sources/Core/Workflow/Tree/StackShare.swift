import CThread

/// Half of what is left of a thread's stack, for a walk whose result is as deep as the tree. The
/// other half is for reading and releasing the result, which needs stack, too.
struct StackShare {
    private let floor = workflow_stack_room() / 2

    var isUsedUp: Bool { workflow_stack_room() < floor }
}
