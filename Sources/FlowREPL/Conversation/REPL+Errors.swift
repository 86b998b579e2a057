import Terminal
import WorkflowLua

extension REPL {
    /// The calls that led to the last error.
    func trace() throws(FlowError) -> [String] {
        let error = try lastError()
        var lines = [printable(error.message)]
        var frames = error.frames.map { frame in
            "  " + printable("\(frame.location)" + (frame.function.map { " in \($0)" } ?? ""))
        }
        if frames.isEmpty, let location = error.location {
            frames = ["  " + printable(location.description)]
        }
        lines += frames.isEmpty ? ["  It was raised outside of Lua."] : frames
        return lines
    }

    /// The local variables where the last error was raised.
    func locals() throws(FlowError) -> [String] {
        let error = try lastError()
        guard !error.locals.isEmpty else { return ["The last error has no local variables."] }
        let width = error.locals.map { displayWidth(printable($0.name)) }.max() ?? 0
        return error.locals.map { local in
            "  \(printable(local.name).padded(to: width))  \(printable(local.value))"
        }
    }

    private func lastError() throws(FlowError) -> FlowError {
        guard let error = narrator.lastError else {
            throw FlowError(.misuse, "there was no error so far")
        }
        return error
    }
}
