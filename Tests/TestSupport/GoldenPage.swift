import Foundation

/// A text that the program prints, as it stands in the folder `Golden` beside its test.
/// With `GOLDEN_UPDATE=1` in the environment the files are written anew with what is printed now.
package struct GoldenPage {
    private let url: URL

    /// The test's file stands in a target or in a folder of it.
    package init(_ name: String, of test: String = #filePath) {
        var folder = URL(fileURLWithPath: test).deletingLastPathComponent()
        while folder.deletingLastPathComponent().lastPathComponent != "Tests" {
            folder.deleteLastPathComponent()
        }
        url = folder.appendingPathComponent("Golden/\(name)")
    }

    /// The first line in which a text is another one than the page; `nil` if there is none.
    package func difference(from text: String) throws -> String? {
        if ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1" {
            try Data(text.utf8).write(to: url)
        }
        let golden = try String(contentsOf: url, encoding: .utf8)
        guard text != golden else { return nil }
        let (now, then) = (text.components(separatedBy: "\n"), golden.components(separatedBy: "\n"))
        let line = zip(now, then).prefix { $0 == $1 }.count
        return """
            line \(line + 1) of \(url.lastPathComponent) is '\(line < then.count ? then[line] : "")', \
            but '\(line < now.count ? now[line] : "")' is printed. If that is meant, run this test with \
            GOLDEN_UPDATE=1.
            """
    }
}
