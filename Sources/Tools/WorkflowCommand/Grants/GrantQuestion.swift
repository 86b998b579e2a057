import FlowChecking
import Terminal
import WorkerKit

/// Asks the user at a terminal whether a flow may have the grants that it needs.
struct GrantQuestion {
    let needs: [NeededGrant]
    let style: Style
    let write: (String) -> Void
    /// Reads a line from the terminal; nil at the end.
    let read: () -> String?

    enum Answer {
        case once
        case always
        case no
    }

    /// Asks until there is an answer. The end of the input means no.
    func ask(of flow: String) -> Answer {
        write("\(printable(flow)) asks for what is not granted yet:\n\(list)")
        for _ in 0..<3 {
            write("Grant it? [o]nce, [a]lways for this flow as it is, [n]o: ")
            guard let line = read() else {
                write("\n")
                return .no
            }
            switch line.trimmed.lowercased() {
            case "o", "once", "y", "yes": return .once
            case "a", "always": return .always
            case "n", "no", "": return .no
            default: continue
            }
        }
        return .no
    }

    private var list: String {
        let table = TextTable(
            ["grant", "for"],
            rows: needs.map { need in
                let place = need.place.map { ", \($0)" } ?? ""
                let all = need.access.target == nil ? ", whichever it is when the flow runs" : ""
                return [printable("\(need.access)"), printable(need.worker + place + all)]
            })
        return table.lines(style: style).map { "  \($0)\n" }.joined()
    }
}

extension GrantQuestion {
    /// Asks at the terminal of standard input and output, and stores the permanent grants.
    static func inTerminal(_ color: ColorChoice) -> (FlowGrants) -> [Grant] {
        let output = color.output
        return { flow in
            let needs = flow.missing
            guard !needs.isEmpty else { return [] }
            var reader = LineReader()
            let question = GrantQuestion(needs: needs, style: output.style) { text in
                output.stream.write(text)
            } read: {
                reader.next().map { String(decoding: $0, as: UTF8.self) }
            }
            let grants = needs.map { Grant($0.access.kind, $0.access.target) }
            switch question.ask(of: flow.flow) {
            case .no: return []
            case .once: break
            case .always:
                if RememberedGrants(flow: flow.flow)?.keep(flow.grants.all + grants) != true {
                    color.errors.stream.write("note: this cannot be kept; it is granted once\n")
                }
            }
            return grants
        }
    }
}
