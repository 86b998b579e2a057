#if os(Linux)
    import LibC

    extension FolderChanges {
        /// Adds the events of one watch, and the overflows of all, in bytes from inotify.
        mutating func parse(inotify bytes: ArraySlice<UInt8>, of watched: Int32) {
            let headSize = MemoryLayout<inotify_event>.size
            var rest = bytes
            while rest.count >= headSize {
                let event = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
                let size = headSize + Int(event.len)
                guard size <= rest.count else { return }
                let name = rest.dropFirst(headSize).prefix(Int(event.len)).prefix { $0 != 0 }
                let mask = Int32(bitPattern: event.mask)
                if mask & Int32(IN_Q_OVERFLOW) != 0 { hasOverflowed = true }
                rest = rest.dropFirst(size)
                guard event.wd == watched else { continue }
                if mask & Int32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) != 0 {
                    isGone = true
                }
                if mask & Int32(IN_MODIFY) != 0, !name.isEmpty {
                    recordWriting(to: String(decoding: name, as: UTF8.self))
                }
            }
        }
    }
#endif
