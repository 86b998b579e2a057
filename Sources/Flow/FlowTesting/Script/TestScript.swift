import LuaVM
import WorkflowKit
import WorkflowLua

/// A file of tests in its interpreter, with the functions that tests call.
///
/// - Important: The functions belong to the interpreter and must retain neither it nor this.
final class TestScript {
    /// The subject of an object in Lua, found by its tag.
    enum Subject {
        case flow(TestedFlow)
        case worker(TestedFlow, WorkerRun)
        /// The argument of `expect`: a function, or a value.
        case value(LuaReference)
    }

    let script: LuaScript
    let options: FlowTestOptions
    let router: FlowRouter
    /// The folder of golden renderings, if the tests came from a file.
    let goldens: GoldenFolder?
    let folder: String?

    private(set) var tests: [TestCase] = []
    private var group = TestGroup(path: [], outer: nil)
    private var isLoading = false
    /// True while a test or a function before or after it is running.
    var isRunning = false
    /// The locations of `expect` calls without an expectation, by the tags of their objects.
    var openExpectations: [Int: FlowError.Location] = [:]
    /// The first expectation of the test that failed, even if the test went on.
    var failedExpectation: FlowTestFailure?
    private(set) var subjects: [Int: Subject] = [:]
    private(set) var flows: [(flow: TestedFlow, object: LuaObject)] = []
    private var lastTag = 0
    private(set) var types: ObjectTypes?

    var vm: LuaVM { script.vm }

    init(
        _ source: FlowSource, options: FlowTestOptions, onPrint: @escaping (FlowLog) -> Void
    ) throws(FlowError) {
        self.options = options
        router = FlowRouter(onPrint: onPrint)
        let luaOptions = router.luaOptions(options)
        switch source {
        case .file(let path):
            script = try LuaScript(file: path, options: luaOptions)
            let resolved = resolvedPath(path) ?? path
            folder = resolved.folderOfPath
            goldens = GoldenFolder(testFile: resolved, isUpdating: options.updatesGoldens)
        case .text(let text, let name, let modules):
            script = try LuaScript(
                source: text, name: name, modules: FlowModules(modules), options: luaOptions)
            folder = nil
            goldens = nil
        }
    }

    /// Runs the file, which defines the tests.
    func load() throws(FlowError) {
        assert(types == nil && tests.isEmpty, "a file is loaded twice")
        let library: LuaReference
        do throws(LuaError) {
            types = try makeObjectTypes()
            library = try makeLibrary()
            try setGlobals(library)
        } catch {
            throw script.error(error)
        }
        isLoading = true
        defer { isLoading = false }
        try script.run(providing: library)
    }

    // MARK: Functions for Lua

    private func setGlobals(_ library: LuaReference) throws(LuaError) {
        try vm.setGlobal("workflow", to: .reference(library))
        try define("describe") { script, call in try script.describe(call) }
        try define("it") { script, call in try script.it(call) }
        try define("pending") { script, call in try script.pending(call) }
        try define("before_each") { script, call in
            script.group.before.append(try script.hook(call))
            return .none
        }
        try define("after_each") { script, call in
            // In reverse order, so that the last set-up is the first torn down.
            script.group.after.insert(try script.hook(call), at: 0)
            return .none
        }
        try define("expect") { script, call in
            let object = try script.makeObject(
                .value(try call.reference(at: 1)), of: script.types?.value)
            script.openExpectations[script.lastTag] =
                call.callerLocation.map(FlowError.Location.init)
            return object
        }
    }

    typealias Function = (TestScript, borrowing LuaCall) throws -> LuaArgument?

    /// Makes a function that refers to this script without retaining it.
    ///
    /// A ``FlowTestFailure`` or a `FlowError` that it throws fails the test.
    func function(_ name: String, _ body: @escaping Function) throws(LuaError) -> LuaReference {
        try vm.makeFunction(name) { [unowned self] call throws(LuaError) in
            do {
                return try body(self, call)
            } catch {
                note(error, at: call.callerLocation)
                throw LuaError(failingBy: error)
            }
        }
    }

