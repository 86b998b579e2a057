import FilePlugin
import Foundation
import PlainValue
import PluginStage
import TestSupport
import Testing
import WorkerKit
import WorkflowPlugins

@Suite(.timeLimit(.minutes(15))) struct DeniedTests {
    private static let workers = ["file.read", "file.write", "file.list", "file.watch"]

    private func input(_ worker: String, _ path: String) -> Value {
        worker == "file.write" ? ["path": .string(path), "content": ""] : ["path": .string(path)]
    }

    /// The error codes with which a session and the worker itself refuse an access.
    private func codes(
        _ worker: String, _ path: String, in scene: Folder, allow: String...
    ) async throws -> [String?] {
        let grants = try scene.grants(allow)
        let session = WorkerSession(
            registry: try WorkerRegistry([FilePlugin.plugin]), grants: grants)
        var codes: [String?] = []
        do throws(WorkerError) {
            _ = try session.declare(worker, input: input(worker, path))
            codes.append(nil)
        } catch {
            codes.append(error.code)
        }
        codes.append(
            try await scene.failure(
                worker, input(worker, path), context: WorkerContext(grants: grants)
            ).code)
        return codes
    }

    private static let denied = ["not_granted", "not_granted"]

    @Test(arguments: workers) func nothingIsReachedThatIsNotGranted(worker: String) async throws {
        let scene = try Folder.withData()
        try scene.write("", to: "data/a")
        #expect(try await codes(worker, "data/a", in: scene) == Self.denied)
        let other = worker == "file.write" ? "file.read=data" : "file.write=data"
        #expect(try await codes(worker, "data/a", in: scene, allow: other) == Self.denied)
        #expect(try await codes(worker, "database", in: scene, allow: "file=data") == Self.denied)
    }

    @Test func theErrorNamesTheGrant() throws {
        let scene = try Folder.withData()
        try scene.write("", to: "data/a")
        let session = WorkerSession(
            registry: try WorkerRegistry([FilePlugin.plugin]), grants: try scene.grants([]))
        let error = #expect(throws: WorkerError.self) {
            try session.declare("file.read", input: ["path": "data/a"])
        }
        #expect(
            error
                == WorkerError(
                    "not_granted",
                    "worker 'file.read': file.read=\(scene.path("data/a")) is not granted",
                    help: #"grant it with Grant("file.read", "\#(scene.path("data/a"))")"#))
    }

    @Test(arguments: workers) func dotsThatLeadOutsideAreDenied(worker: String) async throws {
        let scene = try Folder.withData()
        try scene.write("", to: "secret")
        try scene.makeFolder("data/inner")
        for path in ["data/../secret", "data/inner/../../secret", "data/..", "..", "data/no/../x"] {
            #expect(
                try await codes(worker, path, in: scene, allow: "file=data") == Self.denied,
                "\(path)")
        }
    }

    @Test(arguments: workers) func absolutePathsOutsideAreDenied(worker: String) async throws {
        let scene = try Folder.withData()
        for path in ["/etc/passwd", "/", "/tmp", "//etc//passwd"] {
            #expect(
                try await codes(worker, path, in: scene, allow: "file=data") == Self.denied,
                "\(path)")
        }
    }

    @Test(arguments: workers) func linksThatLeadOutsideAreDenied(worker: String) async throws {
        let scene = try Folder.withData()
        try scene.link("data/passwd", to: "/etc/passwd")
        try scene.link("data/etc", to: "/etc")
        try scene.link("data/up", to: "..")
        try scene.link("data/nowhere", to: "\(scene.path)/nowhere")
        for path in ["data/passwd", "data/etc/passwd", "data/etc", "data/up/x", "data/nowhere"] {
            #expect(
                try await codes(worker, path, in: scene, allow: "file=data") == Self.denied,
                "\(path)")
        }
    }

    @Test(arguments: workers) func theProcessItselfIsDenied(worker: String) async throws {
        let scene = try Folder.withData()
        let file = open("/etc/passwd", O_RDONLY)
        defer { close(file) }
        let paths = [
            "/proc/self/environ", "/proc/self/mem", "/proc/self/root/etc/passwd",
            "/proc/self/cwd", "/proc/self/fd/\(file)", "/dev/fd/\(file)", "/dev/stdin",
        ]
        for path in paths {
            #expect(
                try await codes(worker, path, in: scene, allow: "file=data") == Self.denied,
                "\(path)")
        }
    }

    // MARK: Changes between the check and the use

    /// A context that runs code after each check.
    private func context(
        _ scene: Folder, afterCheck change: @escaping @Sendable () throws -> Void
    ) throws -> WorkerContext {
        let grants = try scene.grants(["file=data"])
        return WorkerContext(log: .silent, clock: ContinuousClock()) { access throws(WorkerError) in
            let target = try grants.check(access)
            do {
                try change()
            } catch {
                throw WorkerError(describing: error)
            }
            return target
        }
    }

    @Test(arguments: ["file.read", "file.write"])
    func aLinkThatTakesThePlaceOfAFileIsNotFollowed(worker: String) async throws {
        let scene = try Folder.withData()
        try scene.write("secret", to: "secret")
        try scene.write("", to: "data/a")
        let context = try context(scene) {
            try scene.remove("data/a")
            try scene.link("data/a", to: "../secret")
        }
        #expect(
            try await scene.failure(worker, input(worker, "data/a"), context: context)
                == WorkerError("changed", "the path 'data/a' was changed while it was used"))
        #expect(try scene.text(of: "secret") == "secret")
    }

    @Test(arguments: workers)
    func aLinkThatTakesThePlaceOfAFolderIsNotFollowed(worker: String) async throws {
        let scene = try Folder.withData()
        try scene.makeFolder("private/inner")
        try scene.write("secret", to: "private/inner/a")
        try scene.makeFolder("data/folder/inner")
        try scene.write("", to: "data/folder/inner/a")
        let context = try context(scene) {
            try scene.move("data/folder", to: "data/old")
            try scene.link("data/folder", to: "../private")
        }
        let path = worker == "file.list" ? "data/folder/inner" : "data/folder/inner/a"
        #expect(
            try await scene.failure(worker, input(worker, path), context: context)
                == WorkerError("changed", "the path '\(path)' was changed while it was used"))
        #expect(try scene.text(of: "private/inner/a") == "secret")
        #expect(try scene.names(in: "private/inner") == ["a"])
    }

    // MARK: What is no file

    @Test(arguments: ["file.read", "file.write"])
    func aPipeIsNoFileAndHoldsUpNothing(worker: String) async throws {
        let scene = try Folder.withData()
        try #require(mkfifo(scene.path("data/pipe"), 0o600) == 0)
        #expect(
            try await scene.failure(worker, input(worker, "data/pipe"))
                == WorkerError(
                    "not_a_file", "'data/pipe' is not a regular file", help: "name a regular file"))
    }

    @Test(arguments: ["/dev/zero", "/dev/null", "/dev/tty"], ["file.read", "file.write"])
    func aDeviceIsNoFile(path: String, worker: String) async throws {
        let scene = try Folder.withData()
        let context = WorkerContext(grants: try scene.grants(["file=/dev"]))
        #expect(
            try await scene.failure(worker, input(worker, path), context: context)
                == WorkerError(
                    "not_a_file", "'\(path)' is not a regular file", help: "name a regular file"))
    }
}
