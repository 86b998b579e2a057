import WorkflowStore

/// The tables of a store, in the schema `workflow`. A released migration never changes.
///
/// Texts compare by their bytes (`COLLATE "C"`). Documents are `text`, because `jsonb` sorts the
/// fields and refuses the character NUL. Columns that change with each input are in no index, and
/// rows of `session` have room to grow, so that an update writes no index
/// (https://www.postgresql.org/docs/current/storage-hot.html). There are no foreign keys: who
/// writes rows of a session has locked it.
enum Schema {
    static let migrations = [version1]

    /// Brings a database to the present version. Throws `newer`, or a ``DatabaseFailure``.
    static func migrate(_ connection: Connection, _ database: String) throws {
        let version = try version(connection)
        try refuseNewer(version, database)
        if version == migrations.count { return }
        try connection.transaction("") {
            // Of several hosts that start at once, one migrates.
            try connection.execute("SELECT pg_advisory_xact_lock(7813425631)")
            let version = try Self.version(connection)
            try refuseNewer(version, database)
            for migration in migrations[version...] { try connection.execute(migration) }
            try connection.execute("UPDATE workflow.store SET version = \(migrations.count)")
        }
    }

    /// Checks that a store can be read. Throws `newer`, `foreign`, or a ``DatabaseFailure``.
    static func require(_ connection: Connection, _ database: String) throws {
        let version = try version(connection)
        try refuseNewer(version, database)
        if version == 0 { throw StoreError.noStore(database) }
        if version < migrations.count { throw StoreError.older(database) }
    }

    /// The version of the tables; 0 if there are none.
    private static func version(_ connection: Connection) throws -> Int {
        // A look into the catalog itself: names are remembered within a transaction.
        let search = Statement(
            "store",
            """
            SELECT EXISTS (
                SELECT FROM pg_tables WHERE schemaname = 'workflow' AND tablename = 'store')
            """)
        guard try connection.execute(search).first?.text(0) == "t" else { return 0 }
        return try connection.execute(Statement("version", "SELECT version FROM workflow.store"))
            .first?.integer(0) ?? 0
    }

    private static func refuseNewer(_ version: Int, _ database: String) throws(StoreError) {
        if version > migrations.count { throw .newer(database) }
    }

    static let version1 = """
        CREATE SCHEMA IF NOT EXISTS workflow;

        CREATE TABLE workflow.store (version bigint NOT NULL);
        INSERT INTO workflow.store VALUES (0);

        CREATE TABLE workflow.session (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            id text COLLATE "C" NOT NULL UNIQUE,
            flow text COLLATE "C" NOT NULL,
            -- The hash of the flow's files.
            code text COLLATE "C",
            -- Rises by one with each change.
            version bigint NOT NULL,
            -- The version with which it came to its present step, or to its present files.
            screen bigint NOT NULL,
            -- The id of the last change.
            change bigint NOT NULL,
            -- Where it stands; below step_count after an undo.
            step bigint NOT NULL,
            step_count bigint NOT NULL,
            -- The first step that the flow's files of today have made or gone on from.
            first_step bigint NOT NULL,
            -- When it wants to be in memory again, in milliseconds since 1970; 0 for at once.
            wake_at bigint,
            -- The partition of a session with a wake_at; 0 is nobody's.
            partition bigint,
            -- Milliseconds since 1970.
            created bigint NOT NULL,
            updated bigint NOT NULL
        ) WITH (fillfactor = 70);
        CREATE INDEX session_flow ON workflow.session (flow, number);
        CREATE INDEX session_partition ON workflow.session (partition) WHERE partition IS NOT NULL;

        -- The input that leads to a step, as JSON without its time, in milliseconds since 1970.
        CREATE TABLE workflow.input (
            session bigint NOT NULL,
            step bigint NOT NULL,
            time bigint,
            document text NOT NULL,
            PRIMARY KEY (session, step)
        );

        -- The session at a step, as JSON.
        CREATE TABLE workflow.snapshot (
            session bigint NOT NULL,
            step bigint NOT NULL,
            document text NOT NULL,
            PRIMARY KEY (session, step)
        );

        -- A request that was dealt with.
        CREATE TABLE workflow.receipt (
            session bigint NOT NULL,
            key text COLLATE "C" NOT NULL,
            digest bigint NOT NULL,
            step bigint NOT NULL,
            input_count bigint NOT NULL,
            -- The screen of the session after it.
            version bigint NOT NULL,
            -- True if the change that it came with discards its step; see cut for later ones.
            is_given_up boolean NOT NULL,
            -- Milliseconds since 1970.
            time bigint NOT NULL,
            PRIMARY KEY (session, key)
        );
        -- Rows come in the order of their times, so this index has a few entries only.
        CREATE INDEX receipt_time ON workflow.receipt USING brin (time);

        -- The steps after one were given up by the change to a version. A cut takes the place of
        -- earlier ones that kept as much or more.
        CREATE TABLE workflow.cut (
            session bigint NOT NULL,
            keeping bigint NOT NULL,
            version bigint NOT NULL,
            PRIMARY KEY (session, keeping)
        );

        -- The files of flows: a JSON object of texts by names.
        CREATE TABLE workflow.code (
            hash text COLLATE "C" PRIMARY KEY,
            -- The name of the flow's own file.
            main text NOT NULL,
            files text NOT NULL
        );

        -- One row: the highest version of a session that was deleted. New sessions begin above it.
        CREATE TABLE workflow.deleted (version bigint NOT NULL);
        INSERT INTO workflow.deleted VALUES (0);

        -- A process that beats. Its number is not given again.
        CREATE TABLE workflow.host (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            -- Its last beat, in milliseconds since 1970 by the database's clock; 0 after its end.
            seen bigint NOT NULL
        ) WITH (fillfactor = 50);

        -- Sessions whose workers one host runs.
        CREATE TABLE workflow.partition (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            owner bigint NOT NULL,
            -- Rises when another host takes it over.
            epoch bigint NOT NULL
        ) WITH (fillfactor = 50);

        -- The sessions that were changed by another host than the one that runs their workers.
        CREATE TABLE workflow.notice (session bigint PRIMARY KEY);

        \(beat)
        """