    /// Records a failed expectation, as the test may catch its error.
    private func note(_ error: any Error, at location: LuaLocation?) {
        let failure =
            error as? FlowTestFailure ?? (error as? LuaError)?.underlying as? FlowTestFailure
        guard failedExpectation == nil, var failure, failure.error.code == .expectation else {
            return
        }
        failure.error.location = failure.error.location ?? location.map(FlowError.Location.init)
        failedExpectation = failure
    }

    private func define(_ name: String, _ body: @escaping Function) throws(LuaError) {
        try vm.setGlobal(name, to: .reference(try function(name, body)))
    }

    /// Makes an object in Lua for a subject, valid while the test runs.
    func makeObject(_ subject: Subject, of type: LuaObjectType?) throws(LuaError) -> LuaArgument? {
        guard let type else { return .none }
        lastTag += 1
        assert(subjects[lastTag] == nil)
        let object = try vm.makeObject(type, tag: lastTag)
        subjects[lastTag] = subject
        if case .flow(let flow) = subject { flows.append((flow, object)) }
        return .reference(object.reference)
    }

    /// Ends the flows of a test and invalidates its objects.
    func forgetObjects() {
        for (flow, _) in flows { flow.end() }
        flows = []
        subjects = [:]
        openExpectations = [:]
        router.kept = KeptBytes()
    }

    // MARK: Groups and tests

    private func describe(_ call: borrowing LuaCall) throws(LuaError) -> LuaArgument? {
        let (name, body) = try named(call)
        guard let body else {
            throw .misuse(
                "describe needs a name and a function", "describe(\"cart\", function() … end)")
        }
        let outer = group
        group = TestGroup(path: outer.path + [name], outer: outer)
        defer { group = outer }
        _ = try vm.call(body)
        return .none
    }

    private func it(_ call: borrowing LuaCall) throws(LuaError) -> LuaArgument? {
        let (name, body) = try named(call)
        guard let body else {
            throw .misuse(
                "it needs a name and a function",
                "it(\"adds\", function() … end), or pending(\"adds\")")
        }
        add(name, body, call)
        return .none
    }

    private func pending(_ call: borrowing LuaCall) throws(LuaError) -> LuaArgument? {
        let (name, _) = try named(call)
        add(name, nil, call)
        return .none
    }

    private func add(_ name: String, _ body: LuaReference?, _ call: borrowing LuaCall) {
        tests.append(
            TestCase(
                name: name, group: group, body: body,
                location: call.callerLocation.map(FlowError.Location.init)))
    }

    private func hook(_ call: borrowing LuaCall) throws(LuaError) -> LuaReference {
        try checkLoading(call.functionName)
        guard call.type(at: 1) == .function else {
            throw .misuse(
                "\(call.functionName) needs a function", "\(call.functionName)(function() … end)")
        }
        return try call.reference(at: 1)
    }

    /// The name and the function in the arguments of a group or a test.
    private func named(
        _ call: borrowing LuaCall
    ) throws(LuaError) -> (name: String, body: LuaReference?) {
        let function = call.functionName
        try checkLoading(function)
        guard let name = call.string(at: 1), !name.isEmpty else {
            throw .misuse(
                "\(function) needs a name", "\(function)(\"adds items\", function() … end)")
        }
        return (name, call.type(at: 2) == .function ? try call.reference(at: 2) : nil)
    }

    private func checkLoading(_ function: String) throws(LuaError) {
        guard isLoading else {
            throw .misuse(
                "\(function) was called in a test; tests are defined when the file is loaded")
        }
    }
}

struct ObjectTypes {
    let flow: LuaObjectType
    let worker: LuaObjectType
    let value: LuaObjectType
}

extension LuaError {
    /// Makes a failure that is raised in Lua and comes out of it unchanged.
    init(raising failure: FlowTestFailure) {
        self.init(.host, failure.error.message)
        underlying = failure
    }

    /// Makes an error that fails the test, unless it is an error of Lua.
    fileprivate init(failingBy error: any Error) {
        switch error {
        case let error as LuaError: self = error
        case let failure as FlowTestFailure: self.init(raising: failure)
        case let error as FlowError: self.init(raising: FlowTestFailure(error))
        default: self.init(.host, "\(error)")
        }
    }

    static func misuse(_ message: String, _ example: String? = nil) -> LuaError {
        LuaError(raising: FlowError(.misuse, message, help: example.map { "write \($0)" }))
    }
}
