import Workflow

/// A native node that the users' flows may render: it counts the words of a text.
struct WordCount: Workflow {
    /// The props from the flow: `context:render("word_count", { text = … })`.
    struct Props: Decodable, Equatable {
        var text: String
    }

    /// The value that the flow receives.
    struct Rendering: Encodable {
        var words: Int
        var characters: Int
    }

    var props: Props

    func render(state: Void, context: RenderContext<WordCount>) -> Rendering {
        Rendering(
            words: props.text.split(whereSeparator: \.isWhitespace).count,
            characters: props.text.count)
    }
}
