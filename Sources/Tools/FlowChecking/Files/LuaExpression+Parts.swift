import LuaSyntax
import PlainValue

extension LuaExpression {
    /// The value of a variable that is assigned once, otherwise the expression itself.
    var known: LuaExpression { variable?.onlyValue ?? self }

    var constant: Value? { if case .constant(let value) = self { value } else { nil } }
    var function: LuaFunction? { if case .function(let function) = self { function } else { nil } }
    var table: LuaTable? { if case .table(let table) = self { table } else { nil } }
    var call: LuaCallExpression? { if case .call(let call) = self { call } else { nil } }
    var global: String? { if case .global(let name, _) = self { name } else { nil } }

    var isNil: Bool { constant == .null }

    /// True if the text shows the type.
    var isLiteral: Bool { constant != nil || function != nil || table != nil }

    var isNoTable: Bool { isLiteral && table == nil && !isNil }

    func isField(_ name: String, of variable: LuaVariable) -> Bool {
        if case .field(let base, name, _) = self { base.variable === variable } else { false }
    }
}

extension LuaVariable {
    var values: [LuaExpression] { [initializer].compactMap(\.self) + assignments.map(\.value) }
}

extension LuaFunction {
    var results: [LuaChoice.Operand] { returns.compactMap(\.first) }

    func parameter(_ index: Int) -> LuaVariable? {
        parameters.indices.contains(index) ? parameters[index] : nil
    }
}

extension LuaCallExpression {
    func argument(_ index: Int) -> LuaExpression? {
        arguments.indices.contains(index) ? arguments[index] : nil
    }

    /// The names of a child's or a worker's options; `nil` if the text does not show all of them.
    var optionNames: [String]? {
        guard let options = argument(2) else { return [] }
        return options.table.flatMap { $0.isClosed ? $0.names : nil }
    }
}

extension LuaSource.UseKind {
    var written: LuaExpression? { if case .written(let value) = self { value } else { nil } }
    var isWrite: Bool { written != nil }
    /// True if the use only tests whether the name exists.
    var isTest: Bool { if case .tested = self { true } else { false } }
}

extension LuaSource {
    /// The operations of some symbols with two operands, each of which is once the first.
    func operands(
        of symbols: Set<String>
    ) -> [(operation: Operation, one: LuaExpression, other: LuaExpression)] {
        operations.filter { symbols.contains($0.symbol) }.flatMap { operation in
            operation.left.map { left in
                [(operation, left, operation.right), (operation, operation.right, left)]
            } ?? []
        }
    }
}
