import FlowPrinting
import FlowREPL
import PlainValue
import Terminal
import WorkflowLua

/// Reads the value of `--props`: JSON, `@file`, or `-` for standard input.
func readProps(_ argument: String) throws -> Value {
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
    let help = "write --props '{\"name\": \"you\"}' or --props @file.json"
    func refusal(_ message: String, help: String = help) -> Refusal {
        Refusal(FlowError(.props, "the props \(message)", help: help), .usage)
    }
    guard let text else {
        throw refusal("are not UTF-8 text: \(origin)", help: "save them as UTF-8")
    }
    let value: Value
    do throws(JSONError) {
        value = try Value(json: text)
    } catch {
        throw refusal("are not JSON: \(origin), \(error)")
    }
    guard value.record != nil else { throw refusal("must be a JSON object, not \(value.kind)") }
    return value
}

private func readBytes(_ path: String) throws -> [UInt8] {
    let help = "write --props @file.json"
    guard let resolved = resolvedPath(path) else {
        throw FlowError(.file, "there is no file \(path)", help: help)
    }
    switch readFile(resolved) {
    case .success(let bytes): return bytes
    case .failure(let failure):
        throw FlowError(.file, "\(path) cannot be read: \(failure.reason)", help: help)
    }
}
