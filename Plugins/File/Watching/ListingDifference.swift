struct ListingDifference {
    struct Change: Equatable {
        var name: String
        var event: FileWatch.Event
        /// The old name.
        var from: String?
    }

    /// Sorted by name.
    let changes: [Change]

    /// - Parameter written: The files written meanwhile, since sizes and times may not show it.
    init(before: [String: FileStatus], after: [String: FileStatus], written: Set<String>) {
        var removed = before.filter { after[$0.key] == nil }
        var changes: [Change] = []
        for (name, status) in after.sorted(by: { $0.key < $1.key }) {
            if let old = before[name] {
                if old.differs(from: status) || written.contains(name) && status.kind != .folder {
                    changes.append(Change(name: name, event: .modified))
                }
            } else if let old = removed.first(where: { $0.value.isRenamed(to: status) }) {
                removed[old.key] = nil
                changes.append(Change(name: name, event: .renamed, from: old.key))
            } else {
                changes.append(Change(name: name, event: .created))
            }
        }
        changes += removed.keys.map { Change(name: $0, event: .removed) }
        self.changes = changes.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}

extension FileStatus {
    /// True if the content differs. A folder's time only shows that something in it changed.
    fileprivate func differs(from new: FileStatus) -> Bool {
        !isSameFile(as: new) || kind != new.kind
            || kind != .folder
                && (size, seconds, nanoseconds) != (new.size, new.seconds, new.nanoseconds)
    }

    /// True if it is this file under another name. A removed file's number may recur, not its time.
    fileprivate func isRenamed(to new: FileStatus) -> Bool {
        isSameFile(as: new) && kind == new.kind && seconds == new.seconds
            && nanoseconds == new.nanoseconds
    }
}
