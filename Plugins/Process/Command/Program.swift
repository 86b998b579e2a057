import Subprocess
import WorkerKit

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// A program that was granted by its name or its path.
struct Program {
    /// The program as the flow writes it.
    let text: String
    let granted: String
    /// The name that the program sees as its own.
    let firstArgument: String

    init(_ text: String, granted: String, folder: String) {
        self.text = text
        self.granted = granted
        let isRelativePath = text.utf8.contains(UInt8(ascii: "/")) && !text.hasPrefix("/")
        firstArgument = isRelativePath ? "\(folder)/\(text)" : text
    }

    /// The file to start. A name is looked up in the host's search path.
    func file() async throws -> String {
        guard !granted.utf8.contains(UInt8(ascii: "/")) else { return granted }
        do throws(SubprocessError) {
            return try await Executable.name(granted).resolveExecutablePath(in: .inherit).string
        } catch {
            throw WorkerError(
                "not_found", "there is no program '\(text)'",
                help: "install it, or make sure that it is in a folder of PATH")
        }
    }
}
