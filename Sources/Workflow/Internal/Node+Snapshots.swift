extension AnyNode {
    final func makeSnapshot(_ lost: inout [TreeSnapshot.Loss]) -> TreeSnapshot.Node {
        var state: SnapshotValue?
        do {
            state = try snapshotState()
        } catch {
            lost.append(TreeSnapshot.Loss(path: "\(path)", reason: reason(of: error)))
        }
        return TreeSnapshot.Node(
            name: name, key: key, state: state, inputs: snapshotInputs(),
            children: children.compactMap { $0.isWorker ? nil : $0.makeSnapshot(&lost) })
    }
}
