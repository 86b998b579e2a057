import LuaSyntax
import PlainValue
import WorkerKit
import WorkflowPlugins

extension FileRules {
    mutating func checkWorker(of call: LuaCallExpression) {
        guard let name = call.arguments.first?.text,
            let worker = worker(named: name, at: call.places[0])
        else { return }
        if let input = call.argument(1), !input.isNil {
            check(input, against: worker.input, of: name, at: call.places[1], path: "")
        } else if case .record(let fields) = worker.input {
            checkMissing(fields, in: [], of: name, at: call.places[0], path: "")
        }
    }

    /// The worker of a name; reports a name that no worker has.
    mutating func worker(named name: String, at place: SourcePlace) -> WorkerDefinition? {
        do throws(WorkerError) { return try registry.worker(named: name) } catch {
            report(.worker, place, error.message + (error.help.map { "; \($0)" } ?? ""))
            return nil
        }
    }

    /// Reports a literal that does not fit a schema. Other expressions may fit.
    private mutating func check(
        _ expression: LuaExpression, against schema: ValueSchema, of worker: String,
        at place: SourcePlace, path: String
    ) {
        switch (schema, expression) {
        case (.optional(let inner), _):
            if expression.isNil { return }
            check(expression, against: inner, of: worker, at: place, path: path)
        case (_, .constant(let value)):
            do throws(WorkerError) {
                try schema.check(value)
            } catch {
                report(.input, place, "worker '\(worker)': \(error.message)\(inside(path))")
            }
        case (_, .function):
            report(
                .input, place, "worker '\(worker)': a function is not a plain value\(inside(path))")
        case (.record(let fields), .table(let table)):
            check(table, fields, of: worker, at: place, path: path)
        case (.list(let element), .table(let table)):
            var index = 0
            for field in table.fields {
                guard case .position = field.key else { return }
                index += 1
                check(
                    field.value, against: element, of: worker, at: field.valuePlace,
                    path: "\(path)[\(index)]")
            }
        case (.map(let element), .table(let table)):
            for field in table.fields {
                guard case .name(let name) = field.key else { continue }
                check(
                    field.value, against: element, of: worker, at: field.valuePlace,
                    path: path.isEmpty ? name : "\(path).\(name)")
            }
        case (.any, _), (_, .variable), (_, .global), (_, .field), (_, .element), (_, .call),
            (_, .choice), (_, .opaque):
            return
        case (_, .table):
            report(
                .input, place,
                "worker '\(worker)': expected \(schema.phraseForTable), "
                    + "found a table\(inside(path))")
        }
    }

    private mutating func check(
        _ table: LuaTable, _ fields: [ValueSchema.Field], of worker: String,
        at place: SourcePlace, path: String
    ) {
        let names = fields.map(\.name)
        var given: [String] = []
        for field in table.fields {
            guard case .name(let name) = field.key else { continue }
            guard let known = fields.first(where: { $0.name == name }) else {
                let near = didYouMean(name, among: names)
                let help =
                    fields.isEmpty
                    ? "it has no fields" : "its fields are \(names.joined(separator: ", "))"
                report(
                    .input, field.place,
                    "worker '\(worker)': there is no field "
                        + "'\(name)'\(path.isEmpty ? "" : " at \(path)")"
                        + (near.isEmpty ? "; \(help)" : near))
                continue
            }
            if field.value.isNil { continue }
            given.append(name)
            check(
                field.value, against: known.schema, of: worker, at: field.valuePlace,
                path: path.isEmpty ? name : "\(path).\(name)")
        }
        // A computed key could be one of the missing fields.
        if table.isClosed { checkMissing(fields, in: given, of: worker, at: place, path: path) }
    }

    private func inside(_ path: String) -> String { path.isEmpty ? "" : " at \(path)" }

    private mutating func checkMissing(
        _ fields: [ValueSchema.Field], in given: [String], of worker: String,
        at place: SourcePlace, path: String
    ) {
        for field in fields where !field.isOptional && !given.contains(field.name) {
            do throws(WorkerError) {
                try ValueSchema.record([field]).check([:])
            } catch {
                let help = error.help.map { "; \($0)" } ?? ""
                report(.input, place, "worker '\(worker)': \(error.message)\(inside(path))\(help)")
            }
        }
    }
}

extension ValueSchema {
    /// The schema as part of a sentence about a table that does not fit.
    fileprivate var phraseForTable: String {
        switch self {
        case .choice: "one of \(self)"
        case .integer: "an integer"
        case .null: "null"
        default: "a \(self)"
        }
    }
}
