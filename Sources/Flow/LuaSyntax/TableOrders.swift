extension LuaSource {
    /// The longest order, and the most of them.
    private static let longestOrder = 64
    private static let mostOrders = 400

    /// The names of each table's fields in the order of the text: those of its constructor, then
    /// those assigned to the variable that holds it, without those of functions.
    package var orders: [[String]] {
        var orders: [[String]] = []
        var held: Set<SourcePlace> = []
        func add(_ names: [String]) {
            var known: Set<String> = []
            let order = names.filter { known.insert($0).inserted }.prefix(Self.longestOrder)
            if order.count > 1, orders.count < Self.mostOrders, !orders.contains(Array(order)) {
                orders.append(Array(order))
            }
        }
        for variable in variables {
            guard case .table(let table)? = variable.onlyValue else { continue }
            held.insert(table.place)
            let assigned = fields.compactMap { use -> String? in
                guard use.base.variable === variable, case .written(let value) = use.kind else {
                    return nil
                }
                if case .function = value { return nil }
                return use.name
            }
            add(table.namesOfValues + assigned)
        }
        for table in tables where !held.contains(table.place) { add(table.namesOfValues) }
        return orders
    }
}

extension LuaTable {
    /// The names of its fields without those of functions.
    fileprivate var namesOfValues: [String] {
        fields.compactMap { field -> String? in
            if case .function = field.value { nil } else { field.name }
        }
    }
}
