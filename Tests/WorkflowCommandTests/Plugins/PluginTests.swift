import Foundation
import TestSupport
import Testing
import WorkerKit
import WorkflowLua
import WorkflowPlugins

@testable import FlowPrinting
@testable import FlowREPL
@testable import Terminal
@testable import WorkflowCommand

@Suite struct PluginTests {
    /// The library of the C example, built once.
    private static let library = Result<String, any Error> {
        try CLibrary.build("Examples/c-plugin/shout.c", as: "command-shout.so")
    }

    private func options(allow grants: [String] = []) -> PluginOptions {
        var libraries = PluginLibraryOptions()
        libraries.libraries = []
        var options = PluginOptions()
        options.libraries = libraries
        options.grants = grants
        return options
    }

    @Test func workersAreListed() async throws {
        let outcome = try await Folder().run("plugins")
        #expect(
            outcome.stdout.hasPrefix(
                """
                clock 1.0.0  part of workflow-run
                  clock.after  Waits for some seconds, then gives one output.
                  clock.every  Gives an output each time that some seconds have passed.

                """))
        #expect(outcome.status == 0)
    }

    @Test func workerOfANameIsShownInFull() async throws {
        let outcome = try await Folder().run("plugins", "clock.every")
        #expect(
            outcome.stdout == """
                clock 1.0.0  part of workflow-run

                  clock.every  Gives an output each time that some seconds have passed.
                    input   { seconds: number, restore?: string }
                    output  { tick: integer }
                    needs   nothing to be granted

                """)
    }

    @Test func needsAreTheOptionsThatGrantThem() throws {
        let worker = WorkerDefinition(
            name: "web.get", summary: "Gets.",
            needs: ["http={url}", "file.read={path}", "process=git"],
            body: { _, _, _ in })
        let registry = WorkerRegistry()
        try registry.register(Plugin("web", version: "2", definitions: [worker]))
        let list = try PluginList(registry, named: "web")
        let style = Style(.never, for: .standardOutput)
        #expect(
            list.text(style, isDetailed: true) == """
                web 2  part of workflow-run

                  web.get  Gets.
                    input   any
                    output  any
                    needs   --allow http=<host of url> --allow file.read=<path> --allow process=git

                """)
        #expect(
            list.json == """
                {"file":null,"name":"web","version":"2","workers":[{"input":"any","name":"web.get","needs":["http={url}","file.read={path}","process=git"],"output":"any","summary":"Gets."}]}

                """)
    }

    @Test func libraryIsLoadedAndChecked() async throws {
        let library = try Self.library.get()
        let scene = try Folder()
        let listed = try await scene.run("plugins", "shout", "--json", "--plugin", library)
        #expect(listed.stdout.contains("\"name\":\"shout.again\""))
        let flow = Repository.path("Examples/c-plugin/shout.lua")
        let checked = try await scene.run(
            ["check", flow, "--no-luacheck"], environment: ["WORKFLOW_PLUGIN_PATH": library])
        #expect(checked.stderr == "checked 1 file: no problems\n")
        #expect(checked.status == 0)
    }

    @Test func theFolderOfAnInstalledProgramMayBeOnThePluginPath() async throws {
        let folder = try Folder(["libworkflow-inspector\(PluginSearch.ending)": ""])
        let list = ["WORKFLOW_PLUGIN_PATH": folder.path]
        #expect(try await Folder().run(["plugins"], environment: list).status == 0)
        let other = folder.path + "/other\(PluginSearch.ending)"
        try Data().write(to: URL(filePath: other))
        let refused = try await Folder().run(["plugins"], environment: list)
        #expect(refused.status == 78)
        #expect(refused.stderr.contains("'other\(PluginSearch.ending)' cannot be loaded: "))
        #expect(refused.stderr.contains("help: the path is from WORKFLOW_PLUGIN_PATH\n"))
    }

    @Test func offeredLibraryIsLoadedWhenItIsAskedFor() throws {
        let registry = try options().libraries.makeRegistry(pathList: nil, programFolder: nil)
        registry.offer("shout", in: try Self.library.get())
        let count = StandardPlugins.compiledIn.count
        _ = try registry.worker(named: "clock.after")
        #expect(registry.plugins.count == count)
        #expect(try registry.worker(named: "shout.again").name == "shout.again")
        #expect(registry.plugins.last?.plugin.name == "shout")
        try registry.loadOffers()
        #expect(registry.plugins.count == count + 1)
    }

    @Test func libraryThatCannotBeLoadedFailsItsWorkersOnly() throws {
        let registry = WorkerRegistry()
        registry.offer("http", in: "/nowhere/libworkflow-http.so")
        let error = try #require(throws: WorkerError.self) {
            try registry.worker(named: "http.get")
        }
        #expect(error.code == "unknown_worker")
        #expect(
            error.message == "worker 'http.get': there is no file '/nowhere/libworkflow-http.so'")
        let other = try #require(throws: WorkerError.self) {
            try registry.worker(named: "sql.query")
        }
        #expect(other.message == "there is no worker 'sql.query'")
    }

    @Test func installedLibrariesAreBesideTheProgramOrInItsLibraryFolder() throws {
        let ending = PluginSearch.ending
        let folder = try Folder([
            "bin/libworkflow-http\(ending)": "", "lib/workflow-run/libworkflow-sqlite\(ending)": "",
        ])
        let installed = WorkerRegistry()
        StandardPlugins.offer(to: installed, besideProgramIn: folder.path("bin"))
        #expect(installed.missing.isEmpty)
        for name in ["http.get", "sqlite.query"] {
            let error = try #require(throws: WorkerError.self) { try installed.worker(named: name) }
            #expect(error.message.contains("libworkflow-"))
        }
    }

    @Test func pluginThatIsNotThereIsNamedWithWhatToDo() throws {
        let clone = try Folder(["Scripts/run": "", ".build/system/release/other": ""])
        for (folder, help) in [
            (clone.path(".build/system/release"), "build it with Scripts/run plugins http"),
            ("/nowhere", "install it with Scripts/install, or load its library with --plugin"),
            (nil, "install it with Scripts/install, or load its library with --plugin"),
        ] {
            let registry = WorkerRegistry()
            StandardPlugins.offer(to: registry, besideProgramIn: folder)
            #expect(registry.missing.map(\.plugin) == ["http", "sqlite"])
            let error = try #require(throws: WorkerError.self) {
                try registry.worker(named: "http.get")
            }
            #expect(error.message == "worker 'http.get': the plugin http is not built")
            #expect(error.help == help)
            let refusal = try #require(throws: FlowError.self) {
                _ = try PluginList(registry, named: "http.get")
            }
            #expect(refusal.message == "the plugin http is not built")
            #expect(refusal.help == help)
        }
    }

    @Test func programKnowsItsFolder() throws {
        let folder = try #require(programFolder)
        #expect(FileManager.default.fileExists(atPath: folder))
    }

    @Test(arguments: [
        (
            ["plugins", "--plugin", "gone.so"],
            """
            error: there is no file 'gone.so'
            help: give the path of a plugin's library

            """, 66
        ),
        (
            ["plugins", "--plugin", "."],
            """
            error: '.' is not a file
            help: give the path of a plugin's library

            """, 78
        ),
        (
            ["plugins", "clock.aftr"],
            """
            error: there is no plugin or worker 'clock.aftr'. Did you mean 'clock.after'?
            help: see workflow-run plugins, or load a plugin with --plugin

            """, 69
        ),
    ]) func pluginThatCannotBeHadIsSaid(_ arguments: [String], _ stderr: String, status: Int)
        async throws
    {
        let outcome = try await Folder().run(arguments)
        #expect(outcome.stderr == stderr)
        #expect(outcome.stdout == "")
        #expect(outcome.status == Int32(status))
    }
}
