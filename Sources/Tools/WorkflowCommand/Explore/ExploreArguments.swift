import FlowExploring
import FlowPrinting
import FlowREPL
import LuaVM
import PlainValue
import Terminal
import WorkerKit
import WorkflowLua

/// Parses the command line's actions and worker outputs for an exploration.
struct ExploreArguments {
    let flow: String
    let limits: LuaVM.Options

    /// A sink by path, with fields, such as `rows[1].edit{ text = "milk" }`; `nil` for an action.
    func sink(_ text: String) throws -> (path: ValuePath, fields: Value.Record)? {
        let head = text.prefix { $0 != "{" }.trimmed
        guard head.contains(where: { ".[".contains($0) }) else { return nil }
        guard let path = try? ValuePath(parsing: head) else { throw noAction(text) }
        let rest = text.drop { $0 != "{" }
        guard !rest.isEmpty else { return (path, [:]) }
        if let record = (try? Value(json: String(rest)))?.record { return (path, record) }
        guard let record = try lua(String(rest), of: text).record else { throw noAction(text) }
        return (path, record)
    }

    /// The path of a field in the rendering or the state.
    func path(_ text: String) throws -> ValuePath {
        do throws(FlowError) { return try ValuePath(typed: text, orFailWith: .badInput) } catch {
            throw Refusal(error, .usage)
        }
    }

    /// An action: JSON, `add`, `add{ text = "milk" }` or `{ type = "add" }`.
    func action(_ text: String) throws -> Value {
        let value: Value
        if let json = try? Value(json: text) {
            value = json
        } else {
            let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            let rest = text.dropFirst(name.count).drop { $0 == " " }
            if rest.isEmpty { return ["type": .string(String(name))] }
            var known = try lua(String(rest), of: text)
            if !name.isEmpty, case .record(var record) = known {
                record["type"] = .string(String(name))
                known = .record(record)
            }
            value = known
        }
        if let type = value.string { return ["type": .string(type)] }
        guard value["type"]?.string != nil else { throw noAction(text) }
        return value
    }

    private func lua(_ expression: String, of text: String) throws -> Value {
        do throws(FlowError) {
            let flow = try LuaFlow(
                source: "return { render = function() end }",
                options: LuaFlow.Options(limits: limits))
            return try flow.value(of: expression)
        } catch {
            throw noAction(text)
        }
    }

    private func noAction(_ text: String) -> Refusal {
        Refusal(FlowError(.noAction, printable(text)), .usage)
    }

    /// `name=json`: an output of a worker.
    func output(_ text: String) throws -> FlowExplorationOptions.WorkerBehavior {
        let (name, rest) = try pair(text, "--worker 'http.get={\"status\": 200}'")
        do throws(JSONError) {
            return .output(worker: name, try Value(json: rest))
        } catch {
            throw Refusal(FlowError(.outputWithoutJSON, printable(name), error), .usage)
        }
    }

    /// `name=code` or `name=code: message`: a failure of a worker.
    func failure(_ text: String) throws -> FlowExplorationOptions.WorkerBehavior {
        let (name, rest) = try pair(text, "--worker-error 'http.get=timed_out: too late'")
        let code = rest.prefix { $0 != ":" }
        let message = rest.dropFirst(code.count + 1).drop { $0 == " " }
        return .failure(
            worker: name,
            WorkerError(String(code), message.isEmpty ? String(code) : String(message)))
    }

    private func pair(_ text: String, _ example: String) throws -> (name: String, rest: String) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex,
            text.index(after: equals) < text.endIndex
        else { throw Refusal(FlowError(.noWorkerName, printable(text), example), .usage) }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }
}
