import WorkflowLua

extension FlowError.Reason {
    static let noSource = Self(.file, "there is no file or folder %0")
        .help("give the path of a flow or of a folder with flows")
    static let noLuaFiles = Self(.file, "there are no Lua files in %0")
        .help("make a flow with workflow-run new")
    static let noFlows = Self(.file, "there are no flows in %0")
        .help("make one with workflow-run new")
    static let noVisibleDefinition = Self(.definition, "%0 does not show a definition")
        .help(
            """
            give a flow file that ends with return and a table; workflow-run check finds its \
            mistakes
            """
        )
}
