/// A stream and how text on it is styled.
struct OutputStyle: Sendable {
    let stream: OutputStream
    let style: Style

    init(stream: OutputStream, choice: ColorChoice) {
        self.stream = stream
        style = Style(choice, for: stream)
    }
}
