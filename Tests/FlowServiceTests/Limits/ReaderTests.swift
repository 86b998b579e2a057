import HTTPServing
import Testing

@testable import FlowService

@Suite("Those who follow sessions")
struct ReaderTests {
    @Test("There are so many at a time; a place is given back")
    func count() throws {
        let readers = SessionReaders(most: 2)
        let first = try readers.add(to: "a")
        _ = try readers.add(to: "b")
        let problem = #expect(throws: Problem.self) { try readers.add(to: "a") }
        #expect(problem?.status == .serviceUnavailable)
        #expect(problem?.code == "busy")
        #expect(problem?.retryAfter == 2)
        readers.remove(first, from: "a")
        _ = try readers.add(to: "a")
        #expect(readers.count == 2)
        readers.close()
        readers.remove(first, from: "a")
        #expect(throws: Problem.self) { try readers.add(to: "c") }
    }
}
