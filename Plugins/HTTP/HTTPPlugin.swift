public import WorkerKit

/// The plugin `http`: requests with complete responses or streams.
///
/// ```swift
/// options.plugins = try WorkerRegistry([HTTPPlugin.plugin])
/// options.grants = Grants([Grant("http", "api.example.com")])
/// ```
///
/// Nothing starts before the first request. All sessions of the process share their connections.
public enum HTTPPlugin {
    /// `http.get`, `http.post`, `http.request`, `http.lines` and `http.events`.
    public static let plugin = Plugin(
        "http", version: "1.0.0",
        workers: [HTTPGet(), HTTPPost(), HTTPRequest(), HTTPLines(), HTTPEvents()])
}
