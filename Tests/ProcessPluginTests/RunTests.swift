import Foundation
import PlainValue
import ProcessPlugin
import TestSupport
import Testing
import WorkerKit

@Suite(.timeLimit(.minutes(15))) struct RunTests {
    private func shell(_ script: String, _ more: Value.Record = [:]) -> Value {
        var input = more
        input["program"] = "sh"
        input["arguments"] = ["-c", .string(script)]
        return .record(input)
    }

    @Test func theWorkersTellTheirShapes() {
        let input =
            "{ program: string, arguments?: string[], input?: string, folder?: string, "
            + "environment?: table<string, string>, timeout?: number, max_bytes?: integer }"
        #expect(
            ProcessPlugin.plugin.workers.map { "\($0.name) \($0.input) -> \($0.output)" } == [
                "process.run \(input) -> "
                    + "{ exit_code?: integer, signal?: string, stdout: string, stderr: string }",
                "process.lines \(input) -> "
                    + #"{ stream?: "stdout"|"stderr", line?: string, continues?: boolean, "#
                    + "exit_code?: integer, signal?: string }",
            ])
    }

    @Test func aProgramThatFailsIsAnOutput() async throws {
        let output = try await Folder().run(
            shell("echo out; echo err >&2; exit 3"), allow: "process=sh")
        #expect(output == ["exit_code": 3, "stdout": "out\n", "stderr": "err\n"])
    }

    @Test func aProgramThatASignalEndsTellsTheSignal() async throws {
        let output = try await Folder().run(shell("kill -KILL $$"), allow: "process=sh")
        #expect(output == ["signal": "SIGKILL", "stdout": "", "stderr": ""])
    }

    @Test func argumentsArriveAsTheyAre() async throws {
        let output = try await Folder().run(
            ["program": "printf", "arguments": ["<%s>", "a b", "$HOME", "'", "é"]],
            allow: "process=printf")
        #expect(output["stdout"] == "<a b><$HOME><'><é>")
    }

    @Test func theInputIsReadToItsEnd() async throws {
        let text = String(repeating: "line\n", count: 100_000)
        let output = try await Folder().run(
            ["program": "wc", "arguments": ["-c"], "input": .string(text)], allow: "process=wc")
        #expect(output["stdout"] == "500000\n")
        let none = try await Folder().run(["program": "cat"], allow: "process=cat")
        #expect(none["stdout"] == "")
    }

    @Test func aProgramNeedNotReadItsInput() async throws {
        let text = String(repeating: "x", count: 1_000_000)
        let output = try await Folder().run(
            ["program": "true", "input": .string(text)], allow: "process=true")
        #expect(output == ["exit_code": 0, "stdout": "", "stderr": ""])
    }

    @Test func aProgramRunsInTheFlowsFolder() async throws {
        let scene = try Folder()
        let output = try await scene.run(["program": "pwd"], allow: "process=pwd")
        #expect(output["stdout"] == .string("\(scene.path)\n"))
    }

    @Test func anotherFolderNeedsAGrant() async throws {
        let scene = try Folder()
        try FileManager.default.createDirectory(
            atPath: "\(scene.path)/inner", withIntermediateDirectories: false)
        let input: Value = ["program": "pwd", "folder": "inner"]
        let output = try await scene.run(input, allow: "process=pwd", "file.read=inner")
        #expect(output["stdout"] == .string("\(scene.path)/inner\n"))
        let failure = try await scene.failure(input, allow: "process=pwd")
        #expect(failure?.message == "file.read=\(scene.path)/inner is not granted")
    }

    @Test func whatIsNoTextIsMadeValid() async throws {
        let output = try await Folder().run(shell(#"printf 'a\377b\303'"#), allow: "process=sh")
        #expect(output["stdout"] == "a\u{FFFD}b\u{FFFD}")
    }

    @Test func endlessOutputIsAnErrorAndEndsTheProgram() async throws {
        let failure = try await Folder().failure(
            ["program": "yes", "max_bytes": 1000], allow: "process=yes")
        #expect(
            failure
                == WorkerError(
                    "too_large", "the program wrote more than 1000 bytes",
                    help: "raise max_bytes, or read line by line with process.lines"))
    }

    @Test func bothOutputsTogetherAreLimited() async throws {
        let script = "printf 1234567890; printf 1234567890 >&2"
        let scene = try Folder()
        let all = try await scene.run(shell(script, ["max_bytes": 20]), allow: "process=sh")
        #expect(all["stderr"] == "1234567890")
        let failure = try await scene.failure(shell(script, ["max_bytes": 19]), allow: "process=sh")
        #expect(failure?.code == "too_large")
    }

    @Test func aProgramInheritsNoFiles() async throws {
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        #expect(fcntl(file, F_GETFD) == 0)
        let output = try await Folder().run(
            ["program": "ls", "arguments": ["/proc/self/fd"]], allow: "process=ls")
        // The last descriptor is that of the listed folder.
        #expect(output["stdout"] == "0\n1\n2\n3\n")
    }

    @Test(
        arguments: [("timeout", 0), ("timeout", -1), ("timeout", .double(1e300))]
            as [(String, Value)])
    func aTimeOutOfRangeIsRefused(name: String, value: Value) async throws {
        let failure = try await Folder().failure(shell("", [name: value]), allow: "process=sh")
        #expect(
            failure
                == WorkerError(
                    "bad_input", "timeout is \(value.number ?? 0)",
                    help: "it can be any number of seconds above 0, up to 3155760000"))
    }

    /// In a separate process whose temporary folder does not exist.
    @Test func inputThatCannotBeKeptIsSaid() async {
        await #expect(processExitsWith: .success) {
            let scene = try Folder()
            setenv("TMPDIR", "/no/such/folder", 1)
            let failure = try await scene.failure(
                ["program": "cat", "input": "x"], allow: "process=cat")
            #expect(
                failure
                    == WorkerError(
                        "not_started",
                        "the input cannot be kept for the program: No such file or directory",
                        help: "make sure that there is room in the folder of temporary files"))
        }
    }

    @Test(arguments: [0, 15, 5_000_000]) func aLimitOutOfRangeIsRefused(limit: Int) async throws {
        let failure = try await Folder().failure(
            shell("", ["max_bytes": .int(limit)]), allow: "process=sh")
        #expect(
            failure
                == WorkerError(
                    "bad_input", "max_bytes is \(limit)", help: "it can be from 16 to 4194304"))
    }

    @Test func zeroBytesAreRefused() async throws {
        let scene = try Folder()
        let program = try await scene.failure(["program": "sh\0x"], allow: "process")
        #expect(program?.message == #""sh\0x" has a zero byte in it"#)
        let argument = try await scene.failure(
            ["program": "echo", "arguments": ["a\0b"]], allow: "process")
        #expect(argument?.message == #""a\0b" has a zero byte in it"#)
        let variable = try await scene.failure(
            ["program": "echo", "environment": ["LANG": "a\0b"]], allow: "process")
        #expect(variable?.message == "the variable LANG has a zero byte in it")
    }

    // MARK: Programs that cannot be started

    @Test func aProgramThatIsNotThereIsAnError() async throws {
        let failure = try await Folder().failure(
            ["program": "no-such-program"], allow: "process=no-such-program")
        #expect(
            failure
                == WorkerError(
                    "not_found", "there is no program 'no-such-program'",
                    help: "install it, or make sure that it is in a folder of PATH"))
    }

    @Test func moreThanTheSystemPassesOnIsAnError() async throws {
        let scene = try Folder()
        try scene.makeProgram("list")
        let long = Value.string(String(repeating: "x", count: 4 << 20))
        let failure = try await scene.failure(
            ["program": "./list", "arguments": [long]], allow: "process=./list")
        #expect(
            failure
                == WorkerError(
                    "not_started",
                    "'\(scene.path)/list' cannot be started: Argument list too long"))
    }

    @Test func aFileThatIsNoProgramIsAnError() async throws {
        let scene = try Folder()
        try "text".write(toFile: "\(scene.path)/notes", atomically: false, encoding: .utf8)
        let failure = try await scene.failure(["program": "./notes"], allow: "process=./notes")
        #expect(
            failure
                == WorkerError(
                    "not_started", "'\(scene.path)/notes' cannot be started",
                    help: "make sure that it is a program that you may run"))
    }

    @Test func aFolderThatIsNotThereIsAnError() async throws {
        let scene = try Folder()
        let failure = try await scene.failure(
            ["program": "true", "folder": "none"], allow: "process=true", "file.read=.")
        #expect(
            failure
                == WorkerError(
                    "not_started", "the program cannot run in the folder '\(scene.path)/none'",
                    help: "make sure that there is such a folder, and that you may enter it"))
    }
}
