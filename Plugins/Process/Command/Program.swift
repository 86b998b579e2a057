import Subprocess
import WorkerKit

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// A program that is granted, by its name or by its path.
struct Program {
    /// As the flow writes it.
    let text: String
    /// As the grant gives it: the name, or the path of the file.
    let granted: String
    /// What the program sees as its own name.
    let firstArgument: String

    init(_ text: String, granted: String, folder: String) {
        self.text = text
        self.granted = granted
        let isRelativePath = text.utf8.contains(UInt8(ascii: "/")) && !text.hasPrefix("/")
        firstArgument = isRelativePath ? "\(folder)/\(text)" : text
    }

    /// The file to start; a name is looked for in the host's own search path.
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
