package import PlainValue

// Paths of fields that people type in options, at a prompt and in requests.
extension ValuePath {
    /// Parses a path that was typed.
    package init(
        typed text: String, orFailWith code: FlowError.Code = .badAction
    ) throws(FlowError) {
        do throws(ValuePathError) {
            self = try ValuePath(parsing: text)
        } catch {
            throw FlowError(.badPath.with(code), text, error, Self.help(onTyped: text))
        }
    }

    /// The next step for a typed path without a value.
    package static func help(onTyped text: String) -> String {
        if (try? ValuePath(parsing: text)) == nil, let meant = ValuePath(reading: text) {
            return "this is written as \(meant)"
        }
        return "write a path such as rows[1].text"
    }
}
