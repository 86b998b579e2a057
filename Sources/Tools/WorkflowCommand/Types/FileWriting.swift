import FlowPrinting
import FlowREPL
import LibC
import Terminal
import WorkflowKit
import WorkflowLua

func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    throw Refusal.cannotWrite(path, errno)
}

/// Creates a folder. Returns false if it exists.
func makeNewFolder(_ path: String) throws -> Bool {
    if mkdir(path, 0o777) == 0 { return true }
    if errno == EEXIST { return false }
    throw Refusal.cannotWrite(path, errno)
}

/// Writes or replaces a file. After an error, the file is unchanged.
func writeFile(_ path: String, _ text: String) throws {
    do throws(FlowError) { try writeFile(text, to: path) } catch { throw Refusal(error, .io) }
}

/// Prints a command's output. A closed pipe is not an error.
package func printOutput(_ text: String) throws {
    guard let message = OutputStream.standardOutput.write(text)?.message else { return }
    throw Refusal(FlowError(.file, message), .io)
}

extension Refusal {
    static func cannotWrite(_ path: String, _ number: Int32) -> Refusal {
        Refusal(FlowError(.unwritable, path, SystemFailure(number: number)), .io)
    }
}
