import Foundation
import TestSupport
import Testing

/// Equal inputs give equal bytes, regardless of stack, allocator and limits.
@Suite struct SameEverywhereTests {
    /// A shell command before the program, and options for it.
    private static let places: [(shell: String, environment: [String: String], options: String)] = [
        ("ulimit -s 8192", [:], "--max-time 1000"), ("ulimit -s 128", [:], "--max-time 1000"),
        ("ulimit -s 512", [:], "--max-memory 33 --max-time 1000"),
        ("ulimit -s 1024", ["MALLOC_PERTURB_": "165"], "--max-time 1000"),
        ("ulimit -s 65536", ["MALLOC_PERTURB_": "1"], "--max-time 3000"),
        (":", ["MALLOC_ARENA_MAX": "1"], "--max-memory 400 --max-time 1000"),
        (":", ["GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"], "--max-time 1000"),
        (":", ["MALLOC_MMAP_THRESHOLD_": "4096", "MALLOC_TOP_PAD_": "0"], "--max-time 2000"),
        (":", ["WORKFLOW_TEST_PADDING": String(repeating: "x", count: 30_000)], "--max-time 1000"),
        ("cd /", [:], "--max-memory 100 --max-time 2500"),
    ]

    private static let attacks = [
        "052-gsub-deep", "053-sort-deep", "054-tostring-deep", "058-nan-text",
        "059-nan-everywhere", "060-weak-added-later", "061-weak-metatable-of-metatable",
        "062-gc-added-later", "033-call-later-kept", "040-concat-stack",
    ]

    private func run(
        _ flow: String, _ requests: String,
        in place: (shell: String, environment: [String: String], options: String)
    ) async throws -> String {
        let command = """
            \(place.shell); exec "$0" --json \(place.options) "$1"
            """
        let program = try await RunningProgram(
            ["-c", command, try Repository.workflowRun().path, Repository.path(flow)],
            of: URL(filePath: "/bin/sh"), in: "/tmp", environment: place.environment)
        program.write(requests)
        return try await program.finish().stdout
    }

    @Test(arguments: attacks) func aFlowGivesTheSameBytesEverywhere(name: String) async throws {
        let send = #"{"id":1,"do":"send","action":{"type":"go"}}"# + "\n"
        try await expectSame(
            "Tests/WorkflowLuaTests/Attacks/\(name).lua", String(repeating: send, count: 3))
    }

    @Test(arguments: ["todo", "tic-tac-toe", "welcome"])
    func anExampleGivesTheSameBytesEverywhere(name: String) async throws {
        try await expectSame(
            "Examples/\(name)/\(name).lua", try Repository.text("Examples/\(name)/\(name).in"))
    }

    private func expectSame(_ flow: String, _ requests: String) async throws {
        var first: String?
        for place in Self.places {
            // Only the times of events may differ.
            let output = try await run(flow, requests, in: place)
                .replacing(#/"at":"[^"]*"/#, with: "")
            #expect(output.contains(#""type":"done""#), "\(place) \(output)")
            #expect(first == nil || output == first, "\(place)")
            first = first ?? output
        }
    }
}
