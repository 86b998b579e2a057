import LuaSyntax
import WorkflowPlugins

/// The rules for one file and the problems they find.
struct FileRules {
    let file: CheckedFile
    let source: LuaSource
    let contexts: ContextParameters
    let registry: WorkerRegistry
    /// Looks up a module that this file requires.
    let module: (String) -> ModuleAnswer
    /// The names of fields in the tests beside the file, which may read what the flow does not.
    let namesInTests: Set<String>
    private(set) var problems: [Problem] = []
    /// True if the functions of the definition have the parameters with which they are called.
    var hasRightParameters = true

    enum ModuleAnswer {
        case file(CheckedFile?)
        case missing(known: [String])
        case unknown
    }

    init?(
        _ file: CheckedFile, registry: WorkerRegistry, namesInTests: Set<String>,
        module: @escaping (String) -> ModuleAnswer
    ) {
        guard let source = file.source else { return nil }
        self.file = file
        self.source = source
        self.registry = registry
        self.module = module
        self.namesInTests = namesInTests
        contexts = ContextParameters(source, file.shape)
    }

    /// All problems that the text shows.
    mutating func check() -> [Problem] {
        checkGlobals()
        checkRequires()
        checkTables()
        switch file.kind {
        case .test:
            checkSends()
            checkTests()
        case .library: break
        case .flow, .module:
            checkHiddenState()
            checkParameters()
            checkFieldTypes()
            checkFunctionsGivenTwice()
            checkVersion()
            checkNames()
            checkContexts()
            checkFunctions()
            checkChildren()
            checkValues()
        }
        return problems
    }

    mutating func report(_ code: Problem.Code, _ place: SourcePlace, _ message: String) {
        problems.append(Problem(code, file.path, line: place.line, column: place.column, message))
    }
}
