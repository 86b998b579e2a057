import WorkflowKit

extension StoredSession {
    /// Goes one step back; that is kept too.
    ///
    /// - Throws: A ``StoreError`` with the code `no_such_step` at the beginning, or one of the store.
    public func undo() async throws {
        try await move { step in step - 1 }
    }

    /// Goes one step forward again.
    ///
    /// - Throws: A ``StoreError`` with the code `no_such_step` at the end, or one of the store.
    public func redo() async throws {
        try await move { step in step + 1 }
    }

    /// Shows another step; workers are held while it is not the last one. An action that is sent gives up the later ones.
    ///
    /// A step that lies before what is in memory is made from an earlier snapshot of the store.
    ///
    /// - Throws: A ``StoreError`` with the code `no_such_step` for a step that there is not, or that was compacted away; a
    ///   `FlowError` if it cannot be reached with the flow as it is now.
    public func go(to step: Int) async throws {
        try await move { _ in step }
    }

    private func move(to target: (Int) -> Int) async throws {
        try await exclusively {
            let live = try await loaded()
            // Workers may have sent something that is not kept yet.
            try await catchUp(live) { _ in }
            let step = target(self.step)
            guard (0...stepCount).contains(step) else {
                throw StoreError(
                    .noSuchStep,
                    step < 0
                        ? "there is nothing to undo: this is the beginning"
                        : step == self.step + 1
                            ? "there is nothing to redo: this is the last step"
                            : "there is no step \(step)",
                    help: "steps are counted from 0 to \(stepCount)")
            }
            if step < live.base {
                try await load(showing: step)
            } else {
                let base = live.base
                try await catchUp(live) { try $0.go(to: step - base) }
            }
        }
    }
}
