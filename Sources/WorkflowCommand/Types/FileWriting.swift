import FlowPrinting
import FlowREPL
import LibC
import Terminal
import WorkflowKit
import WorkflowLua

/// Makes a folder unless it is there.
func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    throw Refusal.cannotWrite(path, errno)
}

/// Makes a folder. Gives false if there is one already.
func makeNewFolder(_ path: String) throws -> Bool {
    if mkdir(path, 0o777) == 0 { return true }
    if errno == EEXIST { return false }
    throw Refusal.cannotWrite(path, errno)
}

/// Writes a file, in place of one that is there.
///
/// - Throws: A ``Refusal`` if it cannot be written; the file is then as before.
func writeFile(_ path: String, _ text: String) throws {
    do throws(FlowError) { try writeFile(text, to: path) } catch { throw Refusal(error, .io) }
}

/// Prints what a command gives; a reader that has gone is no failure.
package func printOutput(_ text: String) throws {
    guard let message = OutputStream.standardOutput.write(text)?.message else { return }
    throw Refusal(FlowError(.file, message), .io)
}

extension Refusal {
    static func cannotWrite(_ path: String, _ number: Int32) -> Refusal {
        Refusal(
            FlowError(.file, "\(path) cannot be written: \(String(cString: strerror(number)))"), .io
        )
    }
}
