import LuaVM
import PlainValue
import Workflow

/// Loads a flow's files for `require`, and keeps their texts for errors.
final class ModuleLoader {
    private enum Loading {
        case underWay
        case done(LuaReference)
    }

    private let modules: FlowModules
    private let vm: LuaVM
    /// The time that scripts may read now, in milliseconds since 1970.
    private let now: () throws(FlowError) -> Int
    /// Reports a likely mistake.
    private let note: (String, FlowError.Location) -> Void
    /// The scripts' `package`; `nil` before ``install()``.
    private var package: LuaPackage?
    private var limits: LuaVM.Options { vm.options }
    private var loaded: [String: Loading] = [:]
    /// The names of the modules that are being loaded, outermost first.
    private var stack: [String] = []
    private(set) var texts: [String: [UInt8]] = [:]
    /// The source maps that were looked up for errors; `nil` for a file without one.
    private var maps: [String: SourceMap?] = [:]
    private var knownCodeHashes: [String: String] = [:]
    private var rootFile: String?
    /// The definitions that were read from these files. Both these and later ones can be in force.
    var tables = DefinitionTables()

    init(
        modules: FlowModules, vm: LuaVM, now: @escaping () throws(FlowError) -> Int = { 0 },
        note: @escaping (String, FlowError.Location) -> Void = { _, _ in }
    ) {
        self.modules = modules
        self.vm = vm
        self.now = now
        self.note = note
    }

    /// Provides `require`, the time and the module `workflow` to the scripts.
    func install() throws(FlowError) {
        try lua { () throws(LuaError) in
            let require = try function { [unowned self] call throws(FlowError) in
                try self.require(call)
            }
            try vm.setGlobal("require", to: .reference(require))
            if package?.isUsable != true { package = try makePackage() }
            try package?.use()
            loaded["workflow"] = .done(try workflowModule())
        }
    }

    private func makePackage() throws(LuaError) -> LuaPackage {
        let time = try function { [unowned self] _ throws(FlowError) in .value(.time(try now())) }
        return try LuaPackage(in: vm, now: time)
    }

    /// Makes a function for scripts, which raises the error that `body` throws.
    private func function(
        _ body: @escaping (borrowing LuaCall) throws(FlowError) -> LuaArgument?
    ) throws(LuaError) -> LuaReference {
        try vm.makeFunction { call throws(LuaError) in
            do throws(FlowError) {
                return try body(call)
            } catch {
                throw LuaError(raising: error)
            }
        }
    }

    private func workflowModule() throws(LuaError) -> LuaReference {
        let table = try vm.makeRecord()
        try vm.setField("null", of: table, to: .value(.null))
        let record = try vm.makeFunction { call throws(LuaError) in
            .reference(try call.vm.makeRecord())
        }
        try vm.setField("record", of: table, to: .reference(record))
        if let plain = try package?.plain {
            try vm.setField("plain", of: table, to: .reference(plain))
        }
        return try vm.makeView(of: table, label: "workflow")
    }

    func loadRoot(_ module: FlowModules.Module) throws(FlowError) -> LuaReference {
        rootFile = module.file
        return try load(module.file.withoutLua, module)
    }

    private func require(_ call: borrowing LuaCall) throws(FlowError) -> LuaArgument? {
        guard let name = call.string(at: 1) else {
            throw FlowError(.noModuleName, call.type(at: 1).described)
        }
        // A hostile name may be long, and comparing its characters takes time in proportion.
        let isShort = name.utf8.count <= 200
        guard isShort, name.contains("/") || Self.systemLibraries.contains(name),
            FlowModules.isLibrary(call.callerLocation?.chunk ?? "")
        else { return .reference(try module(named: name)) }
        if Self.systemLibraries.contains(name),
            let library = try lua({ () throws(LuaError) in try package?.libraryGlobal(name) })
        {
            return .reference(library)
        }
        return .reference(try module(named: name.replacing("/", with: ".")))
    }

    /// The libraries of Lua that library files can require, and flows have only as globals.
    private static let systemLibraries: Set<String> = ["debug", "io", "os"]

