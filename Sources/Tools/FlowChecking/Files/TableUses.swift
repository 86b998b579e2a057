import LuaSyntax

/// The uses of a table in variables, such as a node's state: its fields, if all are in sight.
struct TableUses {
    struct Field {
        let use: LuaSource.FieldUse
        /// True if the variable holds nothing but the table.
        let isCertain: Bool

        var name: String { use.name }
        var isWrite: Bool { use.kind.isWrite }
    }

    private(set) var fields: [Field] = []
    /// True if nothing but the fields in sight can be read or written: the table is not handed to
    /// an unknown function, not walked through, and not stored.
    private(set) var isKept = true
    /// The variables that hold nothing but the table.
    private var certain: Set<ObjectIdentifier> = []

    /// The number of calls that a table is followed through.
    private static let deepest = 8

    /// - Parameters:
    ///   - seeds: The variables that hold the table.
    ///   - others: Variables that may hold it, or an older form of it.
    ///   - uncounted: The places of reads that do not count, such as the return of a first state.
    init(
        of seeds: [LuaVariable], or others: [LuaVariable] = [],
        besides uncounted: Set<SourcePlace> = [], in source: LuaSource
    ) {
        certain = Set(seeds.map(ObjectIdentifier.init))
        var holders = seeds + others
        var possible = Set(holders.map(ObjectIdentifier.init))
        var counted = uncounted
        let givenValues = source.givenValues
        for _ in 0..<Self.deepest {
            let count = possible.count
            for (variable, given) in givenValues {
                let held = given.compactMap { value -> (LuaVariable, SourcePlace)? in
                    guard case .variable(let other, let place)? = value,
                        possible.contains(ObjectIdentifier(other))
                    else { return nil }
                    return (other, place)
                }
                guard !held.isEmpty else { continue }
                counted.formUnion(held.map(\.1))
                if held.count == given.count,
                    held.allSatisfy({ certain.contains(ObjectIdentifier($0.0)) })
                {
                    certain.insert(ObjectIdentifier(variable))
                }
                if possible.insert(ObjectIdentifier(variable)).inserted { holders.append(variable) }
            }
            if possible.count == count { break }
        }
        for use in source.fields {
            guard case .variable(let variable, let place) = use.base,
                possible.contains(ObjectIdentifier(variable))
            else { continue }
            counted.insert(place)
            let isCertain =
                certain.contains(ObjectIdentifier(variable)) && variable.assignments.isEmpty
            fields.append(Field(use: use, isCertain: isCertain))
        }
        isKept = holders.allSatisfy { variable in
            variable.assignments.isEmpty && variable.reads.allSatisfy { counted.contains($0.place) }
        }
    }

    func holds(_ expression: LuaExpression) -> Bool {
        expression.variable.map { $0.assignments.isEmpty && certain.contains(ObjectIdentifier($0)) }
            ?? false
    }

    var written: Set<String> { Set(fields.filter(\.isWrite).map(\.name)) }

    var read: Set<String> { Set(fields.filter { !$0.isWrite }.map(\.name)) }
}

extension LuaSource {
    /// The variables with their only values, and the parameters of functions with a local name or
    /// in a field of a table with the arguments of all calls.
    fileprivate var givenValues: [(variable: LuaVariable, values: [LuaExpression?])] {
        var found: [ObjectIdentifier: (function: LuaFunction, calls: [LuaCallExpression])] = [:]
        for call in calls where call.method == nil {
            guard let function = function(of: call.callee) else { continue }
            found[ObjectIdentifier(function), default: (function, [])].calls.append(call)
        }
        return variables.map { ($0, [$0.onlyValue]) }
            + found.values.flatMap { function, calls in
                function.parameters.enumerated().map { index, parameter in
                    (parameter, calls.map { $0.argument(index) })
                }
            }
    }

    /// The function that a callee certainly is.
    func function(of callee: LuaExpression) -> LuaFunction? {
        switch callee {
        case .function, .variable: return callee.known.function
        case .field(.variable(let table, _), let name, _):
            guard table.assignments.isEmpty else { return nil }
            var values = fields.filter { $0.base.variable === table && $0.name == name }
                .compactMap(\.kind.written)
            if let field = table.initializer?.table?[name] { values.append(field.value) }
            return values.count == 1 ? values[0].function : nil
        default: return nil
        }
    }
}
