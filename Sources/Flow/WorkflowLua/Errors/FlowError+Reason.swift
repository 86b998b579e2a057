extension FlowError {
    /// A cause of errors as data. Each module has its causes and their sentences in one file.
    package struct Reason: Hashable, Sendable {
        package private(set) var code: Code
        /// The sentence, with `%0`, `%1` and so on in the places of an error's values.
        package let sentence: String
        /// The next step, with values in their places, too.
        private(set) var hint: Hint?

        package init(_ code: Code, _ sentence: String) {
            (self.code, self.sentence) = (code, sentence)
        }

        package func help(_ hint: Hint) -> Reason {
            var reason = self
            reason.hint = hint
            return reason
        }

        package func with(_ code: Code) -> Reason {
            var reason = self
            reason.code = code
            return reason
        }
    }

    /// A next step. One that ends with a setting says so: the command line has options for them,
    /// which no text of a library names.
    package struct Hint: Hashable, Sendable, ExpressibleByStringInterpolation {
        /// A setting as Swift programs call it.
        package enum Setting: String, Sendable, CaseIterable {
            case timeLimit = "limits.timeLimit"
            case instructionLimit = "limits.instructionLimit"
            case memoryLimit = "limits.memoryLimit"
            case recording = "a FlowJournal writes"
            case snapshot = "FlowSnapshot.json gives"
            case leniency = "FlowSnapshot.isLenient"
            case goldens = "FlowTestOptions.updatesGoldens"
            case journal = "FlowOptions.journal"
            case socket = "listen at one with FlowSession.listen(at:)"
            case port = "ServiceOptions.port"
            case token = "ServiceToken.line"
            case access =
                "set ServiceOptions.access to .files, or to .everybody if all may do everything"
        }

        var text: String
        private let setting: Setting?

        package init(_ text: String, _ setting: Setting) {
            (self.text, self.setting) = (text, setting)
        }

        package init(stringLiteral text: String) { (self.text, setting) = (text, nil) }

        /// Makes a hint of its words, as of an error from another process.
        package init(words: String) {
            setting = Setting.allCases.first { words.hasSuffix($0.rawValue) }
            text = String(words.dropLast(setting?.rawValue.count ?? 0))
        }

        /// The words, with the names that a reader knows the settings by.
        package func words(naming name: (Setting) -> String = \.rawValue) -> String {
            text + (setting.map(name) ?? "")
        }
    }
}

extension String {
    /// The text with values in the places of `%0`, `%1` and so on.
    func filled(with values: [String]) -> String {
        guard !values.isEmpty else { return self }
        var (text, rest) = ("", self[...])
        while let sign = rest.firstIndex(of: "%") {
            text += rest[..<sign]
            rest = rest[sign...].dropFirst()
            guard let number = rest.first?.wholeNumberValue else {
                text += "%"
                continue
            }
            assert(values.indices.contains(number), "a value is missing")
            text += values.indices.contains(number) ? values[number] : ""
            rest = rest.dropFirst()
        }
        return text + rest
    }
}
