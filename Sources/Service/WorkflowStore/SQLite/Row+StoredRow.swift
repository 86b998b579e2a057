import GRDB

extension Row: StoredRow {
    package func integer(_ column: Int) -> Int? { Int.fromDatabaseValue(self[column]) }
    package func text(_ column: Int) -> String? {
        let value: DatabaseValue = self[column]
        return value.isNull ? nil : String.fromDatabaseValue(value) ?? "\(value)"
    }
    package func isNull(_ column: Int) -> Bool { hasNull(atIndex: column) }
    package func name(_ column: Int) -> String { Array(columnNames)[column] }
}
