import PlainValue
import WorkflowLua

extension DebugAdapter {
    typealias Answer = (body: Value?, after: (() async -> Void)?)

    func answer(_ request: DebugRequest) async throws -> Answer {
        let arguments = request.arguments
        switch request.command {
        case "initialize": return (Self.capabilities, nil)
        case "launch", "attach":
            try await open(request.command, arguments)
            return (nil, nil)
        case "configurationDone": return (nil, { await self.begin() })
        case "setBreakpoints": return try await setBreakpoints(arguments)
        case "setFunctionBreakpoints": return (try setFunctionBreakpoints(arguments), nil)
        case "setExceptionBreakpoints": return (setExceptionBreakpoints(arguments), nil)
        case "setDataBreakpoints": return (try setDataBreakpoints(arguments), nil)
        case "dataBreakpointInfo": return (try dataBreakpointInfo(arguments), nil)
        case "breakpointLocations": return (try breakpointLocations(arguments), nil)
        case "threads":
            let name = debugger?.replica.files.last ?? "flow"
            return (["threads": [["id": 1, "name": .string(name)]]], nil)
        case "stackTrace": return (try stackTrace(arguments), nil)
        case "scopes": return (try scopes(arguments), nil)
        case "variables": return (try variables(arguments), nil)
        case "evaluate": return (try await evaluate(arguments), nil)
        case "completions": return (try await completions(arguments), nil)
        case "exceptionInfo": return (try exceptionInfo(), nil)
        case "loadedSources":
            return (["sources": .list(of: files.map(source))], nil)
        case "source": return (try sourceText(arguments), nil)
        case "continue", "next", "stepIn", "stepOut", "stepBack", "reverseContinue":
            return try move(request.command, arguments)
        case "gotoTargets": return (try gotoTargets(arguments), nil)
        case "goto": return (nil, try go(to: arguments))
        case "restartFrame": return (nil, try await restartFrame(arguments))
        case "restart": return (nil, try await restart())
        case "pause": return (nil, { await self.pause() })
        case "cancel":
            refuseCommand(cancelledBy: request)
            return (nil, { self.reportPendingStop() })
        case "terminate": return (nil, { self.end() })
        case "disconnect": return (nil, { await self.close() })
        default: throw FlowError(.unknownRequest, request.command)
        }
    }

    private static let capabilities: Value = [
        "supportsConfigurationDoneRequest": true, "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true, "supportsHitConditionalBreakpoints": true,
        "supportsEvaluateForHovers": true, "supportsStepBack": true, "supportsRestartFrame": true,
        "supportsCompletionsRequest": true, "supportsRestartRequest": true,
        "supportsExceptionInfoRequest": true, "supportsLoadedSourcesRequest": true,
        "supportsLogPoints": true, "supportsTerminateRequest": true,
        "supportsDataBreakpoints": true, "supportsSteppingGranularity": true,
        "supportsBreakpointLocationsRequest": true, "supportsCancelRequest": true,
        "supportsVariablePaging": true, "supportsClipboardContext": true,
        "supportsGotoTargetsRequest": true, "exceptionBreakpointFilters": StoppingFailures.document,
    ]

    /// The debugger, if it has stopped.
    func stopped() throws -> Debugger {
        guard let debugger else { throw FlowError(.noSession) }
        guard isStopped else { throw FlowError(.notStopped) }
        return debugger
    }

    // MARK: Moving

    private func move(_ command: String, _ arguments: Value) throws -> Answer {
        let debugger = try stopped()
        let isInstruction = arguments["granularity"]?.string == "instruction"
        return (
            command == "continue" ? ["allThreadsContinued": true] : nil,
            {
                await self.reporting {
                    switch command {
                    case "continue": try await self.run(.forward)
                    case "reverseContinue": try await self.run(.backward)
                    default: try await self.step(command, isInstruction, debugger)
                    }
                }
            }
        )
    }

    private func step(_ command: String, _ isInstruction: Bool, _ debugger: Debugger) async throws {
        let isMoved =
            switch command {
            case "next": try debugger.step(.forward, entersCalls: isInstruction)
            case "stepIn": try debugger.step(.forward, entersCalls: true)
            case "stepOut": try debugger.stepOut()
            default: try debugger.step(.backward, entersCalls: isInstruction)
            }
        if isMoved { return halt("step") }
        if mustEndSearch() { return }
        if command == "stepBack" { return halt("step", text: "the beginning") }
        if subject?.isLive == true { return try await run(.forward) }
        halt("end", text: endText)
    }

    private func restartFrame(_ arguments: Value) async throws -> () async -> Void {
        let debugger = try stopped()
        guard debugger.replica.inputs[debugger.moment.input].testLines == nil else {
            throw FlowError(.onlyForwards)
        }
        try await reload(debugger)
        return {
            await self.reporting {
                try debugger.goToBeginningOfCall()
                self.tell(
                    "loadedSource",
                    ["reason": "changed", "source": self.source(debugger.replica.files.last ?? "")])
                self.halt("restart")
            }
        }
    }

    private func restart() async throws -> () async -> Void {
        guard let debugger else { throw FlowError(.noSession) }
        try await reload(debugger)
        return { await self.begin() }
    }

    private func reload(_ debugger: Debugger) async throws {
        try debugger.replica.reload()
        debugger.forgetLines()
        installBreakpoints()
        await forgetConsole()
    }

    // MARK: Sources

    /// The files of the flow, and those of the test, which are absolute paths.
    private var files: [String] {
        (debugger?.replica.files ?? []) + (debugger?.replica.test?.files.sorted() ?? [])
    }

    func source(_ file: String) -> Value {
        let folder = file.hasPrefix("/") ? "" : debugger?.replica.folder ?? ""
        let path = folder.isEmpty ? file : folder + (folder.hasSuffix("/") ? "" : "/") + file
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return ["name": .string(name), "path": .string(resolvedPath(path) ?? path)]
    }

    /// The file of the flow or of the test that a source is; `nil` if there is none.
    func file(_ source: Value?) -> String? {
        guard let path = source?["path"]?.string ?? source?["name"]?.string else { return nil }
        let wanted = resolvedPath(path) ?? path
        return files.first { self.source($0)["path"]?.string == wanted }
            ?? files.first { wanted == $0 || wanted.hasSuffix("/" + $0) }
    }

    private func sourceText(_ arguments: Value) throws -> Value {
        guard let bytes = file(arguments["source"]).flatMap(bytes) else {
            throw FlowError(.noSource)
        }
        return [
            "content": .string(String(decoding: bytes, as: UTF8.self)), "mimeType": "text/x-lua",
        ]
    }

    func bytes(of file: String) -> [UInt8]? {
        guard let path = source(file)["path"]?.string else { return nil }
        return try? readFile(path, takingUpTo: 1 << 24).get()
    }

    func codeLines(of file: String) -> CodeLines { CodeLines(bytes(of: file) ?? []) }

    private func breakpointLocations(_ arguments: Value) throws -> Value {
        guard let file = file(arguments["source"]), let first = try arguments.natural("line") else {
            return ["breakpoints": []]
        }
        let last = try arguments.natural("endLine") ?? first
        let lines = codeLines(of: file).all.filter { first <= $0 && $0 <= last }
        return ["breakpoints": .list(of: lines.map { ["line": .int($0)] })]
    }
}
