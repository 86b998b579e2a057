package import LuaVM
package import PlainValue

/// Evaluates expressions over the values of variables outside the flow: in an interpreter of its
/// own, within the limits of a call, with read-only values.
package final class FrameExpressions {
    /// The limit unless that of a call is lower. The time limit is that of the flow's call.
    static let instructionLimit = 100_000_000

    private let vm: LuaVM
    private var toText: LuaReference?

    /// - Throws: A `FlowError` if there is not enough memory for an interpreter.
    package init(limits: LuaVM.Options) throws(FlowError) {
        var limits = limits
        limits.isolation = .none
        limits.instructionLimit = min(limits.instructionLimit ?? .max, Self.instructionLimit)
        vm = try lua { () throws(LuaError) in try LuaVM(limits) }
    }

    /// Compiles an expression. The error for an invalid one has the code `syntax`.
    package func compile(_ text: String) throws(FlowError) -> FrameExpression {
        let names = ExpressionReads.names(in: text)
        let function: LuaReference
        do throws(LuaError) {
            function = try load(text, parameters: names, names: names)
        } catch {
            throw FlowError(.badExpression, text, error.message)
        }
        var expression = FrameExpression(
            text: text, names: names, hasFunctions: ExpressionReads.hasFunctions(text),
            hasCalls: text.contains { "(:".contains($0) }, function: function)
        if let reads = ExpressionReads(of: text, isGlobal: isGlobal) {
            let parameters = reads.reads.map(\.parameter)
            let function = try? load(reads.text, parameters: parameters, names: reads.names)
            expression.quick = function.map { ($0, reads.reads) }
        }
        expression.tests = ConditionTests(of: text, isGlobal: isGlobal)
        return expression
    }

    /// - Parameter names: The parameters that are globals of the sandbox unless they have values.
    private func load(
        _ text: String, parameters: [String], names: [String]
    ) throws(LuaError) -> LuaReference {
        let source =
            parameters.isEmpty
            ? "" : "local \(parameters.joined(separator: ", ")) = ...; " + globals(names)
        return try vm.load(source + "return " + text, chunkName: "expression")
    }

    /// The code that sets undefined names to globals of the sandbox.
    private func globals(_ names: [String]) -> String {
        names.map { "if \($0) == nil then \($0) = \(LuaText.global($0)) end " }.joined()
    }

    private func isGlobal(_ name: String) -> Bool {
        let asks = try? vm.load("return \(LuaText.global(name)) ~= nil", chunkName: "expression")
        return asks.flatMap { try? vm.call($0, returning: .value).value } == .bool(true)
    }

    /// The plain value of an expression at a moment, in the innermost call, which changes nothing.
    ///
    /// - Parameter callsFunctions: Allows calls of the flow's functions, on copies.
    package func value(
        of expression: FrameExpression, at moment: borrowing LuaMoment, callsFunctions: Bool
    ) throws(FlowError) -> Value {
        if let value = quickValue(of: expression, at: moment, level: 0) { return value }
        if expression.hasCalls, callsFunctions {
            return try expression.bounded { () throws(FlowError) in
                try moment.value(of: expression, level: 0, where: [:]).value
            }
        }
        // Also produces the error of an expression that fails.
        return try value(of: expression, where: moment.values(of: expression.names))
    }

    /// The plain value of an expression over the variables of the call at a level, if its reads
    /// alone determine it; otherwise `nil`.
    package func quickValue(
        of expression: FrameExpression, at moment: borrowing LuaMoment, level: Int
    ) -> Value? {
        guard let (function, reads) = expression.quick else { return nil }
        do throws(LuaError) {
            var arguments: [LuaArgument] = []
            for read in reads {
                switch read.value(at: moment, level: level) {
                case .nil: arguments.append(.nil)
                case .noVariable where read.isWhole: arguments.append(.nil)
                case .noVariable, .noPath, .likeness: return nil
                // A null in a table is not nil.
                case .value(.null) where !read.isWhole: arguments.append(.value(.null))
                case .value(let value): arguments.append(try vm.argument(value, read.parameter))
                }
            }
            return try vm.call(function, arguments, returning: .value).value
        } catch {
            return nil
        }
    }

    /// The plain value of an expression for given values of variables; other variables are nil.
    package func value(
        of expression: FrameExpression, where values: [String: Value]
    ) throws(FlowError) -> Value {
        try expression.bounded { () throws(FlowError) in
            try lua { () throws(LuaError) in
                try vm.call(
                    expression.function, arguments(of: expression, values), returning: .value,
                    root: "value"
                ).value ?? .null
            }
        }
    }

    package func values(
        of expression: FrameExpression, where values: [String: Value]
    ) throws(FlowError) -> [Value] {
        try lua { () throws(LuaError) in
            try vm.values(
                of: expression.text, expression.names, arguments(of: expression, values),
                after: globals(expression.names), chunkName: "expression")
        }
    }

    private func arguments(
        of expression: FrameExpression, _ values: [String: Value]
    ) throws(LuaError) -> [LuaArgument] {
        try expression.names.map { name throws(LuaError) in
            try vm.argument(values[name] ?? .null, name)
        }
    }

    /// The names of the members of a library, such as `string`; by default of all globals.
    package func members(of library: String? = nil) -> [String] {
        guard library.map(LuaText.isName) ?? true else { return [] }
        let source = """
            local names = {}
            local library = \(library.map(LuaText.global) ?? "_ENV")
            if type(library) ~= "table" then return names end
            for name in pairs(library) do names[#names + 1] = name end
            return names
            """
        let function = try? vm.load(source, chunkName: "members")
        let names = function.flatMap { try? vm.call($0, returning: .value).value }
        return names?.list?.compactMap(\.string) ?? []
    }

    /// The text that `print` writes for a value; a table is written out.
    package func text(of value: Value) -> String {
        switch value {
        case .string(let text): return text
        case .null: return "nil"
        case .int(let number): return String(number)
        case .double:
            if toText == nil { toText = try? vm.load("return tostring(...)", chunkName: "text") }
            let text = toText.flatMap { try? vm.call($0, .value(value), returning: .value).value }
            return text?.string ?? "\(value)"
        default: return value.description
        }
    }
}