    /// The result of the module of a name, which is loaded at the first request.
    func module(named name: String) throws(FlowError) -> LuaReference {
        _ = try FlowNames.checked(name, "the name of a module", .module)
        guard FlowModules.isName(name) else {
            throw FlowError(.badModuleName, name.debugDescription.dropFirst().dropLast())
        }
        switch loaded[name] {
        case .done(let result): return result
        case .underWay:
            // A module of a library may set its result before it ends.
            if let set = try known(name) { return set }
            let cycle = stack.drop { $0 != name } + [name]
            throw FlowError(.cyclicModules, cycle.joined(separator: " → "))
        case nil: break
        }
        if let known = try known(name) { return known }
        if let made = try preloaded(name) { return made }
        switch modules.find(name) {
        case .found(let module): return try load(name, module)
        case .missing(let known):
            throw FlowError(
                .noModule, name, FlowModules.file(of: name), didYouMean(name, among: known))
        case .refused(let reason): throw FlowError(.refusedModule, name, reason)
        }
    }

    /// The entry of `package.loaded` under a name.
    private func known(_ name: String) throws(FlowError) -> LuaReference? {
        try lua { () throws(LuaError) in try package?.loaded(name) }
    }

    /// The result of the function that a library has put into `package.preload` under a name.
    private func preloaded(_ name: String) throws(FlowError) -> LuaReference? {
        try lua { () throws(LuaError) in
            guard let package, let function = try package.preloaded(name) else { return nil }
            let result = try vm.call(
                function, .value(.string(name)), .value(":preload:"), returning: .reference)
            return try keep(result, as: name, in: package)
        }
    }

