import FlowPrinting
import FlowREPL
import PlainValue
import Terminal
import WorkflowLua

/// The value of `--props`: JSON, `@file`, or `-` for standard input.
func readProps(_ argument: String) throws(Refusal) -> Value {
    let text: String?
    let origin: String
    switch argument.first {
    case "@":
        origin = String(argument.dropFirst())
        text = String(validating: try readBytes(origin), as: UTF8.self)
    case "-" where argument == "-":
        var input = LineReader()
        origin = "standard input"
        text = input.rest()
    default:
        text = argument
        origin = "--props"
    }
    guard let text else {
        throw Refusal(
            FlowError(.props, "the props are no UTF-8 text: \(origin)", help: "save them as UTF-8"),
            .usage)
    }
    let help = "write --props '{\"name\": \"you\"}' or --props @file.json"
    let value: Value
    do throws(JSONError) {
        value = try Value(json: text)
    } catch {
        throw Refusal(
            FlowError(.props, "the props are no JSON: \(origin), \(error)", help: help), .usage)
    }
    guard value.record != nil else {
        throw Refusal(
            FlowError(.props, "the props must be a JSON object, not \(value.kind)", help: help),
            .usage)
    }
    return value
}

private func readBytes(_ path: String) throws(Refusal) -> [UInt8] {
    let help = "write --props @file.json"
    guard let resolved = resolvedPath(path) else {
        throw Refusal(FlowError(.file, "there is no file \(path)", help: help), .noInput)
    }
    switch readFile(resolved) {
    case .success(let bytes): return bytes
    case .failure(let failure):
        throw Refusal(
            FlowError(.file, "\(path) cannot be read: \(failure.reason)", help: help), .noInput)
    }
}
