import CPostgreSQL
import WorkflowStore

/// The rows that a statement gave, as texts.
final class Rows {
    private let result: OpaquePointer

    init(_ result: OpaquePointer) { self.result = result }

    deinit { workflow_pq_clear(result) }

    var count: Int { Int(workflow_pq_ntuples(result)) }

    subscript(place: Int) -> Row {
        assert((0..<count).contains(place))
        return Row(rows: self, place: Int32(place))
    }

    var first: Row? { count == 0 ? nil : self[0] }

    var all: some Sequence<Row> { (0..<count).lazy.map { self[$0] } }

    struct Row: StoredRow {
        fileprivate let rows: Rows
        fileprivate let place: Int32

        func text(_ column: Int) -> String? {
            if isNull(column) { return nil }
            let start = workflow_pq_getvalue(rows.result, place, Int32(column))
            let count = workflow_pq_getlength(rows.result, place, Int32(column))
            let bytes = UnsafeRawBufferPointer(start: start, count: Int(count))
            return String(decoding: bytes, as: UTF8.self)
        }

        func integer(_ column: Int) -> Int? { text(column).flatMap { Int($0) } }

        func isNull(_ column: Int) -> Bool {
            workflow_pq_getisnull(rows.result, place, Int32(column)) != 0
        }

        func name(_ column: Int) -> String {
            workflow_pq_fname(rows.result, Int32(column)).map { String(cString: $0) } ?? ""
        }
    }
}
