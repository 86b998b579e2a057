public import WorkflowKit
public import WorkflowLua

extension FlowCode {
    /// The flow of these files.
    ///
    /// ```swift
    /// if let hash = try await store.summary(of: "groceries").code,
    ///     let code = try await store.code(hash)
    /// {
    ///     let session = try await FlowSession.open(code.source())
    /// }
    /// ```
    ///
    /// - Parameter modules: The sources of required modules that are missing from the files. A
    ///   module is stored only after it was first required.
    public func source(completedBy modules: FlowModules = FlowModules([:])) -> FlowSource {
        var known: [String: String] = [:]
        var open = [files[main] ?? ""]
        for (file, text) in files where file != main {
            known[FlowModules.name(of: file)] = text
            open.append(text)
        }
        while let text = open.popLast() {
            for name in FlowModules.names(requiredIn: text) {
                guard case .missing = FlowModules(known).find(name),
                    case .found(let module) = modules.find(name)
                else { continue }
                known[FlowModules.name(of: module.file)] = module.text
                open.append(module.text)
            }
        }
        return .text(files[main] ?? "", name: main, modules: known)
    }
}
