import LibC
import WorkflowLua

/// The path of the running program, with links resolved; `nil` if the system does not know it.
var programFile: String? {
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

package var programFolder: String? { programFile?.folderOfPath }

/// The path of an installed file, in the program's folder or in `lib/workflow-run` beside it.
package func installedFile(_ name: String, besideProgramIn folder: String?) -> String? {
    let places = folder.map { ["\($0)/\(name)", "\($0)/../lib/workflow-run/\(name)"] } ?? []
    return places.lazy.compactMap(resolvedPath).first
}

/// The next step when a file of the program is missing: in a clone of the package, to build it.
package func installation(
    ofProgramIn folder: String?, byRunning arguments: String, or more: String = ""
) -> String {
    folder.flatMap { resolvedPath("\($0)/../../../Scripts/run") } == nil
        ? "install it with Scripts/install\(more)" : "build it with Scripts/run \(arguments)"
}
