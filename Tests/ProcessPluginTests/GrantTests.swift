import Foundation
import PlainValue
import PluginStage
import ProcessPlugin
import TestSupport
import Testing
import WorkerKit
import WorkflowPlugins

@Suite(.timeLimit(.minutes(15))) struct GrantTests {
    private func declare(
        _ program: String, in scene: Folder, allow: String...
    ) throws(WorkerError) {
        do {
            let session = WorkerSession(
                registry: try WorkerRegistry([ProcessPlugin.plugin]),
                grants: try scene.grants(allow))
            for name in ["process.run", "process.lines"] {
                _ = try session.declare(name, input: ["program": .string(program)])
            }
        } catch {
            throw WorkerError(describing: error)
        }
    }

    private func isAllowed(_ program: String, in scene: Folder, allow: String) -> Bool {
        (try? declare(program, in: scene, allow: allow)) != nil
    }

    // MARK: Programs

    @Test func nothingRunsThatIsNotGranted() throws {
        let error = try #require(throws: WorkerError.self) { try declare("git", in: try Folder()) }
        #expect(
            error
                == WorkerError(
                    "not_granted", "worker 'process.run': process=git is not granted",
                    help: #"grant it with Grant("process", "git")"#))
    }

    @Test func aGrantedNameIsNoGrantForAPath() throws {
        let scene = try Folder()
        try scene.makeProgram("git")
        for program in ["./git", "\(scene.path)/git", "/usr/bin/git", "/bin/../usr/bin/git"] {
            #expect(!isAllowed(program, in: scene, allow: "process=git"), "\(program)")
        }
        #expect(isAllowed("git", in: scene, allow: "process=git"))
        #expect(!isAllowed("git", in: scene, allow: "process=./git"))
        #expect(!isAllowed("git ", in: scene, allow: "process=git"))
        #expect(!isAllowed("GIT", in: scene, allow: "process=git"))
    }

    @Test func aGrantedPathIsAllowedHoweverItIsWritten() throws {
        let scene = try Folder()
        try scene.makeProgram("tool")
        try scene.makeProgram("other")
        for program in ["./tool", "\(scene.path)/tool", "/../\(scene.path)/./tool"] {
            for grant in ["process=./tool", "process=\(scene.path)/tool"] {
                #expect(isAllowed(program, in: scene, allow: grant), "\(program) \(grant)")
            }
        }
        #expect(!isAllowed("./other", in: scene, allow: "process=./tool"))
        #expect(!isAllowed("./none", in: scene, allow: "process=./none"))
    }

    @Test func aPathIsCheckedAfterItsLinksAreFollowed() throws {
        let scene = try Folder()
        try scene.makeProgram("tool")
        try FileManager.default.createDirectory(
            atPath: "\(scene.path)/inner", withIntermediateDirectories: false)
        try scene.link("inner/tool", to: "/bin/sh")
        #expect(!isAllowed("inner/tool", in: scene, allow: "process=./tool"))
        try scene.link("folder", to: scene.path)
        #expect(isAllowed("folder/tool", in: scene, allow: "process=./tool"))
    }

    @Test func aGrantForOneNameOfAFileIsNoneForAnother() throws {
        let scene = try Folder()
        try scene.makeProgram("box")
        try scene.link("list", to: "box")
        try scene.link("shell", to: "box")
        #expect(isAllowed("./list", in: scene, allow: "process=./list"))
        #expect(!isAllowed("./shell", in: scene, allow: "process=./list"))
        #expect(!isAllowed("./box", in: scene, allow: "process=./list"))
    }

    @Test func theGrantThatAnErrorNamesIsTheOneThatHelps() throws {
        let scene = try Folder()
        try scene.makeProgram("box")
        try scene.link("list", to: "box")
        let error = try #require(throws: WorkerError.self) { try declare("./list", in: scene) }
        let path = try #require(error.help?.split(separator: "\"").dropLast().last)
        #expect(isAllowed("./list", in: scene, allow: "process=\(path)"))
    }

    @Test func aGrantedPathRuns() async throws {
        let scene = try Folder()
        try scene.makeProgram("tool")
        let output = try await scene.run(["program": "./tool"], allow: "process=./tool")
        #expect(output["stdout"] == .string("it is \(scene.path)/tool\n"))
        let shell = try await scene.run(
            ["program": "/bin/sh", "arguments": ["-c", "echo $0"]], allow: "process=/bin/sh")
        #expect(shell["stdout"] == "/bin/sh\n")
    }

    // MARK: Variables

    private static let risky = [
        "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "PATH", "IFS",
        "BASH_ENV", "ENV", "SHELLOPTS", "PYTHONPATH", "PYTHONSTARTUP", "PERL5OPT", "RUBYOPT",
        "NODE_OPTIONS", "JAVA_TOOL_OPTIONS", "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_PAGER",
        "GIT_CONFIG_COUNT", "EDITOR", "PAGER", "HOME", "LOCPATH", "NLSPATH", "GCONV_PATH", "lang",
        "TERMINFO", "SOMETHING_NEW",
    ]

    @Test(arguments: risky) func aVariableThatMayChangeWhatRunsIsDenied(name: String) async throws {
        let failure = try await Folder().failure(
            ["program": "true", "environment": [name: "value"]], allow: "process=true")
        #expect(
            failure
                == WorkerError(
                    "not_granted", "process.env=\(name) is not granted",
                    help: #"grant it with Grant("process.env", "\#(name)")"#))
    }

    @Test func languagesZonesAndTerminalsMayBeSet() async throws {
        let output = try await Folder().run(
            [
                "program": "sh", "arguments": ["-c", "echo $LC_ALL $TZ $TERM"],
                "environment": ["LC_ALL": "C.UTF-8", "TZ": "Europe/Berlin", "TERM": "dumb"],
            ], allow: "process=sh")
        #expect(output["stdout"] == "C.UTF-8 Europe/Berlin dumb\n")
    }

    @Test(arguments: ["/tmp/evil", ":/etc/passwd", "../../tmp/evil", "a b", "é"])
    func aHarmlessVariableThatLeadsElsewhereIsDenied(value: String) async throws {
        let failure = try await Folder().failure(
            ["program": "true", "environment": ["TZ": .string(value)]], allow: "process=true")
        #expect(failure?.message == "process.env=TZ is not granted")
    }

    @Test func aVariableMayBeGranted() async throws {
        let output = try await Folder().run(
            [
                "program": "sh", "arguments": ["-c", "echo $GIT_DIR"],
                "environment": ["GIT_DIR": "x"],
            ], allow: "process=sh", "process.env=GIT_DIR")
        #expect(output["stdout"] == "x\n")
    }

    @Test(arguments: ["", "1A", "A=B", "A B", "Ä"])
    func whatIsNoNameOfAVariableIsRefused(name: String) async throws {
        let failure = try await Folder().failure(
            ["program": "true", "environment": [name: "x"]], allow: "process", "process.env")
        #expect(
            failure
                == WorkerError(
                    "bad_input", "\(name.debugDescription) cannot be the name of a variable",
                    help: "use letters, digits and '_', and begin with no digit"))
    }

    @Test func theSearchPathIsTheHostsEvenWhenPathIsGranted() async throws {
        let scene = try Folder()
        try scene.makeProgram("true", text: "#!/bin/sh\necho wrong\n")
        let output = try await scene.run(
            ["program": "true", "environment": ["PATH": .string(scene.path)]],
            allow: "process=true", "process.env=PATH")
        #expect(output == ["exit_code": 0, "stdout": "", "stderr": ""])
    }

    @Test func theFlowsFolderIsNotSearched() async throws {
        let scene = try Folder()
        try scene.makeProgram("only-here")
        let failure = try await scene.failure(["program": "only-here"], allow: "process=only-here")
        #expect(failure?.code == "not_found")
    }
}
