import LibC
import WorkflowLua

/// The running program's file, links followed; `nil` if the system does not say.
package var programFile: String? {
    #if canImport(Darwin)
        var size = UInt32(PATH_MAX)
        var bytes = [CChar](repeating: 0, count: Int(size))
        guard _NSGetExecutablePath(&bytes, &size) == 0 else { return nil }
        let path = String(
            validating: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
        let path: String? = "/proc/self/exe"
    #endif
    return path.flatMap(resolvedPath)
}

/// The folder that the file is in.
package var programFolder: String? { programFile?.folderOfPath }