    /// Keeps the result of a module. A module of a library that returns nothing has set its value
    /// itself, or its value is true.
    private func keep(
        _ result: LuaResult, as name: String, in package: LuaPackage?
    ) throws(LuaError) -> LuaReference {
        let value: LuaReference
        if let returned = result.reference, !result.isNil {
            value = returned
        } else if let set = try package?.loaded(name) {
            value = set
        } else {
            value = try vm.makeReference(.value(true))
        }
        try package?.setLoaded(name, to: value)
        loaded[name] = .done(value)
        return value
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
                // A script can try any number of files that fail, so their texts are not kept.
                texts[module.file] = nil
                knownCodeHashes[module.file] = nil
            }
        }
        let result: LuaResult
        do throws(FlowError) {
            result = try run(module, as: module.file == rootFile ? nil : name)
        } catch {
            throw explained(error)
        }
        guard FlowModules.isLibrary(module.file) || !result.isNil else {
            throw FlowError(.emptyModule, module.file)
        }
        return try lua { () throws(LuaError) in try keep(result, as: name, in: package) }
    }

    var isLoading: Bool { !stack.isEmpty }

    /// Runs a file that need not return a value.
    func runScript(_ module: FlowModules.Module) throws(FlowError) {
        keepText(of: module)
        _ = try run(module, as: nil)
    }

    private func keepText(of module: FlowModules.Module) {
        // A longer text will not be run.
        let isLibrary = FlowModules.isLibrary(module.file)
        let most = isLibrary ? LuaVM.librarySourceLimit : limits.sourceLimit
        guard module.source.count <= most else { return }
        knownCodeHashes[module.file] = nil
        // Excerpts and hashes are made without the mark, which an editor may add or remove.
        let mark = LuaVM.byteOrderMarkLength(of: module.source)
        let text = mark == 0 ? module.source : Array(module.source.dropFirst(mark))
        texts[module.file] = text
        if let line = Self.lineOfWeakTable(in: text) {
            note(
                "__mode has no effect here: the entries of a weak table stay",
                .init(file: module.file, line: line))
        }
    }

    /// Provides a module that is not a file.
    func provide(_ name: String, _ module: LuaReference) { loaded[name] = .done(module) }

    /// Runs a file. A module gets its name and its file as arguments.
    private func run(
        _ module: FlowModules.Module, as name: String?
    ) throws(FlowError) -> LuaResult {
        try lua { () throws(LuaError) in
            let isLibrary = FlowModules.isLibrary(module.file)
            let chunk = try module.source.withUnsafeBytes { bytes in
                Result { () throws(LuaError) in
                    try isLibrary
                        ? vm.loadLibrary(bytes, chunkName: module.file)
                        : vm.load(bytes, chunkName: module.file)
                }
            }.get()
            guard let name else { return try vm.call(chunk, returning: .reference) }
            return try vm.call(
                chunk, .value(.string(name)), .value(.string(module.file)), returning: .reference)
        }
    }

    // MARK: Texts

    /// The flow's own file and its modules, with the texts of loaded files as they were loaded.
    var asLoaded: (root: FlowModules.Module, modules: FlowModules)? {
        guard let rootFile, let source = texts[rootFile] else { return nil }
        let (texts, modules) = (texts, modules)
        return (
            FlowModules.Module(file: rootFile, source: source),
            FlowModules { name in
                for file in FlowModules.files(of: name) {
                    guard let text = texts[file] else { continue }
                    return .found(FlowModules.Module(file: file, source: text))
                }
                return modules.find(name)
            }
        )
    }

    /// The results of the flow's modules, sorted by name.
    var results: [(key: String, value: LuaReference)] {
        loaded.compactMap { name, loading -> (key: String, value: LuaReference)? in
            guard case .done(let result) = loading, name != "workflow" else { return nil }
            return (name, result)
        }
        .sorted { $0.key < $1.key }
    }

    var files: [String] { texts.keys.sorted() }

    var hashes: [String: String] { texts.mapValues { TextSum.digits(of: $0) } }

    var codeHashes: [String: String] {
        for (file, text) in texts where knownCodeHashes[file] == nil {
            knownCodeHashes[file] = TextSum.digits(ofCode: text)
        }
        return knownCodeHashes
    }

    var hash: String { Self.hash(of: texts) }

    static func hash(of texts: [String: [UInt8]]) -> String {
        var bytes: [UInt8] = []
        for (file, text) in texts.sorted(by: { $0.key < $1.key }) {
            bytes += Array(file.utf8) + [0xff] + Array(TextSum.digits(of: text).utf8)
        }
        return TextSum.digits(of: bytes)
    }

    // MARK: Errors

    /// The error with its phase, its node and the source around its place.
    func completed(_ error: FlowError, phase: FlowPhase, node: NodePath?) -> FlowError {
        var error = error
        if let sentence = limits.sentence(for: error.code) { error.message = sentence }
        if error.phase == nil { error.phase = phase }
        if error.node == nil { error.node = node }
        if let line = lineInFunction(of: error) { error.location?.line = line }
        return explained(error)
    }

    /// The error with the source around its place, advice, and the source of a generated file.
    private func explained(_ error: FlowError) -> FlowError {
        var error = error
        if error.excerpt == nil { error.excerpt = error.location.flatMap { excerpt(at: $0) } }
        if error.help == nil { error.help = error.advice }
        if let note = error.location.flatMap(noteOfSource), !error.notes.contains(note) {
            error.notes.append(note)
        }
        return error
    }

    /// The place in the source of a generated file, if there is a source map beside it.
    private func noteOfSource(of location: FlowError.Location) -> String? {
        guard texts[location.file] != nil else { return nil }
        let map = maps[location.file] ?? modules.map(location.file).flatMap(SourceMap.init)
        maps[location.file] = .some(map)
        guard let place = map?.place(ofLine: location.line) else { return nil }
        let folder = location.file.folderOfPath
        let isElsewhere = folder.isEmpty || place.source.hasPrefix("/")
        let source = isElsewhere ? place.source : "\(folder)/\(place.source)"
        return "made from \(source):\(place.line)"
    }

    func text(of file: String) -> [UInt8]? { texts[file]?.withLineFeeds }

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
        // The text after the last line end is not a line.
        if lines.count > 1, lines.last == "" { lines.removeLast() }
        guard first + lines.count > location.line else { return nil }
        return FlowError.Excerpt(firstLine: first, lines: lines)
    }
}
