import CLuaBridge

extension LuaVM {
    /// The release of the loaded Lua library, such as `5.4.4`.
    ///
    /// It may differ from the release at build time. It is `5.4` if the library does not tell.
    public static let release = release(in: lb_lua_ident().map { String(cString: $0) } ?? "")

    /// The harm that a script can do to its host through bugs of the ``release``, each as a
    /// sentence without a full stop.
    ///
    /// It omits bugs that a script cannot reach in a VM, or that harm only the script.
    /// The guide "Bugs of Lua 5.4" lists all of them.
    public static let openBugs = openBugs(of: release)

    /// The release named by a library's own identity: `$LuaVersion: Lua 5.4.4  Copyright …`.
    package static func release(in identity: String) -> String {
        let words = identity.split(separator: " ", maxSplits: 3)
        guard words.count > 2, words[0] == "$LuaVersion:", words[1] == "Lua",
            words[2].hasPrefix("5.4."), words[2].utf8.count > 4,
            words[2].utf8.dropFirst(4).allSatisfy({ (0x30...0x39).contains($0) })
        else { return "5.4" }
        return String(words[2])
    }

    package static func openBugs(of release: String) -> [String] {
        bugs.filter { $0.releases.contains(release) }.map(\.harm)
    }

    private static let bugs: [(releases: Set<String>, harm: String)] = [
        (["5.4.0"], "a collection of garbage can free what is in use"),
        (
            ["5.4.0", "5.4.1", "5.4.2"],
            "a coroutine that has failed can be resumed, with values from outside of its stack"
        ),
        (["5.4.5"], "closing a coroutine follows a pointer that is none"),
    ]
}
