import HTTPServing
import Testing

@testable import FlowService

struct ReaderTests {
    @Test func onlySoManyReadersFollowAtATimeAndAPlaceIsGivenBack() throws {
        let readers = SessionReaders(most: 2)
        let first = try readers.add(to: "a", for: .server)
        _ = try readers.add(to: "b", for: .server)
        let problem = #expect(throws: Problem.self) { try readers.add(to: "a", for: .server) }
        #expect(problem?.status == .serviceUnavailable)
        #expect(problem?.code == "busy")
        #expect(problem?.retryAfter == 2)
        readers.remove(first, from: "a")
        _ = try readers.add(to: "a", for: .server)
        #expect(readers.count == 2)
        readers.close()
        readers.remove(first, from: "a")
        #expect(throws: Problem.self) { try readers.add(to: "c", for: .server) }
    }

    @Test func aPrincipalHasAtMostHalfOfTheStreamsAndTheLastEighthIsTheOwners() throws {
        let readers = SessionReaders(most: 16)
        func client(_ name: String) -> StreamShares.Client { .init(name: name, isOwner: false) }
        let first = try readers.add(to: "a", for: client("ann"))
        for _ in 1..<8 { _ = try readers.add(to: "a", for: client("ann")) }
        let own = #expect(throws: Problem.self) { try readers.add(to: "b", for: client("ann")) }
        #expect(own?.status == .tooManyRequests)
        #expect(own?.code == "too_many_streams")
        #expect(own?.detail.contains("One token may have 8") == true)
        for number in 0..<6 { _ = try readers.add(to: "a", for: client("bob \(number)")) }
        let all = #expect(throws: Problem.self) { try readers.add(to: "b", for: client("eve")) }
        #expect(all?.status == .serviceUnavailable)
        #expect(all?.detail.contains("At most 14") == true)
        let owner = StreamShares.Client(name: "owner", isOwner: true)
        for _ in 0..<2 { _ = try readers.add(to: "a", for: owner) }
        #expect(throws: Problem.self) { try readers.add(to: "a", for: owner) }
        readers.remove(first, from: "a")
        _ = try readers.add(to: "a", for: owner)
    }
}