    /// A beat is one statement, so that a host that stops in the middle of it holds no locks.
    ///
    /// A take-over waits for the changes that are being stored by the host that loses the
    /// partition, since these lock its row. Later ones find another epoch. So each session with
    /// workers is among those that were taken over, or is nobody's and adopted.
    private static let beat = """
        CREATE FUNCTION workflow.beat(known bigint, patience bigint)
        RETURNS TABLE (kind text, number bigint, value bigint) LANGUAGE plpgsql AS $$
        DECLARE
            clock bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
            earliest bigint := clock - patience;
            latest bigint := clock + patience;
            own_seen bigint;
            me bigint := known;
            own bigint;
            own_epoch bigint;
            gone bigint[];
        BEGIN
            -- A beat that a crash takes back is none that anybody needs.
            PERFORM set_config('synchronous_commit', 'off', true);
            SELECT h.seen INTO own_seen FROM workflow.host h WHERE h.number = known;
            -- One that was late itself cannot tell of the others, but for those that have left.
            IF own_seen IS NOT NULL AND own_seen NOT BETWEEN earliest AND latest THEN
                earliest := 1;
                latest := 9223372036854775807;
            END IF;
            UPDATE workflow.host h SET seen = clock WHERE h.number = known;
            IF NOT FOUND THEN
                INSERT INTO workflow.host (seen) VALUES (clock) RETURNING host.number INTO me;
            END IF;
            kind := 'host'; number := me; value := 0; RETURN NEXT;

            PERFORM FROM workflow.partition p WHERE NOT EXISTS (
                SELECT FROM workflow.host h WHERE h.number = p.owner
                    AND (h.number = me OR h.seen BETWEEN earliest AND latest));
            IF FOUND THEN
                -- One host at a time takes over, and sees what the last one did, however long it
                -- had to wait for that.
                LOCK TABLE workflow.partition IN SHARE ROW EXCLUSIVE MODE;
                IF earliest > 1 THEN
                    clock := floor(extract(epoch FROM clock_timestamp()) * 1000);
                    earliest := clock - patience;
                    latest := clock + patience;
                END IF;
                WITH taken AS (
                    UPDATE workflow.partition p SET owner = me, epoch = p.epoch + 1
                    WHERE NOT EXISTS (
                        SELECT FROM workflow.host h WHERE h.number = p.owner
                            AND (h.number = me OR h.seen BETWEEN earliest AND latest))
                    RETURNING p.number)
                SELECT array_agg(taken.number) INTO gone FROM taken;
                RETURN QUERY SELECT 'taken', s.number, s.wake_at FROM workflow.session s
                    WHERE s.partition = ANY (gone) AND s.wake_at IS NOT NULL;
            END IF;
            DELETE FROM workflow.host h
            WHERE h.number <> me AND h.seen NOT BETWEEN earliest AND latest;

            -- The one that it made, so that a beat whose answer is lost makes it no other.
            SELECT p.number, p.epoch INTO own, own_epoch FROM workflow.partition p
                WHERE p.owner = me AND p.epoch = 1;
            IF NOT FOUND THEN
                INSERT INTO workflow.partition (owner, epoch) VALUES (me, 1)
                    RETURNING partition.number, epoch INTO own, own_epoch;
            END IF;
            kind := 'partition'; number := own; value := own_epoch; RETURN NEXT;
            DELETE FROM workflow.partition p WHERE p.owner = me AND p.number <> own
                AND NOT EXISTS (SELECT FROM workflow.session s WHERE s.partition = p.number);

            RETURN QUERY WITH adopted AS (
                UPDATE workflow.session s SET partition = own
                WHERE s.ctid = ANY (ARRAY(
                    SELECT n.ctid FROM workflow.session n WHERE n.partition = 0 LIMIT 2000))
                RETURNING s.number, s.wake_at)
                SELECT 'taken', adopted.number, adopted.wake_at FROM adopted;
            IF EXISTS (SELECT FROM workflow.host h WHERE h.number <> me) THEN
                kind := 'others'; number := 0; value := 0; RETURN NEXT;
            END IF;
            RETURN QUERY WITH taken AS (
                DELETE FROM workflow.notice n WHERE n.session IN (
                    SELECT s.number FROM workflow.notice m
                    JOIN workflow.session s ON s.number = m.session
                    LEFT JOIN workflow.partition p ON p.number = s.partition
                    WHERE p.owner IS NULL OR p.owner = me)
                RETURNING n.session)
                SELECT 'changed', taken.session, 0::bigint FROM taken;
            -- The others see the beat at its end, which may be late if there was much to take.
            UPDATE workflow.host h SET seen = floor(extract(epoch FROM clock_timestamp()) * 1000)
            WHERE h.number = me AND h.seen < extract(epoch FROM clock_timestamp()) * 1000 - 100;
        END
        $$;
        """
}
