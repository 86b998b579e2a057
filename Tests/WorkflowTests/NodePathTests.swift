import PlainValue
import Testing
import Workflow

@Suite struct NodePathTests {
    @Test(arguments: [
        ([("app", "")], "app"), ([("app", ""), ("row", "3"), ("editor", "")], "app/row:3/editor"),
        ([("\u{301}a", "\u{301}"), ("\u{323}", "")], "\u{301}a:\u{301}/\u{323}"),
        ([("a/b", "c:d"), ("%", "100%/é:")], "a%2Fb:c%3Ad/%25:100%25%2Fé%3A"),
    ]) func aPathIsWrittenAndReadBack(components: [(String, String)], text: String) throws {
        let path = NodePath(components.map { .init(name: $0.0, key: $0.1) })
        #expect(path.description == text)
        #expect(NodePath(text) == path)
        #expect(try ValueEncoder().encode(path) == .string(text))
        #expect(try ValueDecoder().decode(NodePath.self, from: .string(text)) == path)
    }

    @Test(arguments: ["", "/", "a//b", ":key", "a%2", "a%zz", "a%C3", "a%+1"])
    func aTextThatNoPathIsWrittenAsIsRefused(text: String) { #expect(NodePath(text) == nil) }

    @Test func pathsAreEqualByTheirBytes() {
        #expect(NodePath("a:\u{e9}") == NodePath("a:\u{e9}"))
        #expect(NodePath("a:\u{e9}") != NodePath("a:e\u{301}"))
        #expect(NodePath("\u{e9}") != NodePath("e\u{301}"))
        #expect(Set([NodePath("a:\u{e9}"), NodePath("a:e\u{301}")]).count == 2)
    }

    @Test func theEmptyTextInCodeIsThePathOfNoNode() {
        #expect(("" as NodePath).components.isEmpty)
        #expect(("" as NodePath).description == "")
    }

    @Test func valuesInATextInCodeSeparateNothing() {
        let key = "a/b:c%"
        #expect(("list/row:\(key)/\(2)" as NodePath).description == "list/row:a%2Fb%3Ac%25/2")
        #expect(("list/\("")" as NodePath).components == [.init(name: "list/")])
    }

    @Test func aKeyMayHoldColons() {
        #expect(NodePath("a:b:c").components == [.init(name: "a", key: "b:c")])
    }
}
