import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A terminal with a program at its other end.
struct PseudoTerminal {
    /// The end of the person who looks at it and types.
    let here: FileHandle
    /// The end of the program.
    let there: FileHandle

    init() throws {
        #if canImport(Glibc)
            // What the importer does not see of the system's headers.
            let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
            let screen = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (unlocked, number): (Int32, Int32) = (0, 0)
            guard screen >= 0, ioctl(screen, setLock, &unlocked) == 0,
                ioctl(screen, getNumber, &number) == 0
            else { throw Missing(what: "a terminal") }
            let path = "/dev/pts/\(number)"
        #else
            let screen = posix_openpt(O_RDWR | O_NOCTTY)
            guard screen >= 0, grantpt(screen) == 0, unlockpt(screen) == 0,
                let name = ptsname(screen)
            else { throw Missing(what: "a terminal") }
            let path = String(cString: name)
        #endif
        let program = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard program >= 0 else { throw Missing(what: path) }
        here = FileHandle(fileDescriptor: screen, closeOnDealloc: true)
        there = FileHandle(fileDescriptor: program, closeOnDealloc: true)
    }
}
