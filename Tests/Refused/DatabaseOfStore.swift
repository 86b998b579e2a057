import WorkflowStore

// Only the store reads and writes its database, in transactions that hosts agree on.
func open(_ store: SQLiteSessionStore) {
    print(store.pool)  // error: 'pool' is inaccessible due to 'internal' protection level
}
