import FlowPrinting
import FlowTesting
import Terminal
import WorkflowLua

/// A report in JUnit's XML format, for continuous integration.
struct JUnitReport {
    private let files: [TestedFile]

    init(_ files: [TestedFile]) { self.files = files }

    var text: String {
        let suites = files.map(suite).joined()
        let results = files.flatMap(\.results)
        let broken = files.filter { $0.error != nil }.count
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites tests="\(results.count + broken)" failures="\(results.failures)" \
            errors="\(broken)">
            \(suites)</testsuites>

            """
    }

    private func suite(_ file: TestedFile) -> String {
        let cases = file.results.map { test($0, of: file.path) }.joined()
        let errors = file.error == nil ? 0 : 1
        let error = file.error.map { error in
            """
                <testcase classname="\(file.path.xml)" name="\(file.path.xml)">
                  <error \
            message="\(error.message.xml)">\(ErrorPrinter(style: .plain).text(error).xml)</error>
                </testcase>

            """
        }
        let time = file.results.reduce(Duration.zero) { $0 + $1.duration }
        return """
              <testsuite name="\(file.path.xml)" tests="\(file.results.count + errors)" \
            failures="\(file.results.failures)" errors="\(errors)" \
            skipped="\(file.results.pending)" time="\(time.xmlSeconds)">
            \(cases)\(error ?? "")  </testsuite>

            """
    }

    private func test(_ result: FlowTestResult, of file: String) -> String {
        let groups = result.path.dropLast().joined(separator: " ")
        let head = """
                <testcase classname="\((groups.isEmpty ? file : groups).xml)" \
            name="\(result.name.xml)" file="\(file.xml)" line="\(result.location?.line ?? 0)" \
            time="\(result.duration.xmlSeconds)"
            """
        switch result.outcome {
        case .passed: return head + "/>\n"
        case .pending: return head + "><skipped/></testcase>\n"
        case .failed(let failure):
            let text = FailureText(style: .plain).lines(failure).joined(separator: "\n")
            return head + """
                >
                      <failure message="\(failure.error.message.xml)">\(text.xml)</failure>
                    </testcase>

                """
        }
    }
}

extension [FlowTestResult] {
    fileprivate var failures: Int { count { $0.failure != nil } }
    fileprivate var pending: Int {
        count { if case .pending = $0.outcome { true } else { false } }
    }
}

extension Duration {
    fileprivate var xmlSeconds: String { "\((self / .microseconds(1)).rounded() / 1_000_000)" }
}

extension Style {
    fileprivate static let plain = Style(.never, for: .standardOutput)
}

extension String {
    /// The text for an XML attribute or element, without characters that XML does not allow.
    fileprivate var xml: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\n": text += "&#10;"
            case "\t": text += " "
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                text += "?"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
