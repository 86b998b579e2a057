import LuaVM
import PlainValue

/// Loads a flow's files: the `require` of its scripts, and the texts that errors quote.
final class ModuleLoader {
    private enum Loading {
        case underWay
        case done(LuaReference)
    }

    private let modules: FlowModules
    private let vm: LuaVM
    private var limits: LuaVM.Configuration { vm.configuration }
    private var loaded: [String: Loading] = [:]
    /// The names of the modules that are being loaded, outermost first.
    private var stack: [String] = []
    private(set) var texts: [String: [UInt8]] = [:]
    /// Those of ``codeHashes`` that were asked for.
    private var knownCodeHashes: [String: String] = [:]
    /// The flow's own file, once it was loaded.
    private var rootFile: String?

    init(modules: FlowModules, vm: LuaVM) {
        self.modules = modules
        self.vm = vm
    }

    /// Gives the scripts their `require` and the module `workflow`.
    func install() throws(FlowError) {
        try lua { () throws(LuaError) in
            let require = try vm.makeFunction { [unowned self] call throws(LuaError) in
                do throws(FlowError) {
                    return try self.require(call)
                } catch {
                    throw LuaError(raising: error)
                }
            }
            try vm.setGlobal("require", to: .reference(require))
            loaded["workflow"] = .done(try workflowModule())
        }
    }

    private func workflowModule() throws(LuaError) -> LuaReference {
        let table = try vm.makeRecord()
        try vm.setField("null", of: table, to: .value(.null))
        let record = try vm.makeFunction { call throws(LuaError) in
            .reference(try call.vm.makeRecord())
        }
        try vm.setField("record", of: table, to: .reference(record))
        return try vm.makeView(of: table, label: "workflow")
    }

    /// Loads the flow's own file and gives what it returns.
    func loadRoot(_ module: FlowModules.Module) throws(FlowError) -> LuaReference {
        rootFile = module.file
        let name = module.file.hasSuffix(".lua") ? String(module.file.dropLast(4)) : module.file
        return try load(name, module)
    }

    private func require(_ call: borrowing LuaCall) throws(FlowError) -> LuaArgument? {
        guard let name = call.string(at: 1) else {
            throw FlowError(
                .module, "require needs the name of a module, not \(call.type(at: 1).described)",
                help: "write require \"item\" for item.lua")
        }
        return .reference(try module(named: name))
    }

    /// What the module of a name returns; it is loaded when it is first asked for.
    func module(named name: String) throws(FlowError) -> LuaReference {
        _ = try FlowNames.checked(name, "the name of a module", .module)
        guard FlowModules.isName(name) else {
            throw FlowError(
                .module,
                "'\(name.debugDescription.dropFirst().dropLast())' is no name of a module",
                help: """
                    a module is a file in the flow's folder: require "item" for item.lua, \
                    require "parts.row" for parts/row.lua
                    """)
        }
        switch loaded[name] {
        case .done(let result): return result
        case .underWay:
            let cycle = stack.drop { $0 != name } + [name]
            throw FlowError(
                .module, "modules require each other: \(cycle.joined(separator: " → "))")
        case nil: break
        }
        switch modules.find(name) {
        case .found(let module): return try load(name, module)
        case .missing(let known):
            throw FlowError(
                .module,
                "there is no module '\(name)': \(FlowModules.file(of: name)) is not in the flow's folder"
                    + didYouMean(name, among: known))
        case .refused(let reason):
            throw FlowError(.module, "module '\(name)' cannot be loaded: \(reason)")
        }
    }

    private func load(
        _ name: String, _ module: FlowModules.Module
    ) throws(FlowError) -> LuaReference {
        keepText(of: module)
        loaded[name] = .underWay
        stack.append(name)
        defer {
            stack.removeLast()
            if case .underWay = loaded[name] {
                loaded[name] = nil
                // Of the files that fail there can be any number.
                texts[module.file] = nil
                knownCodeHashes[module.file] = nil
            }
        }
        let result: LuaResult
        do throws(FlowError) {
            result = try run(module)
        } catch {
            var error = error
            if error.excerpt == nil { error.excerpt = error.location.flatMap { excerpt(at: $0) } }
            if error.help == nil { error.help = error.advice }
            throw error
        }
        guard let reference = result.reference, !result.isNil else {
            throw FlowError(
                .module, "\(module.file) returns nothing",
                help: "end the file with: return { … }")
        }
        loaded[name] = .done(reference)
        return reference
    }

