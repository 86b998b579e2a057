package import WorkerKit
import WorkflowLua

/// Writes definitions of the host's functions for Lua's language server.
package struct TypesWriter {
    package static let opening = "---@meta workflow"
    /// The line that identifies a file made by `types`.
    package static let origin =
        "-- Made by `workflow-run types` for Lua's language server; "
        + "make it again rather than edit it."

    /// The workers to describe for `context:run`.
    private let workers: [WorkerDefinition]

    package init(workers: [WorkerDefinition]) { self.workers = workers }

    package var text: String {
        var lines = [
            Self.opening, Self.origin,
            "",
            "---A sink of a rendering: a plain value that can be sent back as an action.",
            "---@alias workflow.Sink table",
            "",
            "---An action: a record with a type.",
            "---@class workflow.Action",
            "---@field type string",
            "---@field [string] any",
            "",
        ]
        for worker in workers { lines += classes(of: worker) }
        for group in HostAPI.groups { lines += block(of: group) }
        lines.append("return workflow")
        return lines.joined(separator: "\n") + "\n"
    }

    private func block(of group: HostGroup) -> [String] {
        switch group.kind {
        case .globals:
            return ["-- \(group.summary)", ""] + group.members.flatMap { function($0, prefix: "") }
        case .library:
            // The class of this name defines the methods of strings.
            let isString = group.name == "string"
            var lines = ["---\(group.summary)"]
            lines.append("---@class \(isString ? "stringlib" : "\(group.name)lib")")
            lines += fields(of: group)
            lines += ["\(group.name) = {}", ""]
            return lines + functions(of: group).flatMap { function($0, prefix: "\(group.name).") }
        case .object(let name):
            let local = name.split(separator: ".").last.map(String.init) ?? name
            return ["---\(group.summary)", "---@class \(name)"] + fields(of: group)
                + ["local \(local) = {}", ""]
                + functions(of: group).flatMap { function($0, prefix: "\(local):") }
        case .record(let name):
            return ["---\(group.summary)", "---@class \(name)"] + fields(of: group) + [""]
        }
    }

    private func functions(of group: HostGroup) -> [HostMember] {
        group.members.filter { $0.parameters != nil }
    }

    private func fields(of group: HostGroup) -> [String] {
        group.members.filter { $0.parameters == nil }.map { member in
            "---@field \(member.name) \(member.type) \(member.summary)"
        }
    }

    private func function(_ member: HostMember, prefix: String) -> [String] {
        let parameters = member.parameters ?? []
        var lines = ["---\(member.summary)"]
        if let example = member.example {
            lines += ["---```lua"]
            lines += example.split(separator: "\n", omittingEmptySubsequences: false)
                .map { "---\($0)" }
            lines += ["---```"]
        }
        for parameter in parameters {
            let mark = parameter.isOptional ? "?" : ""
            lines.append("---@param \(parameter.name)\(mark) \(parameter.type)")
        }
        if !member.type.isEmpty { lines.append("---@return \(member.type)") }
        if prefix == "RenderContext:", member.name == "run" { lines += workers.map(overload) }
        let names = parameters.map(\.name).joined(separator: ", ")
        return lines + ["function \(prefix)\(member.name)(\(names)) end", ""]
    }

    // MARK: Workers

    private func overload(_ worker: WorkerDefinition) -> String {
        let isOptional: Bool
        if case .record(let fields) = worker.input {
            isOptional = fields.allSatisfy(\.isOptional)
        } else {
            isOptional = false
        }
        return "---@overload fun(self: workflow.RenderContext, worker: \"\(worker.name)\", "
            + "input\(isOptional ? "?" : ""): \(Self.className(worker)).Input, "
            + "options?: \(Self.className(worker)).Options)"
    }

    /// The classes for a worker's input, output and options.
    private func classes(of worker: WorkerDefinition) -> [String] {
        let name = Self.className(worker)
        let summary = worker.summary.split(whereSeparator: \.isNewline).joined(separator: " ")
        return ["---\(summary)"] + shape(worker.input, as: "\(name).Input") + [""]
            + shape(worker.output, as: "\(name).Output") + [
                "", "---@class \(name).Options: workflow.RunOptions",
                "---@field on_output string|(fun(output: \(name).Output): any)?", "",
            ]
    }

    private func shape(_ schema: ValueSchema, as name: String) -> [String] {
        guard case .record(let fields) = schema else { return ["---@alias \(name) \(schema)"] }
        return ["---@class \(name)"]
            + fields.map { field in
                guard case .optional(let inner) = field.schema else {
                    return "---@field \(Self.key(field)) \(field.schema)"
                }
                // A name in brackets cannot take a question mark, so its type does.
                return Self.key(field) == field.name
                    ? "---@field \(field.name)? \(inner)"
                    : "---@field \(Self.key(field)) \(field.schema)"
            }
    }

    /// The name of a field, in brackets and quotes if the schema writes it so.
    private static func key(_ field: ValueSchema.Field) -> String {
        field.description.hasPrefix("[") ? "[\"\(field.name)\"]" : field.name
    }

    static func className(_ worker: WorkerDefinition) -> String {
        // A class name cannot contain a hyphen.
        "worker." + String(worker.name.map { $0 == "-" ? "_" : $0 })
    }
}
