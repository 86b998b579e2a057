/// A stream and the style of its text.
package struct OutputStyle: Sendable {
    package let stream: OutputStream
    package let style: Style

    package init(stream: OutputStream, choice: ColorChoice) {
        self.stream = stream
        style = Style(choice, for: stream)
    }
}
