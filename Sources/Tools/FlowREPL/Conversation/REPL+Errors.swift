import FlowPrinting
import Terminal
import WorkflowLua

extension REPL {
    /// The place of the last error in the source, and the calls that led there.
    func trace() throws(FlowError) -> [String] {
        var error = try lastError()
        error.locals = []
        let isOfLua = error.location != nil
        return ErrorPrinter(style: options.style).lines(error)
            + (isOfLua ? [] : ["  It was raised outside of Lua."])
    }

    func locals() throws(FlowError) -> [String] {
        let error = try lastError()
        guard !error.locals.isEmpty else { return ["The last error has no local variables."] }
        let width = error.locals.map { displayWidth(printable($0.name)) }.max() ?? 0
        return error.locals.map { local in
            "  \(printable(local.name).padded(to: width))  \(printable(local.value))"
        }
    }

    private func lastError() throws(FlowError) -> FlowError {
        guard let error = narrator.lastError else { throw FlowError(.noErrorYet) }
        return error
    }
}
