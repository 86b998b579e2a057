#if ALONE
    import HTTPPlugin
    import InspectorLibrary
    import SQLitePlugin
#endif
import WorkflowCommand

LinkedParts.current.serve = AllOfServe.self
#if ALONE
    LinkedParts.current.plugins = [HTTPPlugin.plugin, SQLitePlugin.plugin]
    LinkedParts.current.page = InspectorLibrary(start: startInspector, stop: stopInspector)
#endif
ServeTool.prepareThreads()
let arguments = Array(CommandLine.arguments.dropFirst())
#if ALONE
    guard arguments.first == "serve" else { await CommandLineTool.main() }
    await ServeTool.main(Array(arguments.dropFirst()))
#else
    await ServeTool.main(arguments)
#endif
