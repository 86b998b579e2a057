import LuaSyntax
import LuaVM
package import WorkflowLua
package import WorkflowPlugins

/// Finds mistakes in Lua files: parses them, and loads them as flows would.
package struct Check {
    private let registry: WorkerRegistry
    private let files: [CheckedFile]
    private let libraries: [String]
    /// The files, by absolute path.
    private let byPath: [String: CheckedFile]
    private var problems: [Problem]

    package var fileCount: Int { files.count }

    /// The paths of the files that are no library's.
    package var paths: [String] { files.filter { $0.kind != .library }.map(\.path) }

    /// A check of the Lua files at `paths`, including those in folders.
    ///
    /// - Parameters:
    ///   - excluded: The names and paths of files and folders to leave out, which may contain `*`.
    ///   - libraries: The folders of libraries that flows may require.
    /// - Throws: A ``FlowError`` for a path that does not exist.
    package init(
        _ paths: [String], excluding excluded: [String] = [], registry: WorkerRegistry,
        libraries: [String] = []
    ) throws(FlowError) {
        let found = try SourceFiles(paths, excluding: excluded, libraries: libraries)
        files = found.files
        self.libraries = libraries
        problems = found.problems
        self.registry = registry
        byPath = Dictionary(found.files.map { ($0.resolved, $0) }) { first, _ in first }
    }

    /// All problems, in order; unless `loadsFiles`, those of the text alone, as for files that were
    /// loaded already, maybe in a process of their own.
    package mutating func run(loadsFiles: Bool = true) -> [Problem] {
        placeModules()
        var loading: [Problem] = []
        for file in files {
            if loadsFiles { loading += load(file) } else { takeLiteralActions(of: file) }
        }
        let names = Set(files.filter { $0.kind == .test }.flatMap(\.names))
        for file in files where file.kind != .library {
            let module = answer(for: file)
            guard
                var rules = FileRules(file, registry: registry, namesInTests: names, module: module)
            else { continue }
            problems += rules.check()
        }
        // A problem found in the text has a column. Loading finds the same problem without one.
        let known = Set(problems.map { "\($0.file):\($0.line ?? 0)" })
        problems += loading.filter { problem in
            if problem.code == .syntax { return true }
            // The text shows where a field of the definition has a wrong value.
            if problem.line == nil {
                return problem.code != .definition
                    || !problems.contains { $0.file == problem.file && $0.code == .definition }
            }
            return !known.contains("\(problem.file):\(problem.line ?? 0)")
        }
        return Set(problems).sorted()
    }

    // MARK: Modules

    /// Assigns each module in a subfolder to the folder of the flow that requires it.
    private func placeModules() {
        var visited: Set<String> = []
        // The files nearest to the root come first, because they are the flows.
        let order = files.sorted { a, b in
            (a.resolved.count { $0 == "/" }, a.path) < (b.resolved.count { $0 == "/" }, b.path)
        }
        for root in order {
            if !visited.contains(root.resolved) { placeInFolderAround(root) }
            var waiting = [root]
            while let file = waiting.popLast() {
                guard visited.insert(file.resolved).inserted else { continue }
                for required in requiredFiles(of: file) where !visited.contains(required.resolved) {
                    required.base = file.base
                    waiting.append(required)
                }
            }
        }
        var users: [ObjectIdentifier: [CheckedFile]] = [:]
        for file in files {
            for required in requiredFiles(of: file) {
                users[ObjectIdentifier(required), default: []].append(file)
            }
        }
        for file in files where file.kind == .module {
            let users = users[ObjectIdentifier(file)] ?? []
            file.isForTests = !users.isEmpty && users.allSatisfy { $0.kind == .test }
        }
    }

    private func requiredFiles(of file: CheckedFile) -> [CheckedFile] {
        file.requiredNames.compactMap { self.file(of: $0, for: file) }
            .filter { $0.kind != .library }
    }

    /// Places a file that no file nearer to the root requires, if one that is not checked does: a
    /// module in a subfolder finds others from the folder of its flow.
    private func placeInFolderAround(_ file: CheckedFile) {
        guard !file.requiredNames.isEmpty else { return }
        var (base, name) = (file.base, file.name.withoutLua)
        for _ in 0..<Self.mostFolders where base.resolved != "/" {
            name = base.resolved.nameOfPath + "." + name
            base = (base.path.pathOfFolderAround, base.resolved.folderOfPath)
            if [file.base.resolved, base.resolved].contains(where: { requires(name, in: $0) }) {
                file.base = base
                return
            }
        }
    }

    /// The number of folders around that of a file in which its flow is looked for.
    private static let mostFolders = 4

    /// True if a file in a folder requires a module.
    private func requires(_ module: String, in folder: String) -> Bool {
        guard case .success(let names) = fileNames(in: folder) else { return false }
        let limit = LuaVM.Options().sourceLimit
        return names.contains { name in
            guard name.hasSuffix(".lua"),
                case .success(let bytes) = readFile(
                    "\(folder)/\(name)", takingUpTo: limit, isRegular: true)
            else { return false }
            return FieldWriting.modules(in: bytes).contains(module)
        }
    }

    private func file(of module: String, for file: CheckedFile) -> CheckedFile? {
        guard case .file(let found) = answer(for: file)(module) else { return nil }
        return found
    }

    private func answer(for file: CheckedFile) -> (String) -> FileRules.ModuleAnswer {
        { [byPath, libraries] name in
            guard let folder = FlowFolder(path: file.base.resolved, libraries: libraries) else {
                return .unknown
            }
            guard let found = folder.find(name) else {
                return .missing(known: folder.moduleNames())
            }
            return .file(byPath[found.resolved])
        }
    }

    // MARK: Loading

    /// Compiles a file. Unless it contains tests, also runs it as a flow or a module.
    private func load(_ file: CheckedFile) -> [Problem] {
        if let problem = compile(file) { return [problem] }
        if file.kind == .test || file.kind == .library { return [] }
        do throws(FlowError) {
            var options = LuaFlow.Options()
            options.libraries = libraries
            guard file.nameInBase == file.name else {
                _ = try LuaFlow(
                    source: "local module = require \(file.moduleName.debugDescription)\n"
                        + "return module",
                    name: Self.wrapper,
                    modules: FlowFolder(path: file.base.resolved, libraries: libraries)?
                        .modules(upTo: options.limits.sourceLimit) ?? FlowModules([:]),
                    options: options)
                return []
            }
            let flow = try LuaFlow(file: file.resolved, options: options)
            if !flow.actionTypes.isEmpty || file.shape?.fields["apply"] == nil
                || file.shape?.hasApplyTable == true
            {
                file.actions = KnownActions(flow: flow.name, types: flow.actionTypes)
            }
            return []
        } catch {
            takeLiteralActions(of: file)
            return problem(error, in: file).map { [$0] } ?? []
        }
    }

    private func takeLiteralActions(of file: CheckedFile) {
        guard let types = file.shape?.literalActions else { return }
        file.actions = KnownActions(flow: file.name.withoutLua, types: types)
    }

    private static let wrapper = "(check)"

    private func compile(_ file: CheckedFile) -> Problem? {
        do throws(LuaError) {
            let vm = try LuaVM()
            _ = try file.bytes.withUnsafeBytes { bytes in
                Result { () throws(LuaError) in
                    try file.kind == .library
                        ? vm.loadLibrary(bytes, chunkName: file.name)
                        : vm.load(bytes, chunkName: file.name)
                }
            }.get()
            return nil
        } catch {
            let error = FlowError(error)
            let advice = file.advice(for: error).map { "; \($0)" } ?? ""
            return Problem(.syntax, file.path, line: error.location?.line, error.message + advice)
        }
    }

    /// The problem for an error; nil if the error is not this file's fault.
    private func problem(_ error: FlowError, in file: CheckedFile) -> Problem? {
        // A module may return any value.
        if error.code == .definition, file.kind == .module { return nil }
        let help = error.help.map { "; \($0)" } ?? ""
        let code: Problem.Code =
            switch error.code {
            case .syntax: .syntax
            case .definition: .definition
            case .module: .require
            default: .load
            }
        guard let location = error.location, location.file != Self.wrapper else {
            return error.code == .definition
                ? nil : Problem(code, file.path, line: nil, error.message + help)
        }
        return Problem(
            code, file.pathInBase(location.file), line: location.line > 0 ? location.line : nil,
            error.message + help)
    }
}

extension CheckedFile {
    /// The next step for a syntax error.
    fileprivate func advice(for error: FlowError) -> String? {
        guard let location = error.location else { return nil }
        let lines = bytes.luaLines
        guard lines.indices.contains(location.line - 1) else { return nil }
        var flow = error
        flow.excerpt = .init(
            firstLine: location.line,
            lines: [String(decoding: lines[location.line - 1], as: UTF8.self)])
        return flow.advice
    }

    fileprivate var moduleName: String {
        String(nameInBase.withoutLua.map { $0 == "/" ? "." : $0 })
    }
}

extension String {
    /// The path of the folder around this one, as the user would write it.
    fileprivate var pathOfFolderAround: String {
        let isAbove = isEmpty || split(separator: "/").allSatisfy { $0 == ".." }
        return isAbove && self != "/" ? (isEmpty ? ".." : "../" + self) : folderOfPath
    }
}
