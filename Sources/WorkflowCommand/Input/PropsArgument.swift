import PlainValue
import WorkflowLua

/// Why the props of the command line cannot be used, and how the process ends then.
struct PropsFailure: Error {
    let message: String
    let help: String
    let status: ExitStatus
}

/// The value of `--props`: JSON, `@file`, or `-` for standard input.
func readProps(_ argument: String) throws(PropsFailure) -> Value {
    let text: String
    let origin: String
    switch argument.first {
    case "@":
        let path = String(argument.dropFirst())
        text = try readText(path)
        origin = path
    case "-" where argument == "-":
        var lines: [String] = []
        while let line = readLine(strippingNewline: false) { lines.append(line) }
        text = lines.joined()
        origin = "standard input"
    default:
        text = argument
        origin = "--props"
    }
    let value: Value
    do throws(JSONError) {
        value = try Value(json: text)
    } catch {
        throw PropsFailure(
            message: "the props are no JSON: \(origin), \(error)",
            help: "write --props '{\"name\": \"you\"}' or --props @file.json", status: .usage)
    }
    guard value.record != nil else {
        throw PropsFailure(
            message: "the props must be a JSON object, not \(value.kind)",
            help: "write --props '{\"name\": \"you\"}' or --props @file.json", status: .usage)
    }
    return value
}

private func readText(_ path: String) throws(PropsFailure) -> String {
    guard let resolved = resolvedPath(path) else {
        throw PropsFailure(
            message: "there is no file \(path)", help: "write --props @file.json",
            status: .noInput)
    }
    switch readFile(resolved) {
    case .success(let bytes):
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PropsFailure(
                message: "\(path) is no UTF-8 text", help: "save it as UTF-8", status: .usage)
        }
        return text
    case .failure(let failure):
        throw PropsFailure(
            message: "\(path) cannot be read: \(failure.reason)",
            help: "write --props @file.json", status: .noInput)
    }
}
