import FlowPrinting
import FlowREPL
import LibC
import Terminal
import WorkflowLua

/// Makes a folder unless it is there.
func makeFolder(_ path: String) throws(Refusal) {
    guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    throw .cannotWrite(path, errno)
}

/// Makes a folder that must not be there yet; whether it was made.
func makeNewFolder(_ path: String) throws(Refusal) -> Bool {
    if mkdir(path, 0o777) == 0 { return true }
    if errno == EEXIST { return false }
    throw .cannotWrite(path, errno)
}

/// Writes a file, in place of one that is there.
func writeFile(_ path: String, _ text: String) throws(Refusal) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw .cannotWrite(path, errno) }
    defer { close(file) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { bytes in write(file, bytes.baseAddress, bytes.count) }
        if count < 0, errno != EINTR { throw .cannotWrite(path, errno) }
        rest = rest.dropFirst(max(0, count))
    }
}

/// Prints what a command gives; a reader that has gone is no failure.
func printOutput(_ text: String) throws(Refusal) {
    OutputStream.ignoreClosedPipes()
    guard let message = OutputStream.standardOutput.write(text)?.message else { return }
    throw Refusal(FlowError(.file, message), .io)
}

/// Does the work of a command, and says on standard error why it could not be done.
func reportingRefusals(_ body: () throws(Refusal) -> Void) throws {
    do throws(Refusal) {
        try body()
    } catch {
        let printer = ErrorPrinter(style: Style(.auto, for: .standardError))
        OutputStream.standardError.write(printer.text(error.error))
        throw error.status
    }
}

extension Refusal {
    static func cannotWrite(_ path: String, _ number: Int32) -> Refusal {
        Refusal(
            FlowError(.file, "\(path) cannot be written: \(String(cString: strerror(number)))"), .io
        )
    }
}
