import Foundation
import PlainValue
import PluginStage
import ProcessPlugin
import Synchronization
import TestSupport
import Testing
import WorkerKit

// Workers that have some grants in a folder.
extension Folder {
    func makeProgram(_ name: String, text: String = "#!/bin/sh\necho it is $0\n") throws {
        try write(text, to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path(name))
    }

    func run(_ input: Value, allow: String...) async throws -> Value {
        let outputs = Outputs()
        try await start("process.run", input, allow: allow, into: outputs)
        return try #require(outputs.all.first)
    }

    func start(
        _ name: String, _ input: Value, allow: [String], into outputs: Outputs,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws {
        try await ProcessPlugin.plugin.worker(name).run(
            input, context: WorkerContext(clock: clock, grants: try grants(allow)),
            outputs: WorkerEmitter { outputs.add($0) })
    }

    func failure(_ input: Value, allow: String...) async throws -> WorkerError? {
        try await #require(throws: WorkerError.self) {
            try await start("process.run", input, allow: allow, into: Outputs())
        }
    }
}

final class Outputs: Sendable {
    private let values = Mutex<[Value]>([])
    private let news = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    var all: [Value] { values.withLock { $0 } }

    func add(_ value: Value) {
        values.withLock { $0.append(value) }
        news.continuation.yield()
    }

    func lines(_ count: Int) async -> [String] {
        for await _ in news.stream {
            let lines = all.compactMap { $0["line"]?.string }
            if lines.count >= count { return Array(lines.prefix(count)) }
        }
        return []
    }
}

/// Detects running programs: they hold a pipe open, which the system closes however they end.
final class Pulse {
    private let pipe: Int32

    init(_ name: String, in folder: Folder) throws {
        let path = folder.path(name)
        try #require(mkfifo(path, 0o600) == 0)
        pipe = open(path, O_RDONLY | O_NONBLOCK)
        try #require(pipe >= 0)
    }

    deinit { close(pipe) }

    /// True if a program holds the pipe open.
    var isThere: Bool {
        var byte: UInt8 = 0
        return read(pipe, &byte, 1) < 0 && errno == EAGAIN
    }

    func waitForEnd() async {
        var status = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
        await withTaskExecutorPreference(WorkerThreads.shared) { _ = poll(&status, 1, -1) }
    }
}
