import WorkflowStore

/// The keys of a session whose receipts are looked for: before each request that has a key.
struct ReceiptLookUp: Sendable {
    let id: String
    let keys: [String]

    static func find(
        _ lookUps: [ReceiptLookUp], _ connection: Connection
    ) throws -> [Result<[Receipt], any Error>] {
        var (places, ids, keys): ([Int?], [String?], [String?]) = ([], [], [])
        for (place, lookUp) in lookUps.enumerated() {
            for key in lookUp.keys {
                places.append(place)
                ids.append(lookUp.id)
                keys.append(key)
            }
        }
        var found = [[Receipt]](repeating: [], count: lookUps.count)
        let rows = try connection.execute(
            statement, [.integers(places), .texts(ids), .texts(keys)])
        for row in rows.all {
            let place = try row.natural(0, of: "")
            assert(lookUps.indices.contains(place))
            let id = lookUps[place].id
            found[place].append(
                Receipt(
                    key: row.text(1) ?? "", digest: try row.bits(2, of: id),
                    step: try row.natural(3, of: id), inputCount: try row.natural(4, of: id),
                    isGivenUp: try row.natural(6, of: id) != 0,
                    screen: try row.natural(5, of: id)))
        }
        return found.map { .success($0) }
    }

    private static let statement = Statement(
        "receipts",
        """
        SELECT place, r.key, digest, r.step, input_count, r.version, (is_given_up OR r.version
            < coalesce((SELECT c.version FROM workflow.cut c
                WHERE c.session = r.session AND c.keeping < r.step
                ORDER BY c.keeping DESC LIMIT 1), 0))::int
        FROM unnest($1, $2, $3) AS q (place, id, key)
        JOIN workflow.session s ON s.id = q.id
        -- A join would read all receipts of each session; OFFSET 0 keeps it from becoming one.
        CROSS JOIN LATERAL (
            SELECT * FROM workflow.receipt t WHERE t.session = s.number AND t.key = q.key OFFSET 0
        ) r
        """)
}
