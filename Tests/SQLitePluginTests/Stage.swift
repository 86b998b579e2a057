import PluginStage
import SQLite

extension Stage {
    /// A stage for the workers of the plugin.
    init(allowing grants: [String], in folder: String) throws {
        try self.init(SQLitePlugin.plugin, allowing: grants, in: folder)
    }
}
