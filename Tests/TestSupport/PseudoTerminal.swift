package import Foundation
import LibC

/// A terminal: a test reads and types, and a program runs on it.
package final class PseudoTerminal: Sendable {
    /// The path of the end that a program opens.
    package let path: String
    private let screen: Int32

    package init() throws {
        #if canImport(Glibc)
            // Constants of the system's headers that Swift does not import.
            let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
            screen = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (unlocked, number): (Int32, Int32) = (0, 0)
            guard screen >= 0, ioctl(screen, setLock, &unlocked) == 0,
                ioctl(screen, getNumber, &number) == 0
            else { throw Missing(what: "terminal") }
            path = "/dev/pts/\(number)"
        #else
            screen = posix_openpt(O_RDWR | O_NOCTTY)
            guard screen >= 0, grantpt(screen) == 0, unlockpt(screen) == 0,
                let name = ptsname(screen)
            else { throw Missing(what: "terminal") }
            path = String(cString: name)
        #endif
    }

    deinit { close(screen) }

    package func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(screen, bytes, bytes.count)
    }

    package func resize(to columns: Int) {
        var size = winsize(ws_row: 40, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(screen, UInt(TIOCSWINSZ), &size)
    }

    /// Opens the program's end, for a program that is started in another way.
    package func openProgramEnd() throws -> FileHandle {
        let program = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard program >= 0 else { throw Missing(what: path) }
        return FileHandle(fileDescriptor: program, closeOnDealloc: true)
    }

    package func read(
        onText: @escaping @Sendable (String) -> Void, onEnd: @escaping @Sendable () -> Void
    ) {
        readText(from: screen, onText: onText) { [self] in
            // The descriptor stays open while it is read.
            withExtendedLifetime(self, onEnd)
        }
    }

    package func text() -> AsyncStream<String> {
        let (text, continuation) = AsyncStream<String>.makeStream()
        read(onText: { continuation.yield($0) }, onEnd: { continuation.finish() })
        return text
    }
}
