import GRDB

/// The tables of a store. A released migration never changes; changes are new migrations.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in try db.execute(sql: version1) }
        migrator.registerMigration("2") { db in try db.execute(sql: version2) }
        migrator.registerMigration("3") { db in try db.execute(sql: version3) }
        migrator.registerMigration("4") { db in try db.execute(sql: version4) }
        return migrator
    }

    static let version1 = """
        CREATE TABLE session (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            flow TEXT NOT NULL,
            -- Rises by one with each change.
            version INTEGER NOT NULL,
            -- Where it stands; below step_count after an undo.
            step INTEGER NOT NULL,
            step_count INTEGER NOT NULL,
            -- Milliseconds since 1970.
            created INTEGER NOT NULL,
            updated INTEGER NOT NULL
        ) STRICT;

        -- The input that leads to a step, as JSON.
        CREATE TABLE input (
            session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
            step INTEGER NOT NULL,
            document TEXT NOT NULL,
            PRIMARY KEY (session, step)
        ) STRICT, WITHOUT ROWID;

        -- The session at a step, as JSON.
        CREATE TABLE snapshot (
            session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
            step INTEGER NOT NULL,
            document TEXT NOT NULL,
            PRIMARY KEY (session, step)
        ) STRICT;

        CREATE INDEX session_updated ON session (updated);
        """

    static let version2 = """
        -- The id of the last change.
        ALTER TABLE session ADD COLUMN change INTEGER NOT NULL DEFAULT 0;
        -- The hash of the flow's files.
        ALTER TABLE session ADD COLUMN code TEXT;
        -- When it wants to be in memory again, in milliseconds since 1970; 0 for at once.
        ALTER TABLE session ADD COLUMN wake_at INTEGER;
        -- Milliseconds since 1970. Inputs of version 1 have none: their documents have it.
        ALTER TABLE input ADD COLUMN time INTEGER;

        -- It would be written with each input.
        DROP INDEX session_updated;
        -- Its rows are in the order of the numbers, too.
        CREATE INDEX session_flow ON session (flow);
        CREATE INDEX session_wake_at ON session (wake_at) WHERE wake_at IS NOT NULL;

        -- A completed request. A key that is a UUID is a BLOB of 16 bytes, others are TEXT.
        CREATE TABLE receipt (
            session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
            key ANY NOT NULL,
            digest INTEGER NOT NULL,
            step INTEGER NOT NULL,
            input_count INTEGER NOT NULL,
            -- The version of the session that it came with.
            version INTEGER NOT NULL,
            -- True if the change that it came with discards its step; see cut for later ones.
            is_given_up INTEGER NOT NULL,
            -- Seconds since 1970.
            time INTEGER NOT NULL,
            PRIMARY KEY (session, key)
        ) STRICT, WITHOUT ROWID;

        -- The steps after one were discarded by the change to a version. A cut replaces earlier
        -- ones that kept as much or more, so of two cuts the one that kept more is the later one.
        CREATE TABLE cut (
            session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE,
            keeping INTEGER NOT NULL,
            version INTEGER NOT NULL,
            PRIMARY KEY (session, keeping)
        ) STRICT, WITHOUT ROWID;

        -- The files of flows: a JSON object of texts by names.
        CREATE TABLE code (
            hash TEXT PRIMARY KEY,
            -- The name of the flow's own file.
            main TEXT NOT NULL,
            files TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    static let version3 = """
        -- The first step that the current files of the flow made or continued from. The steps
        -- before it are kept, and not played.
        ALTER TABLE session ADD COLUMN first_step INTEGER NOT NULL DEFAULT 0;
        """

    static let version4 = """
        -- The version with which it came to its present step, or to its present files.
        ALTER TABLE session ADD COLUMN screen INTEGER NOT NULL DEFAULT 0;
        UPDATE session SET screen = version;

        -- One row: the highest version of a deleted session. New sessions begin above it, so that
        -- a session that gets the id of a deleted one never has its versions.
        CREATE TABLE deleted (version INTEGER NOT NULL) STRICT;
        INSERT INTO deleted VALUES (0);

        -- A process that beats. Its number is not given again.
        CREATE TABLE host (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            -- Its last beat, in milliseconds since 1970 by SQLite's clock; 0 after it has left.
            seen INTEGER NOT NULL
        ) STRICT;

        -- Sessions whose workers one host runs.
        CREATE TABLE partition (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            owner INTEGER NOT NULL,
            -- Rises when another host takes it over.
            epoch INTEGER NOT NULL
        ) STRICT;

        -- The sessions that were changed by another host than the one that runs their workers.
        CREATE TABLE notice (
            session INTEGER PRIMARY KEY REFERENCES session (number) ON DELETE CASCADE
        ) STRICT;

        -- The partition of a session with a wake_at.
        ALTER TABLE session ADD COLUMN partition INTEGER;
        DROP INDEX session_wake_at;
        CREATE INDEX session_wake_at ON session (partition, wake_at) WHERE wake_at IS NOT NULL;
        """
}
