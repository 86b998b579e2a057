import HTTPServing
import Testing

@Suite("Entity tags") struct EntityTagTests {
    @Test(
        "A list of tags is read with its weak ones and empty elements",
        arguments: [
            (#""1.2""#, ["1.2"]), (#"W/"1.2""#, []), (#""a" , W/"b",,"c","#, ["a", "c"]),
            (#""""#, [""]), (#","a,b""#, ["a,b"]), ("\t\"é\" ", ["é"]), (#""*""#, ["*"]),
        ])
    func read(text: String, strong: [String]) {
        #expect(EntityTags(text)?.strong == strong)
    }

    @Test(
        "What is no list of tags is none",
        arguments: [
            "", ",", "41", "\"41", "41\"", "w/\"41\"", "W/41", "W/ \"41\"", "\"a\" \"b\"",
            "\"a b\"", "\"a\"b", "*, \"a\"", "\"a\", *",
        ])
    func invalid(text: String) { #expect(EntityTags(text) == nil) }

    @Test("The weak comparison takes both, the strong one no weak tag, and * stands for any")
    func comparison() {
        let tags = EntityTags(#""a", W/"b""#)
        #expect(tags?.contains("a") == true)
        #expect(tags?.contains("b") == true)
        #expect(tags?.contains("c") == false)
        #expect(tags?.strong == ["a"])
        #expect(EntityTags(" * ")?.contains("a") == true)
        #expect(EntityTags("*")?.strong == nil)
    }
}
