import LibC
import WorkerKit

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// A text for a program's standard input. It is an unnamed file rather than a pipe: a program need
/// not read all of it, and writing to a pipe without readers would end the host.
struct StandardInput: ~Copyable {
    let descriptor: FileDescriptor

    init(_ text: String) throws(WorkerError) {
        do {
            descriptor =
                try text.isEmpty
                ? .open("/dev/null", .readOnly, options: .closeOnExec) : Self.file(holding: text)
        } catch {
            throw WorkerError(
                "not_started", "the input cannot be kept for the program: \(error)",
                help: "make sure that there is room in the folder of temporary files")
        }
    }

    deinit { try? descriptor.close() }

    private static func file(holding text: String) throws -> FileDescriptor {
        let number = TemporaryFile.openUnnamed()
        guard number >= 0 else { throw Errno(rawValue: errno) }
        let descriptor = FileDescriptor(rawValue: number)
        do {
            try descriptor.writeAll(text.utf8)
            try descriptor.seek(offset: 0, from: .start)
        } catch {
            // The file has no name and is of no use: the first error is the one to tell.
            try? descriptor.close()
            throw error
        }
        return descriptor
    }
}
