import Foundation
import TestSupport
import Testing
import WorkerKit

@testable import WorkflowPlugins

@Suite struct LoadingTests {
    private func error(loading path: String) -> PluginError? {
        #expect(throws: PluginError.self) { try WorkerRegistry().load(path) }
    }

    @Test func aGoodTableIsLoaded() throws {
        let registry = WorkerRegistry()
        let path = try CLibrary.build(
            "Tests/WorkflowPluginsTests/Plugins/table.c", as: "good.so", "-DFAULT=GOOD")
        let plugin = try registry.load(path)
        #expect(plugin.name == "table")
        #expect(plugin.version == "1.0.0")
        #expect(registry.workers.map(\.name) == ["table.nothing"])
        #expect(registry.workers.map(\.summary) == ["Does nothing."])
    }

    @Test func aLibraryIsLoadedOnce() throws {
        let registry = WorkerRegistry()
        let path = try CLibrary.build(
            "Tests/WorkflowPluginsTests/Plugins/table.c", as: "once.so", "-DFAULT=GOOD")
        try registry.load(path)
        try registry.load(path)
        try FileManager.default.createSymbolicLink(
            atPath: path + ".link", withDestinationPath: path)
        try registry.load(path + ".link")
        #expect(registry.plugins.count == 1)
    }

