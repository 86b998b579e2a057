import Testing
import WorkflowLua

@Suite struct ReasonTests {
    @Test func anErrorIsACauseAndTheValuesOfItsSentence() {
        let error = FlowError(.unreadable, "a.lua", "it holds %0")
        #expect(error.reason == .unreadable)
        #expect(error.values == ["a.lua", "it holds %0"])
        #expect(error.message == "a.lua cannot be read: it holds %0")
        #expect(error.code == .file)
        #expect(FlowError(.file, "100 %0").message == "100 %0")
        #expect(FlowError(.noFile.with(.recording), "a").code == .recording)
    }

    @Test(arguments: FlowError.Hint.Setting.allCases)
    func aNextStepNamesASettingAsItsReadersDo(_ setting: FlowError.Hint.Setting) {
        let hint = FlowError.Hint("look at ", setting)
        #expect(hint.words { _ in "--option" } == "look at --option")
        #expect(FlowError.Hint(words: hint.words()) == hint)
    }

    /// A value too few is a gap in a sentence, and one too many is lost.
    @Test func anErrorGivesAValueForEachPlaceOfItsSentence() throws {
        let sources = try ReasonSources()
        #expect(sources.reasonCount > 300 && sources.uses.count > 300)
        let wrong = sources.uses.filter { $0.valueCount != $0.placeCount }
        #expect(
            wrong.isEmpty,
            "\(wrong.map { "\($0.location): \($0.valueCount) values for \($0.placeCount)" })")
    }
}
