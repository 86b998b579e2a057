@testable import PlainValue
import TestSupport
import Testing

/// Short strings are built word by word. They must equal what Swift makes of the bytes.
@Suite struct SmallStringTests {
    @Test func stringsOfThisSwiftHaveTheKnownForm() { #expect(SmallString.isAsKnown) }

    @Test(arguments: 0...SmallString.capacity)
    func stringsAreWhatSwiftMakesOfTheBytes(length: Int) {
        var generator = SeededNumbers.printed(or: UInt64(length) + 1)
        let letters: [String] = [
            "a", "Z", "0", " ", "\0", "\u{7F}", "é", "ß", "日", "€", "🙂", "e\u{301}",
        ]
        for _ in 0..<400 {
            var text = ""
            while let letter = letters.randomElement(using: &generator),
                text.utf8.count + letter.utf8.count <= length
            { text += letter }
            let made = smallString(text)
            #expect(made == text)
            #expect(Array(made.utf8) == Array(text.utf8))
            #expect(made.utf8.count == text.utf8.count)
            #expect(Array(made) == Array(text))
            #expect(made.hashValue == text.hashValue)
            #expect(made + "!" == text + "!")
            #expect(Array((made + " and more than 15 bytes").utf8).starts(with: Array(text.utf8)))
        }
    }

    @Test func whatFollowsTheTextIsNotPartOfIt() {
        for length in 0...SmallString.capacity {
            let text = String(repeating: "x", count: length)
            #expect(smallString(text, followedBy: 0xFF) == smallString(text, followedBy: 0))
            #expect(smallString(text, followedBy: 0xFF) == text)
        }
    }

    private func smallString(_ text: String, followedBy byte: UInt8 = 0xA5) -> String {
        let bytes = Array(text.utf8) + repeatElement(byte, count: SmallString.width)
        return bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.map { SmallString($0, count: text.utf8.count).string } ?? ""
        }
    }
}
