// Scripts/bench sessions [rows by name]: the cost of storing, opening, snapshotting, going back.

let folder = try BenchFolder()
table("an action of a session, in all", try await actionRows(in: folder.path))
table("one session that many call", try await hotSessionRows(in: folder.path))
table("a store of many", try await storeSizeRows(in: folder.path))
table("opening a session", try await openingRows(in: folder.path))
table("many sessions", try await manySessionsRows(in: folder.path))
table("a snapshot", try await snapshotRows())
table("going to another step of 100,000", try await jumpRows())
folder.remove()
