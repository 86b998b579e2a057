import WorkflowStore

/// The statement that stores the changes of any number of sessions, each whole or not at all.
///
/// It locks the sessions in the order of their numbers, so that two hosts never wait for each
/// other. A change is refused if the session has another version, which is read once more after the
/// lock was waited for. A partition of this host is locked, too, so that a take-over does not miss
/// a session (see the function `workflow.beat`).
enum AppendStatement {
    static func parameters(
        of changes: [PreparedChange], _ partition: OwnPartition?
    ) -> [Parameter] {
        var inputs: [(Int?, Int?, Int?, String?)] = []
        var snapshots: [(Int?, Int?, String?)] = []
        var receipts: [(place: Int?, receipt: Receipt)] = []
        for (place, prepared) in changes.enumerated() {
            assert(prepared.texts.inputs.count == prepared.change.inputs.count)
            for (index, input) in prepared.texts.inputs.enumerated() {
                inputs.append((place, prepared.change.keeping + index + 1, input.time, input.text))
            }
            if let text = prepared.texts.snapshot, let step = prepared.change.snapshot?.step {
                snapshots.append((place, step, text))
            }
            for receipt in prepared.change.receipts { receipts.append((place, receipt)) }
        }
        let startsWorkers = changes.contains { $0.change.wakeAt != nil && !$0.change.leavesWorkers }
        let partition = startsWorkers ? partition : nil
        return [
            .texts(changes.map(\.id)),
            .integers(changes.map(\.version)),
            .integers(changes.map(\.change.keeping)),
            .integers(changes.map(\.change.stepCount)),
            .integers(changes.map(\.change.step)),
            .integers(changes.map { Int(bitPattern: UInt($0.change.id)) }),
            .integers(changes.map(\.change.milliseconds)),
            .integers(changes.map(\.change.wakeAt)),
            .bools(changes.map(\.change.leavesWorkers)),
            .texts(changes.map { $0.change.code?.hash }),
            .integers(changes.map(\.change.firstStep)),
            .integers(inputs.map(\.0)), .integers(inputs.map(\.1)), .integers(inputs.map(\.2)),
            .texts(inputs.map(\.3)),
            .integers(snapshots.map(\.0)), .integers(snapshots.map(\.1)),
            .texts(snapshots.map(\.2)),
            .integers(receipts.map(\.place)),
            .texts(receipts.map(\.receipt.key)),
            .integers(receipts.map { Int(bitPattern: UInt($0.receipt.digest)) }),
            .integers(receipts.map(\.receipt.step)),
            .integers(receipts.map(\.receipt.inputCount)),
            .bools(receipts.map(\.receipt.isGivenUp)),
            .integer(partition?.number), .integer(partition?.epoch),
        ]
    }

    /// - Parameter isAgain: True if a statement whose answer was lost may have stored the change.
    static func result(
        of prepared: PreparedChange, isAgain: Bool, _ row: Rows.Row
    ) throws -> Result<Int, any Error> {
        if row.isNull(0) { return .failure(StoreError.notFound(prepared.id)) }
        let version = try row.natural(0, of: prepared.id)
        let isLast = try row.bits(1, of: prepared.id) == prepared.change.id
        if row.text(2) == "t" || isAgain && isLast { return .success(version) }
        // Somebody may have gone on from it since.
        return .failure(
            isAgain && version != prepared.version
                ? StoreError.unknown(prepared.id) : StoreError.conflict(prepared.id))
    }

