import LibC

/// The Swift runtime, of which a process can have only one. A program and its plugins share the
/// runtime's library, or the program has the runtime linked in and its plugins are written in other
/// languages.
enum SwiftRuntime {
    /// Refuses a library that would bring a second runtime, before any code of it runs.
    static func check(
        _ file: String, named name: String, isShared: Bool = isShared
    ) throws(PluginError) {
        #if !canImport(Darwin)
            guard let bytes = FileBytes(file) else { return }
            if bytes.contain(library) {
                guard !isShared else { return }
                throw PluginError(
                    .noLibrary,
                    "'\(name)' uses Swift's libraries, and this program has Swift linked in",
                    help: "use a program that Scripts/install has built, or write the plugin in C")
            }
            // The name of a section of all Swift code.
            guard !bytes.contain("swift5_protocols") else {
                throw PluginError(
                    .noLibrary, "'\(name)' has Swift linked in, and a process can have only one",
                    help: "build it without --static-swift-stdlib, for a program that shares Swift")
            }
        #endif
    }

    private static let library = "libswiftCore.so"
    /// True if the program uses the runtime's library.
    private static let isShared = dlopen(library, RTLD_NOW | RTLD_NOLOAD) != nil
}

private struct FileBytes: ~Copyable {
    private let bytes: UnsafeRawBufferPointer

    init?(_ path: String) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_size > 0 else { return nil }
        let size = Int(status.st_size)
        guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), start != MAP_FAILED
        else { return nil }
        bytes = UnsafeRawBufferPointer(start: start, count: size)
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

    func contain(_ text: String) -> Bool {
        let text = Array(text.utf8)
        guard var place = bytes.baseAddress, let first = text.first else { return false }
        let end = place + bytes.count
        while end - place >= text.count,
            let found = memchr(place, Int32(first), end - place - text.count + 1)
        {
            if memcmp(found, text, text.count) == 0 { return true }
            place = UnsafeRawPointer(found) + 1
        }
        return false
    }
}
