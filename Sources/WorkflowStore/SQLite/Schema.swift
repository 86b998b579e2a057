import GRDB

/// The tables of a store. A migration that was released is never changed; what is new is a further one.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(
                sql: """
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
                    """)
        }
        return migrator
    }
}
