import Foundation
import Testing

/// A text that the program prints, as it stands in the folder `Golden`.
///
/// With `GOLDEN_UPDATE=1` in the environment the files are written anew with what is printed now.
struct GoldenPage {
    /// The file's name.
    var name: String

    private var file: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Golden").appendingPathComponent(name)
    }

    /// Records an issue, with the first line that is different, unless the text is that of the
    /// file.
    func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        if ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1" {
            try Data(text.utf8).write(to: file)
        }
        let golden = try String(contentsOf: file, encoding: .utf8)
        guard text != golden else { return }
        let (now, then) = (text.components(separatedBy: "\n"), golden.components(separatedBy: "\n"))
        let line = zip(now, then).prefix { $0 == $1 }.count
        Issue.record(
            """
            line \(line + 1) of \(name) is '\(line < then.count ? then[line] : "")', \
            but '\(line < now.count ? now[line] : "")' is printed. If that is meant, run this test \
            with GOLDEN_UPDATE=1.
            """, sourceLocation: sourceLocation)
    }
}
