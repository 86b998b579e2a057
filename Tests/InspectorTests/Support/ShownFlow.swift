import Foundation
import PlainValue
import RawHTTP
import TestSupport

/// A program that shows a session in a browser. The page's server is in its library.
final class ShownFlow: RawServer {
    private let process = Process()
    private let errors: AsyncStream<Data>
    private let exit: AsyncStream<Int32>
    /// Its output on standard error up to the address.
    private(set) var said = ""
    let folder: Folder
    private(set) var port = 0
    private(set) var token = ""

    var bearer: String { "Authorization: Bearer \(token)" }
    var id: pid_t { process.processIdentifier }

    init(_ arguments: [String], in folder: Folder? = nil) async throws {
        self.folder = try folder ?? Folder()
        let (errors, told) = AsyncStream<Data>.makeStream()
        let (exit, ended) = AsyncStream<Int32>.makeStream()
        (self.errors, self.exit) = (errors, exit)
        let pipe = Pipe()
        process.executableURL = try Repository.workflowRun()
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: Repository.root)
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["TMPDIR": self.folder.path]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = pipe
        process.terminationHandler = {
            ended.yield($0.terminationStatus)
            ended.finish()
        }
        try process.run()
        // A readability handler is not always called at the end:
        // swiftlang/swift-corelibs-foundation#3275.
        let reader = pipe.fileHandleForReading
        Thread.detachNewThread {
            while case let data = reader.availableData, !data.isEmpty { told.yield(data) }
            told.finish()
        }
        for await data in errors {
            said += String(decoding: data, as: UTF8.self)
            let address = ##/inspect at http://127\.0\.0\.1:(\d+)/#token=([\w-]{22})\n/##
            guard let match = said.firstMatch(of: address) else { continue }
            port = Int(match.1) ?? 0
            token = String(match.2)
            return
        }
        throw Missing(what: "an address in: \(said)")
    }

    func request(_ request: Value) async throws -> Value {
        try await ask(.post("/request", request, [bearer])).json
    }

    /// Waits for its end, and returns its exit status and all its output on standard error.
    func finish(by signal: Int32? = SIGINT) async -> (status: Int32, said: String) {
        if let signal { kill(process.processIdentifier, signal) }
        for await data in errors { said += String(decoding: data, as: UTF8.self) }
        for await status in exit { return (status, said) }
        return (-1, said)
    }
}
