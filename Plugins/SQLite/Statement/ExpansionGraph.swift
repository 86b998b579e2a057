/// The numbered views and common tables of a schema, with the names that each uses.
struct ExpansionGraph {
    private enum Target {
        case commonTable(Int)
        /// A table, a column or anything else unless it is a view.
        case other([UInt8])
    }

    private var views: [[UInt8]: Int] = [:]
    /// The numbers of the definitions that each one names, as often as it does.
    private var targets: [[Target]] = []

    /// Makes a statement the definition of a view.
    mutating func nameView(_ name: String, _ number: Int) {
        views[name.utf8.map(\.lowercased)] = number
    }

    /// Adds a statement with its common tables, and returns its number.
    mutating func add(_ sql: String) -> Int {
        let statement = StatementWords(sql)
        let root = targets.count
        let tables = statement.commonTables
        targets += Array(repeating: [], count: tables.count + 1)
        let named = Dictionary(grouping: tables.indices) { tables[$0].name }
        /// The common tables in whose bodies a word is.
        var around: [Int] = []
        var next = 0
        for (place, word) in statement.words.enumerated() {
            while next < tables.count, tables[next].body.lowerBound == place {
                around.append(next)
                next += 1
            }
            while let last = around.last, tables[last].body.upperBound <= place {
                around.removeLast()
            }
            let owner = around.last.map { root + 1 + $0 } ?? root
            let table = named[word.text]?.filter { tables[$0].scope.contains(place) }
                .max { tables[$0].scope.lowerBound < tables[$1].scope.lowerBound }
            // In its own body a name stands for its rows so far.
            if let table, !around.contains(table) {
                targets[owner].append(.commonTable(root + 1 + table))
            }
            // With the name of the schema before it, the name of a common table is that of a view.
            targets[owner].append(.other(word.text))
        }
        return root
    }

    /// True if each of these statements uses at most `most` names, counted through its definitions.
    func canExpand(_ roots: [Int], most: Int) -> Bool {
        // Without definitions there is nothing to expand.
        guard !views.isEmpty || targets.count > roots.count else { return true }
        return roots.allSatisfy { root in
            var left = most
            var path: Set<Int> = []
            expand(root, &path, &left)
            return left >= 0
        }
    }

    private func expand(_ number: Int, _ path: inout Set<Int>, _ left: inout Int) {
        // SQLite has no circles: the name is that of a column, or the statement is refused.
        guard path.insert(number).inserted else { return }
        defer { path.remove(number) }
        for target in targets[number] {
            guard left >= 0 else { return }
            let next: Int? =
                switch target {
                case .commonTable(let number): number
                case .other(let name): views[name]
                }
            guard let next else { continue }
            left -= 1
            expand(next, &path, &left)
        }
    }
}