package struct FrameExpression {
    package let text: String
    /// The names that it may read.
    package let names: [String]
    /// True if it contains functions, which have variables of their own.
    let hasFunctions: Bool
    let hasCalls: Bool
    let function: LuaReference
    private let excess = Excess()
    /// The expression over its reads, if they can be found.
    fileprivate(set) var quick: (function: LuaReference, reads: [ExpressionRead])?
    /// Its comparisons, if it consists only of these.
    fileprivate(set) var tests: ConditionTests?

    private final class Excess {
        var error: FlowError?
    }

    /// Evaluates the expression, unless it exceeded its instruction limit before: a line with a
    /// breakpoint may run a million times.
    fileprivate func bounded(_ body: () throws(FlowError) -> Value) throws(FlowError) -> Value {
        if let error = excess.error { throw error }
        do throws(FlowError) { return try body() } catch {
            guard error.code == .instructionLimit else { throw error }
            let error = didNotEnd(.instructionLimit)
            excess.error = error
            throw error
        }
    }

    /// The error of an expression that was cut short.
    package func didNotEnd(_ code: FlowError.Code) -> FlowError {
        FlowError(.endless.with(code), text)
    }

    /// The condition for a trace to test at a line, if the expression is that simple.
    package func makeCondition() -> LuaCondition? { tests?.makeCondition() }
}

extension Value {
    /// True if Lua takes the value for true.
    package var holds: Bool { self != .null && self != .bool(false) }
}

extension LuaText {
    /// The code that reads a global, or nil if there is none of the name.
    static func global(_ name: String) -> String { "_ENV.rawget(_ENV, \"\(name)\")" }
}

extension LuaVM {
    /// The argument for a variable's value; null becomes nil.
    func argument(_ value: Value, _ name: String) throws(LuaError) -> LuaArgument {
        switch value {
        case .list, .record: .reference(try makeView(of: value, label: name))
        case .null: .nil
        default: .value(value)
        }
    }
}
