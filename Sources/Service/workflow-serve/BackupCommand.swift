import ArgumentParser
import FlowPrinting
import FlowService
import Terminal
import WorkflowCommand
import WorkflowLua
import WorkflowStore

/// `workflow-run serve backup`: copies a store that is in use.
struct BackupCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies the sessions of a service to a new file.",
        usage: "workflow-run serve backup <store> <to>",
        discussion: """
              workflow-run serve backup /var/lib/workflow/sessions.db sessions-copy.db

            The copy has one moment of the store, with everything that was acknowledged before the \
            copy began. A service may be using the store meanwhile. Exits with 0, or 64 usage, 66 \
            no store, or the copy cannot be written.
            """)

    @Argument(help: "The file in which the sessions are kept.", completion: .file())
    var store: String

    @Argument(help: "The new file.", completion: .file())
    var to: String

    @Option(help: ColorChoice.help) var color = ColorChoice.auto

    func perform() async throws -> ExitStatus {
        guard !ServiceOptions.isDatabase(store) else {
            throw FlowError(
                .misuse, "a database is backed up by its own programs",
                help: "use pg_dump --schema=workflow, or base backups and the archive of its log")
        }
        do throws(StoreError) {
            let store = try SQLiteSessionStore(reading: store)
            try await store.backup(to: to)
            try store.close()
        } catch {
            throw FlowError(error)
        }
        return .success
    }
}
