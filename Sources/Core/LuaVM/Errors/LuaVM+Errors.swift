import CLuaBridge
package import PlainValue

extension LuaVM {
    func error(_ status: lb_status, root: String = "value") -> LuaError {
        switch status {
        case LB_HOST: return hostError()
        case LB_CONVERSION, LB_CHANGED_CONVERSION: return conversionError(root: root)
        case LB_ERROR: return capturedError(.runtime)
        case LB_SYNTAX: return capturedError(.syntax)
        default: break
        }
        let limit = limit(status)
        guard limit.code.isLimit else { return limit }
        var error = capturedError(limit.code)
        error.message = limit.message
        return error
    }

    private func limit(_ status: lb_status) -> LuaError {
        switch status {
        case LB_SOURCE:
            LuaError(.sourceTooLong, "the source text has more than \(options.sourceLimit) bytes")
        case LB_DEPTH:
            LuaError(
                .depth,
                """
                calls are nested deeper than \(options.maximumDepth) levels, or than the \
                stack of the thread has room for
                """)
        case LB_TIME:
            // Without a limit of its own, it ran under that of the VM whose host function called.
            LuaError(
                .timeLimit,
                options.timeLimit.map { "the call took longer than \($0)" }
                    ?? "the call took longer than the one around it may")
        case LB_INSTRUCTIONS:
            LuaError(
                .instructionLimit,
                "the call ran more than \(options.instructionLimit ?? 0) instructions")
        case LB_MEMORY:
            LuaError(
                .memoryLimit, "the script needs more than \(options.memoryLimit) bytes of memory")
        case LB_OUTPUT:
            LuaError(.printLimit, "the call printed more than \(options.printLimit) bytes")
        case LB_INTERRUPTED: LuaError(.interrupted, "the call was interrupted")
        case LB_GONE: LuaError(.processEnded, LuaVM.endOfProcess(bridge))
        default: LuaError(.invalidUse, "no such thing")
        }
    }

    static func endOfProcess(_ bridge: OpaquePointer) -> String {
        "the process that ran the script was ended: " + String(cString: lb_gone_reason(bridge))
    }

    /// The error that a host function threw, with the frames that it passed.
    private func hostError() -> LuaError {
        let captured = capturedError(.runtime)
        guard var error = raisedError else { return captured }
        raisedError = nil
        if error.location == nil { error.location = captured.location }
        if error.locals.isEmpty { error.locals = captured.locals }
        error.frames += captured.frames
        return error
    }

    private func conversionError(root: String) -> LuaError {
        let issue = lb_last_issue(bridge).pointee
        let conversion = LuaConversionIssue(issue, options.valueLimits)
        guard let conversion else {
            return LuaError(.memoryLimit, "there is not enough memory to convert a value")
        }
        let path = root + String(issue.path)
        var error = LuaError(.conversion, "\(path): \(conversion.message)")
        error.conversion = conversion
        error.path = path
        return error
    }

    private func capturedError(_ code: LuaError.Code) -> LuaError {
        let captured = lb_last_error(bridge).pointee
        var error = LuaError(code, String(captured.message))
        error.location = LuaLocation(captured.location)
        error.frames = withUnsafeElements(of: captured.frames, count: captured.frame_count) {
            (frames: UnsafeBufferPointer<lb_frame>) in frames.map(LuaFrame.init)
        }
        error.locals = withUnsafeElements(of: captured.locals, count: captured.local_count) {
            (locals: UnsafeBufferPointer<lb_local>) in locals.map(LuaLocal.init)
        }
        return error
    }
}

/// Lends the first elements of a C array, which Swift sees as a tuple.
private func withUnsafeElements<Array, Element, Result>(
    of array: Array, count: Int32, _ body: (UnsafeBufferPointer<Element>) -> Result
) -> Result {
    withUnsafeBytes(of: array) { bytes in
        body(UnsafeBufferPointer(rebasing: bytes.bindMemory(to: Element.self)[..<Int(count)]))
    }
}

extension LuaFrame {
    fileprivate init(_ frame: lb_frame) {
        location = LuaLocation(chunk: String(frame.chunk), line: Int(frame.line))
        function = frame.name.length == 0 ? nil : String(frame.name)
    }
}

extension LuaLocal {
    /// A value of the host beside those of a script.
    package init(name: String, value: Value) {
        self.name = name
        let described: String? = try? value.withEncoding { encoding in
            let text = [CChar](unsafeUninitializedCapacity: Int(LB_LOCAL_SIZE)) { text, length in
                length = lb_describe(encoding.baseAddress, text.baseAddress)
            }
            return text.withUnsafeBytes { String($0.baseAddress, $0.count) }
        }
        self.value = described ?? value.summary(maxLength: Int(LB_LOCAL_SIZE))
    }

    fileprivate init(_ local: lb_local) {
        name = String(local.name)
        value = String(local.value)
    }
}
