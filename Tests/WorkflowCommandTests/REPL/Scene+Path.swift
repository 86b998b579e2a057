import Foundation

extension Scene {
    /// The path of a file in the scene.
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// The text of a file in the scene.
    func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    /// A scene with a flow whose action `spin` ends only when it is interrupted.
    static func spinning() throws -> Scene {
        try Scene([
            "flow.lua": """
            return {
                state = { n = 0 },
                apply = {
                    spin = function(state)
                        state.n = 1
                        while true do pcall(function() while true do end end) end
                    end,
                    add = function(state) state.n = state.n + 1 end,
                },
                render = function(state) return { n = state.n } end,
            }
            """
        ])
    }
}
