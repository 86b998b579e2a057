@testable import FlowProtocol
import PlainValue
import Synchronization
import TestFlows
import Testing
import WorkflowKit

@Suite struct RenderingPatchesTests {
    /// A client in Swift: applies operations of RFC 6902.
    private static func applying(_ patch: Value?, to value: Value) throws -> Value {
        var value = value
        for operation in patch?.list ?? [] {
            let pointer = try #require(operation["path"]?.string)
            let keys = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
                .map { String($0).replacing("~1", with: "/").replacing("~0", with: "~") }
            value = try apply(operation, at: keys[...], to: value)
        }
        return value
    }

    private static func apply(
        _ operation: Value, at keys: ArraySlice<String>, to value: Value
    ) throws -> Value {
        guard let key = keys.first else { return try #require(operation["value"]) }
        let isLast = keys.count == 1
        switch value {
        case .record(var record):
            switch operation["op"] {
            case "add" where isLast:
                #expect(record[key] == nil)
                record[key] = operation["value"]
            case "remove" where isLast: #expect(record.removeValue(forKey: key) != nil)
            default:
                record[key] = try apply(
                    operation, at: keys.dropFirst(), to: try #require(record[key]))
            }
            return .record(record)
        case .list(var list):
            let index = try #require(Int(key))
            switch operation["op"] {
            case "add" where isLast: list.insert(try #require(operation["value"]), at: index)
            case "remove" where isLast: list.remove(at: index)
            default: list[index] = try apply(operation, at: keys.dropFirst(), to: list[index])
            }
            return .list(list)
        default: throw FlowProtocolTestError()
        }
    }

    private struct FlowProtocolTestError: Error {}

    private static func event(_ rendering: Value) -> FlowEvent {
        FlowEvent(
            sequence: 1, milliseconds: 0, kind: .rendering(rendering, actions: ["a"], pass: 1))
    }

    @Test(
        arguments: [
            (["a": 1], ["a": 2]), (["a": 1], ["b": 1]), ([1, 2, 3], [1, 3]),
            ([1, 2, 3], [0, 1, 2, 3]),
            ([1, 2, 3, 4, 5], [1, 9, 5]), (["rows": [["n": 1], ["n": 2]]], ["rows": [["n": 2]]]),
            (1, ["a": 1]), (["a/b~c": [1]], ["a/b~c": [1, 2]]), ([], [1, 2]),
            (["": ["": 1]], ["": ["": 2]]),
            (["a": 1], ["a": 1]), (["a": .null], ["a": [:]]),
        ] as [(Value, Value)])
    func aPatchMakesTheNextRendering(old: Value, new: Value) throws {
        let patches = ProtocolClient()
        #expect(patches.record(of: Self.event(old)) == Self.event(old).record)
        patches.patches.setOn(true)
        let record = try #require(patches.record(of: Self.event(new)))
        #expect(record["rendering"] == nil)
        #expect(record["actions"] == ["a"])
        #expect(try Self.applying(record["patch"], to: old) == new)
        patches.patches.setOn(false)
        #expect(patches.record(of: Self.event(old)) == Self.event(old).record)
    }

    @Test func oneOfManyRowsIsSmallAndMuchThatDiffersIsWhole() throws {
        let rows = (0..<10_000).map { ["n": .int($0), "text": "row \($0)"] as Value }
        var changed = rows
        changed[5_000]["n"] = -1
        let patches = ProtocolClient()
        patches.patches.setOn(true)
        #expect(patches.record(of: Self.event(["rows": .list(.init(rows))]))?["patch"] == nil)
        let small = try #require(patches.record(of: Self.event(["rows": .list(.init(changed))])))
        #expect(small["patch"] == [["op": "replace", "path": "/rows/5000/n", "value": -1]])
        #expect(small.json.utf8.count < 300)
        let other = Value.list(.init(rows.map { _ in Value.int(1) }))
        #expect(patches.record(of: Self.event(["rows": other]))?["rendering"] == ["rows": other])
    }

    @Test func aClientAsksForPatches() async throws {
        let client = ProtocolClient()
        let records = Mutex<[Value]>([])
        let session = FlowSession(options: FlowOptions()) { event in
            let record = client.record(of: event) ?? .null
            if event.record["type"] != "action" { records.withLock { $0.append(record) } }
        }
        try await session.start(.counter)
        #expect(await session.serve(#"{"id":1,"do":"patches"}"#, of: client) == false)
        _ = await session.serve(#"{"id":2,"do":"send","action":"add"}"#, of: client)
        let told = records.withLock { $0 }
        #expect(told.compactMap { $0["ok"]?.bool } == [true, true])
        #expect(told.compactMap { $0["patch"] } == [[["op": "replace", "path": "/n", "value": 1]]])

        _ = await session.serve(#"{"id":3,"do":"patches"}"#)
        let refusal = try #require(records.withLock { $0.last })
        #expect(refusal["error"]?["message"] == "renderings are told whole here")
        _ = await session.serve(#"{"id":4,"do":"patches","on":1}"#, of: client)
        #expect(
            records.withLock { $0.last }?["error"]?["message"]
                == "\"on\" must be true or false, not an integer")
    }
}
