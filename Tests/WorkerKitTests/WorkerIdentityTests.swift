import Testing
import WorkerKit

@Suite struct WorkerIdentityTests {
    private func identity(
        _ session: String = "s", node: String = "todo", key: String = "", attempt: Int = 1
    ) -> WorkerIdentity {
        WorkerIdentity(
            session: session, step: 7, node: node, name: "http.post", key: key, started: 1_000,
            attempt: attempt)
    }

    @Test func theTextIsPlainAndTheSameForEachAttempt() {
        #expect(identity().text == "s/7/1000/todo/http.post/")
        #expect(identity(attempt: 5).text == identity().text)
        #expect(
            identity("a/b", node: "todo/item:ä", key: "x\r\ny").text
                == "a%2Fb/7/1000/todo/item%3A%C3%A4/http.post/x%0D%0Ay")
    }

    @Test func aLongTextIsCutAndStillTellsRunsApart() {
        let keys = (0..<100).map { String(repeating: "k", count: 1_000) + "\($0)" }
        let texts = Set(keys.map { identity(key: $0).text })
        #expect(texts.count == 100)
        #expect(texts.allSatisfy { $0.utf8.count == 200 })
    }
}