    /// Runs a file that need not return anything.
    func runScript(_ module: FlowModules.Module) throws(FlowError) {
        keepText(of: module)
        _ = try run(module)
    }

    private func keepText(of module: FlowModules.Module) {
        // A longer one will not be run.
        guard module.source.count <= limits.sourceLimit else { return }
        knownCodeHashes[module.file] = nil
        // Neither an excerpt nor a hash has the mark, which an editor may add or take away.
        let mark = LuaVM.byteOrderMarkLength(of: module.source)
        texts[module.file] = mark == 0 ? module.source : Array(module.source.dropFirst(mark))
    }

    /// Lets scripts require something that is no file.
    func provide(_ name: String, _ module: LuaReference) { loaded[name] = .done(module) }

    private func run(_ module: FlowModules.Module) throws(FlowError) -> LuaResult {
        try lua { () throws(LuaError) in
            let chunk = try module.source.withUnsafeBytes { bytes in
                Result { () throws(LuaError) in try vm.load(bytes, chunkName: module.file) }
            }.get()
            return try vm.call(chunk, returning: .reference)
        }
    }

    // MARK: Texts

    /// The flow's own file as it was loaded, and its modules: those that were loaded as they were then.
    var asLoaded: (root: FlowModules.Module, modules: FlowModules)? {
        guard let rootFile, let source = texts[rootFile] else { return nil }
        let (texts, modules) = (texts, modules)
        return (
            FlowModules.Module(file: rootFile, source: source),
            FlowModules { name in
                let file = FlowModules.file(of: name)
                guard let text = texts[file] else { return modules.find(name) }
                return .found(FlowModules.Module(file: file, source: text))
            }
        )
    }

    /// The values that the flow's modules have returned, in the order of their names.
    var results: [(key: String, value: LuaReference)] {
        loaded.compactMap { name, loading -> (key: String, value: LuaReference)? in
            guard case .done(let result) = loading, name != "workflow" else { return nil }
            return (name, result)
        }
        .sorted { $0.key < $1.key }
    }

    /// The files that were loaded, in order.
    var files: [String] { texts.keys.sorted() }

    /// Sixteen digits for each file, which change with its text.
    var hashes: [String: String] { texts.mapValues { TextSum.digits(of: $0) } }

    /// Sixteen digits for each file, which change with what it says to Lua: not with comments and blanks.
    var codeHashes: [String: String] {
        for (file, text) in texts where knownCodeHashes[file] == nil {
            knownCodeHashes[file] = TextSum.digits(ofCode: text)
        }
        return knownCodeHashes
    }

    /// Sixteen digits that change with the name or the text of any file that was loaded.
    var hash: String { Self.hash(of: texts) }

    static func hash(of texts: [String: [UInt8]]) -> String {
        var bytes: [UInt8] = []
        for (file, text) in texts.sorted(by: { $0.key < $1.key }) {
            bytes += Array(file.utf8) + [0xff] + Array(TextSum.digits(of: text).utf8)
        }
        return TextSum.digits(of: bytes)
    }

    // MARK: Errors

    /// The error with what is known here: the phase, the node and the source around its place.
    func completed(_ error: FlowError, phase: FlowPhase, node: String?) -> FlowError {
        var error = error
        if let sentence = limits.sentence(for: error.code) { error.message = sentence }
        if error.phase == nil { error.phase = phase }
        if error.node == nil { error.node = node }
        if error.excerpt == nil, let location = error.location {
            error.excerpt = excerpt(at: location)
        }
        if error.help == nil { error.help = error.advice }
        return error
    }

    /// The text of a file that was loaded, with the line ends that Lua counts.
    func text(of file: String) -> [UInt8]? { texts[file]?.withLineFeeds }

    /// The source around a place.
    func excerpt(at location: FlowError.Location) -> FlowError.Excerpt? {
        guard let text = texts[location.file], location.line > 0 else { return nil }
        let first = max(1, location.line - 1)
        var lines: [String] = []
        var number = 1
        for line in text.luaLines {
            if number > location.line + 1 { break }
            if number >= first { lines.append(String(decoding: line, as: UTF8.self)) }
            number += 1
        }
        // What follows the last line end of a file is no line.
        if lines.count > 1, lines.last == "" { lines.removeLast() }
        guard first + lines.count > location.line else { return nil }
        return FlowError.Excerpt(firstLine: first, lines: lines)
    }
}
