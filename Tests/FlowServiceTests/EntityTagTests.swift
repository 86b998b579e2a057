import HTTPServing
import Testing

struct EntityTagTests {
    @Test(
        arguments: [
            (#""1.2""#, ["1.2"]), (#"W/"1.2""#, []), (#""a" , W/"b",,"c","#, ["a", "c"]),
            (#""""#, [""]), (#","a,b""#, ["a,b"]), ("\t\"é\" ", ["é"]), (#""*""#, ["*"]),
        ])
    func aListOfTagsIsReadWithItsWeakOnesAndEmptyElements(text: String, strong: [String]) {
        #expect(EntityTags(text)?.strong == strong)
    }

    @Test(
        arguments: [
            "", ",", "41", "\"41", "41\"", "w/\"41\"", "W/41", "W/ \"41\"", "\"a\" \"b\"",
            "\"a b\"", "\"a\"b", "*, \"a\"", "\"a\", *",
        ])
    func whatIsNotAListOfTagsIsNotRead(text: String) { #expect(EntityTags(text) == nil) }

    @Test func theWeakComparisonTakesBothTheStrongOneNoWeakTagAndAStarIsAny() {
        let tags = EntityTags(#""a", W/"b""#)
        #expect(tags?.contains("a") == true)
        #expect(tags?.contains("b") == true)
        #expect(tags?.contains("c") == false)
        #expect(tags?.strong == ["a"])
        #expect(EntityTags(" * ")?.contains("a") == true)
        #expect(EntityTags("*")?.strong == nil)
    }
}
