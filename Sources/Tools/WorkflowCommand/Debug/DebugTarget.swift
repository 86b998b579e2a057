import FlowDebugging
import FlowProtocol
import FlowTesting
import LuaVM
import PlainValue
import WorkflowKit
import WorkflowLua

/// The target of an editor's launch or attach request.
struct DebugTarget {
    private let command: String
    private let arguments: Value

    init(_ command: String, _ arguments: Value) {
        self.command = command
        self.arguments = arguments
    }

    func open(_ options: FlowOptions, _ plugins: PluginOptions) async throws -> any DebugSubject {
        if command == "attach" {
            guard let socket = arguments["socket"]?.string else {
                throw FlowError(.noSocketToAttach)
            }
            return AttachedSubject(socket: socket)
        }
        guard let program = arguments["program"]?.string, !program.isEmpty else {
            throw FlowError(.noProgram)
        }
        if program.hasSuffix(".jsonl") {
            let recording = try FlowRecording(path: program)
            return RecordedSubject(recording, of: .file(try flow(of: recording, beside: program)))
        }
        if program.hasSuffix("_test.lua") {
            return try test(program, plugins, hidesValues: !options.secrets.isEmpty)
        }
        var options = options
        if let props = arguments["props"] { options.props = props }
        try plugins.apply(to: &options, flow: program)
        let actions = arguments["actions"]?.list.map(Array.init) ?? []
        return LiveSubject(.file(program), options, actions: actions)
    }

    /// The session of a file's first failing test, or of the first one that plays a flow of a file.
    private func test(
        _ path: String, _ plugins: PluginOptions, hidesValues: Bool
    ) throws -> any DebugSubject {
        let folder = try PrivateFolder()
        defer { folder.remove() }
        var options = FlowTestOptions(
            plugins: try plugins.libraries.makeRegistry(),
            filter: arguments["test"]?.string, recordings: folder.path)
        options.recordsPassed = true
        let results = try FlowTestFile(.file(path), options: options).run()
        options.recordings = nil
        let file = FlowTestFile(.file(path), options: options)
        let failed = results.indices.filter { results[$0].failure != nil }
        for index in failed + results.indices {
            let result = results[index]
            guard let last = (result.failure?.recordings ?? result.recordings).last else {
                continue
            }
            let recording = try FlowRecording(path: last)
            guard recording.header.file != nil else { continue }
            return RecordedSubject(
                recording, of: .file(try flow(of: recording, beside: last)),
                by: FlowTest(
                    file: file, number: index, name: result.fullName,
                    folder: (resolvedPath(path) ?? path).folderOfPath, hidesValues: hidesValues))
        }
        throw FlowError(.noTestOfFlow)
    }

    /// The flow of a recording: the given one, or the recorded one, where it was or beside it.
    private func flow(of recording: FlowRecording, beside path: String) throws -> String {
        if let flow = arguments["flow"]?.string { return flow }
        let file = recording.header.file ?? ""
        let name = file.split(separator: "/").last.map(String.init) ?? ""
        let folder = path.contains("/") ? path.folderOfPath + "/" : ""
        for candidate in [file, folder + file, folder + name]
        where !candidate.isEmpty && resolvedPath(candidate) != nil {
            return candidate
        }
        throw FlowError(file.isEmpty ? .noFileInRecording : .fileOfRecordingAway, file, "\"flow\"")
    }
}

/// A test of a file, which the debugger runs again.
private struct FlowTest: DebuggedTest {
    let file: FlowTestFile
    /// The index of the test among those of the file.
    let number: Int
    let name: String
    let folder: String
    /// True if something may be secret, and no values are said in errors.
    let hidesValues: Bool

    func run(
        _ onLine: @escaping (TestLine, borrowing LuaMoment) -> Bool
    ) throws(FlowError) -> FlowError? {
        guard let failure = try file.run(tracing: number, onLine: onLine).failure else {
            return nil
        }
        var error = failure.error
        if !hidesValues {
            let lines = [error.message] + failure.mismatches.flatMap(\.lines)
            error.message = lines.joined(separator: "\n")
        }
        return error
    }
}
