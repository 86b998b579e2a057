package import Terminal
package import WorkflowLua

/// Formats an error for a person: message, place, source, phase and node, locals, next step.
package struct ErrorPrinter {
    private static let widestLine = 120

    package let style: Style

    package init(style: Style) { self.style = style }

    /// A single line for an error that was just printed in full.
    package func again(_ error: FlowError) -> String {
        style.red("error:") + " " + style.bold(printable(error.message)) + style.dim(", again")
            + "\n"
    }

    /// Two lines for an error at a prompt: the message with its place, and the next step.
    package func short(_ error: FlowError) -> String {
        // What was typed is in sight.
        let isOfPrompt = error.location?.file == "input"
        let location = isOfPrompt && error.location?.line == 1 ? nil : error.location
        let place = location.map { "  " + style.dim(printable($0.description)) } ?? ""
        let hasMore = !error.locals.isEmpty || error.frames.count > 1 || error.excerpt != nil
        let help =
            error.hint.map(help)
            ?? (hasMore && !isOfPrompt ? help(".trace shows where, .locals the variables") : nil)
        return style.red("error:") + " " + style.bold(printable(error.message))
            + place + "\n" + (help.map { $0 + "\n" } ?? "")
    }

    package func text(_ error: FlowError) -> String {
        lines(error).map { $0 + "\n" }.joined()
    }

    package func lines(_ error: FlowError) -> [String] {
        var lines = [style.red("error:") + " " + style.bold(printable(error.message))]
        let gutter = width(of: error)
        let indent = String(repeating: " ", count: gutter)
        if let location = error.location {
            lines.append("\(indent) \(style.dim("┌─")) \(printable(location.description))")
            lines += excerpt(error, at: location, gutter: gutter)
        }
        if let phase = error.phase, phase != .load || error.location == nil {
            let node = error.node.map { " of \(printable(middleCut("\($0)")))" } ?? ""
            lines.append("\(indent) \(style.dim("=")) in \(printable(phase.description))\(node)")
        }
        if error.rolledBackAnAction {
            lines.append(
                "\(indent) \(style.dim("=")) the action was rolled back; the state is as before")
        }
        lines += locals(error, indent: indent)
        for (call, count) in callers(error) {
            let times = count > 1 ? ", \(count) times" : ""
            lines.append("\(indent) \(style.dim("=")) called from \(printable(call))\(times)")
        }
        for note in error.notes {
            lines.append("\(indent) \(style.dim("=")) \(printable(note))")
        }
        if let hint = error.hint { lines.append(help(hint)) }
        return lines
    }

    package func help(_ hint: FlowError.Hint) -> String {
        let text = ProgramName.typed.inserted(in: hint.inOptions)
        return style.green("help:") + " " + printable(text)
    }

    /// A long text without its middle, such as the path of a flow that renders itself.
    private func middleCut(_ text: String) -> String {
        let half = Self.widestLine / 2
        return text.count > 2 * half ? "\(text.prefix(half))…\(text.suffix(half))" : text
    }

    /// The local variables, in one line if they fit, else in a line each.
    private func locals(_ error: FlowError, indent: String) -> [String] {
        let shown = error.locals.map { "\(printable($0.name)) = \(printable($0.value))" }
        guard let first = shown.first else { return [] }
        let title = "\(indent) \(style.dim("=")) locals: "
        let line = shown.joined(separator: ", ")
        if displayWidth(line) <= Self.widestLine { return [title + line] }
        let space = indent + String(repeating: " ", count: 11)
        return [title + first] + shown.dropFirst().map { space + $0 }
    }

    /// The calls that led to the error, with counts, so that a recursion takes one line.
    private func callers(_ error: FlowError) -> [(call: String, count: Int)] {
        var callers: [(call: String, count: Int)] = []
        for frame in error.frames.dropFirst() {
            let function = frame.function.map { " in \($0)" } ?? ""
            let call = "\(frame.location)\(function)"
            if let last = callers.last, last.call == call {
                callers[callers.count - 1].count += 1
            } else {
                callers.append((call, 1))
            }
        }
        return callers
    }

    private func width(of error: FlowError) -> Int {
        guard let excerpt = error.excerpt else { return 1 }
        return String(excerpt.firstLine + excerpt.lines.count - 1).count
    }

    private func excerpt(
        _ error: FlowError, at location: FlowError.Location, gutter: Int
    ) -> [String] {
        guard let excerpt = error.excerpt else { return [] }
        let bar = style.dim("│")
        let indent = String(repeating: " ", count: gutter)
        var lines = ["\(indent) \(bar)"]
        for (offset, source) in excerpt.lines.enumerated() {
            let number = excerpt.firstLine + offset
            let label = String(number)
            let padding = String(repeating: " ", count: gutter - label.count)
            let isCulprit = number == location.line
            let full = printable(source)
            let shown = full.count > Self.widestLine ? full.prefix(Self.widestLine) + "…" : full
            lines.append(
                "\(padding)\(style.dim(label)) \(bar) \(isCulprit ? shown : style.dim(shown))")
            if isCulprit, let mark = error.culprit.flatMap({ caret($0, in: full) }),
                mark.count <= shown.count + 12
            {
                lines.append("\(indent) \(bar) \(style.red(mark))")
            }
        }
        lines.append("\(indent) \(bar)")
        return lines
    }

    /// Marks the name that Lua reports, if it occurs exactly once in the line.
    private func caret(_ culprit: FlowError.Culprit, in line: String) -> String? {
        let places = occurrences(of: culprit.name, in: line)
        guard places.count == 1, let place = places.first else { return nil }
        return String(repeating: " ", count: line[..<place.lowerBound].count)
            + String(repeating: "^", count: line[place].count)
            + (culprit.isNil ? " this is nil" : "")
    }

    /// The places of `name` as a whole word.
    private func occurrences(of name: String, in line: String) -> [Range<String.Index>] {
        func isWord(_ character: Character?) -> Bool {
            character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
        }
        return line.ranges(of: name).filter { place in
            !isWord(line[..<place.lowerBound].last) && !isWord(line[place.upperBound...].first)
        }
    }
}

extension FlowError {
    /// True if an action was being applied, whose changes were rolled back.
    fileprivate var rolledBackAnAction: Bool {
        switch phase {
        case .apply: code != .unknownAction
        case .answer: true
        default: false
        }
    }
}