    static let statement = Statement(
        "append",
        """
        WITH c AS (
            SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
                WITH ORDINALITY AS c (
                id, expected, keeping, step_count, step, change, time, wake_at, leaves, code,
                first_step, place)
        ), s AS MATERIALIZED (
            SELECT c.place, s.number, s.version, s.step, s.step_count, s.code, s.screen,
                s.partition, s.change
            FROM c JOIN workflow.session s ON s.id = c.id
            ORDER BY s.number FOR UPDATE OF s
        ), r AS (
            SELECT place + 1 AS place, key, digest, step, input_count, is_given_up
            FROM unnest($19, $20, $21, $22, $23, $24) AS r (
                place, key, digest, step, input_count, is_given_up)
        ), f AS (
            SELECT number FROM workflow.partition WHERE number = $25 AND epoch = $26 FOR SHARE
        ), known AS MATERIALIZED (
            -- As in the look-up of receipts.
            SELECT r.place FROM r JOIN s USING (place) CROSS JOIN LATERAL (
                SELECT FROM workflow.receipt t WHERE t.session = s.number AND t.key = r.key OFFSET 0
            ) t
        ), a AS MATERIALIZED (
            SELECT s.number, s.step_count AS old_count, s.version + 1 AS version, c.*,
                CASE WHEN c.keeping < s.step_count OR c.step_count > c.keeping
                    OR c.step <> s.step OR coalesce(c.code, s.code) IS DISTINCT FROM s.code
                THEN s.version + 1 ELSE s.screen END AS screen,
                c.wake_at IS NOT NULL AND (c.leaves OR NOT EXISTS (SELECT FROM f)) AS is_left,
                CASE WHEN c.wake_at IS NULL THEN NULL WHEN c.leaves THEN s.partition
                -- A host that has lost its own takes no session from the one that has it now.
                ELSE coalesce((SELECT number FROM f), s.partition, 0) END AS partition
            FROM s JOIN c USING (place)
            WHERE s.version = c.expected AND c.place NOT IN (SELECT place FROM known)
        ), updated AS (
            UPDATE workflow.session t SET version = a.version, screen = a.screen,
                change = a.change, step = a.step, step_count = a.step_count, updated = a.time,
                wake_at = a.wake_at, partition = a.partition, code = coalesce(a.code, t.code),
                first_step = greatest(t.first_step, a.first_step)
            FROM a WHERE t.number = a.number
        ), noticed AS (
            INSERT INTO workflow.notice SELECT number FROM a WHERE is_left ON CONFLICT DO NOTHING
        ), no_inputs AS (
            DELETE FROM workflow.input t USING a
            WHERE a.keeping < a.old_count AND t.session = a.number AND t.step > a.step_count
        ), inputs AS (
            INSERT INTO workflow.input SELECT a.number, i.step, i.time, i.document
            FROM unnest($12, $13, $14, $15) AS i (place, step, time, document)
            JOIN a ON a.place = i.place + 1
            ON CONFLICT (session, step)
                DO UPDATE SET time = excluded.time, document = excluded.document
        ), i AS MATERIALIZED (
            SELECT * FROM unnest($16, $17, $18) AS i (place, step, document)
        ), n AS (
            SELECT a.number, i.step, i.document, greatest(a.first_step, t.first_step) AS first_step,
                a.keeping
            FROM i JOIN a ON a.place = i.place + 1 JOIN workflow.session t ON t.number = a.number
        ), no_snapshots AS (
            DELETE FROM workflow.snapshot t USING a
            WHERE a.keeping < a.old_count AND t.session = a.number AND t.step > a.keeping
                AND NOT EXISTS (SELECT FROM n WHERE n.number = t.session AND n.step = t.step)
        ), old_snapshots AS (
            DELETE FROM workflow.snapshot t USING n
            WHERE t.session = n.number AND t.step <= n.keeping AND t.step <> n.step
                AND t.step > greatest(n.first_step, (
                    SELECT min(o.step) FROM workflow.snapshot o WHERE o.session = n.number))
                AND t.step NOT IN (
                    SELECT o.step FROM workflow.snapshot o
                    WHERE o.session = n.number AND o.step <= n.keeping AND o.step <> n.step
                    ORDER BY o.step DESC LIMIT \(SessionSnapshot.kept - 1))
        ), snapshots AS (
            INSERT INTO workflow.snapshot SELECT number, step, document FROM n
            ON CONFLICT (session, step) DO UPDATE SET document = excluded.document
        ), old_cuts AS (
            DELETE FROM workflow.cut t USING a
            WHERE a.keeping < a.old_count AND t.session = a.number AND t.keeping > a.keeping
        ), cuts AS (
            INSERT INTO workflow.cut SELECT number, keeping, version FROM a
            WHERE keeping < old_count
            ON CONFLICT (session, keeping) DO UPDATE SET version = excluded.version
        ), receipts AS (
            INSERT INTO workflow.receipt
            SELECT a.number, r.key, r.digest, r.step, r.input_count, a.screen, r.is_given_up, a.time
            FROM r JOIN a USING (place)
        )
        SELECT coalesce(a.version, s.version), s.change, a.place IS NOT NULL
        FROM c LEFT JOIN s USING (place) LEFT JOIN a USING (place) ORDER BY c.place
        """)
}