    @Test func aFileThatIsMissingIsRefused() {
        #expect(
            error(loading: "/not/there.so")
                == PluginErrorText(.noFile, "there is no file '/not/there.so'"))
        #expect(error(loading: "/tmp")?.message == "'/tmp' is not a file")
    }

    @Test func aNameIsNeverSearchedForInTheFoldersOfTheLoader() {
        #expect(error(loading: "libc.so.6")?.message == "there is no file 'libc.so.6'")
    }

    @Test func aFileThatIsNoLibraryIsRefused() throws {
        let folder = try Folder(["text.so": "no library"])
        let path = folder.path("text.so")
        #expect(error(loading: path)?.code == .noLibrary)
        #expect(error(loading: path)?.message.hasPrefix("'text.so' cannot be loaded: ") == true)
    }

    @Test func aLibraryWithoutTheEntryIsRefused() throws {
        let path = try CLibrary.build("Sources/C/CWorkflowPlugin/layout.c", as: "other.so")
        #expect(
            error(loading: path)
                == PluginErrorText(
                    .noPlugin, "'other.so' is not a plugin: it has no symbol workflow_plugin_entry")
        )
    }

    #if os(Linux)
        @Test func aLibraryThatWouldBringASecondSwiftIsRefused() throws {
            func built(_ name: String, _ flag: String) throws -> String {
                try CLibrary.build(
                    "Tests/WorkflowPluginsTests/Plugins/table.c", as: name, "-DFAULT=GOOD", flag)
            }
            let own = try built("own.so", "-DHAS_SWIFT")
            let refusal = error(loading: own)
            #expect(refusal?.code == .noLibrary)
            #expect(
                refusal?.message == "'own.so' has Swift linked in, and a process can have only one")
            // This program shares Swift's libraries, and so do plugins in Swift.
            let sharing = try built("sharing.so", "-Wl,-rpath,libswiftCore.so")
            try WorkerRegistry().load(sharing)
            let other = #expect(throws: PluginError.self) {
                try SwiftRuntime.check(sharing, named: "sharing.so", isShared: false)
            }
            #expect(
                other?.message
                    == "'sharing.so' uses Swift's libraries, and this program has Swift linked in")
            let none = try built("none.so", "-O1")
            try SwiftRuntime.check(none, named: "none.so", isShared: false)
        }
    #endif

    @Test(arguments: [
        (
            "NO_TABLE",
            """
            the plugin 'F' refuses this host
            help: build it for version 1 of the plugin interface
            """
        ),
        (
            "VERSION",
            """
            the plugin 'F' is built for version 7 of the plugin interface; this host has version 1
            help: build it again for version 1
            """
        ),
        ("SMALL", "the table of the plugin 'F' says that it has 8 bytes; version 1 has 40"),
        (
            "HUGE_SIZE",
            "the table of the plugin 'F' says that it has 4000000000 bytes; version 1 has 40"
        ),
        (
            "SMALL_WORKER",
            "the table of the plugin 'F' says that it has 16 bytes for each worker; version 1 has 80"
        ),
        (
            "MANY",
            "the table of the plugin 'F' lists 4294967295 workers; at most 1024 are possible"
        ),
        ("NO_WORKERS", "the table of the plugin 'F' lists 1 workers, but has none"),
        ("NO_NAME", "the table of the plugin 'F' has no text where the name of worker 1 should be"),
        (
            "NOT_UTF8",
            "the table of the plugin 'F' has no text where the summary of 'table.nothing' should be"
        ),
        (
            "ENDLESS",
            "the table of the plugin 'F' has no text where the summary of 'table.nothing' should be"
        ),
        (
            "NO_START",
            "the table of the plugin 'F' has no function to start or to cancel 'table.nothing'"
        ),
        (
            "BAD_TYPE",
            "the input of 'table.nothing' in 'F' is not a type: expected a type at column 9 of the type"
        ),
        (
            "BAD_NAME",
            """
            'Nothing' of the plugin 'table' cannot be the name of a worker
            help: write it like 'http.get'
            """
        ),
        (
            "BAD_NEEDS",
            """
            'http={ur}' cannot be what 'table.nothing' of the plugin 'table' needs
            help: write a kind and a field of the input, such as http={url}
            """
        ),
        (
            "NO_VERSION",
            "the table of the plugin 'F' has no text where the version of the plugin should be"
        ),
        (
            "NO_NEEDS",
            "the table of the plugin 'F' has no text where the needs of 'table.nothing' should be"
        ),
        (
            "BAD_OUTPUT",
            "the output of 'table.nothing' in 'F' is not a type: expected a type at column 1 of the type"
        ),
        (
            "BAD_PLUGIN",
            """
            'A table' cannot be the name of a plugin
            help: use lower-case letters, digits, '_' and '-'
            """
        ),
        ("TWICE", "the plugin 'table' has two workers 'table.nothing'"),
    ]) func aTableThatLiesIsRefused(fault: String, message: String) throws {
        let path = try CLibrary.build(
            "Tests/WorkflowPluginsTests/Plugins/table.c", as: "\(fault).so", "-DFAULT=\(fault)")
        let message = message.replacingOccurrences(of: "'F'", with: "'\(fault).so'")
        let error = error(loading: path)
        let said = error.map { $0.message + ($0.help.map { "\nhelp: \($0)" } ?? "") }
        #expect(said == message)
    }

    @Test func aNameThatIsTakenIsRefused() throws {
        let registry = WorkerRegistry()
        let plugin = Plugin(
            "mine", version: "1.0.0",
            definitions: [
                WorkerDefinition(name: "mine.own", summary: "") { _, _, _ in },
                WorkerDefinition(name: "table.nothing", summary: "") { _, _, _ in },
            ])
        try registry.load(
            try CLibrary.build(
                "Tests/WorkflowPluginsTests/Plugins/table.c", as: "taken.so", "-DFAULT=GOOD"))
        let error = #expect(throws: PluginError.self) { try registry.register(plugin) }
        #expect(
            error
                == PluginErrorText(
                    .duplicateWorker,
                    "the plugin 'mine' has a worker 'table.nothing', as the plugin 'table' does",
                    help: "use one of the two"))
        #expect(registry.workers.map(\.name) == ["table.nothing"])
    }

    @Test func librariesAreFoundInTheFoldersOfAList() throws {
        let folder = try Folder(["b.so": "", "a.so": "", "notes.txt": "", ".hidden.so": ""])
        let path = folder.path
        #expect(
            PluginSearch.libraries(inPathList: "/not/there:\(path)::/x/y.so")
                == ["\(path)/a.so", "\(path)/b.so", "/x/y.so"])
    }
}

private struct PluginErrorText {
    let code: PluginError.Code
    let message: String
    let help: String?

    init(_ code: PluginError.Code, _ message: String, help: String? = nil) {
        self.code = code
        self.message = message
        self.help = help
    }

    static func == (error: PluginError?, text: PluginErrorText) -> Bool {
        error?.code == text.code && error?.message == text.message && error?.help == text.help
    }
}
