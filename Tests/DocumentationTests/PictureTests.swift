import TestSupport
import Testing

/// The picture of the REPL is up to date; `Scripts/docs --pictures` redraws it.
@Suite struct PictureTests {
    @Test func thePictureShowsWhatTheREPLShows() async throws {
        let picture = try Repository.text("Examples/todo/repl.svg")
        let lines = picture.matches(of: /<text [^>]*>(.*)<\/text>/).map { row in
            String(row.1).replacing(/<[^>]*>/, with: "").replacing("&lt;", with: "<")
                .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
        }
        let first = try #require(lines.first)
        let command = Command(text: String(first.dropFirst(2)), shown: Array(lines.dropFirst()))
        #expect(command.text == "Scripts/run repl Examples/todo/todo.lua")
        #expect(command.isConversation)
        let (shown, status) = try await CommandFolder().run(command)
        #expect(shown.map(\.withoutTimes) == command.shown.map(\.withoutTimes))
        #expect(status == 0)
    }

    @Test func thePictureNeedsNothingFromElsewhere() throws {
        let picture = try Repository.text("Examples/todo/repl.svg")
        #expect(!picture.contains("href"))
        #expect(!picture.contains("url("))
        #expect(!picture.contains("@import"))
        #expect(picture.contains("prefers-color-scheme: dark"))
    }
}
