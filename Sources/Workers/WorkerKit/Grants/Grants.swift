/// The permissions of the workers of a session; none by default.
///
/// - `http=HOST` allows requests to exactly this host, `http=HOST:PORT` to this port of it.
/// - `file.read=PATH` and `file.write=PATH` allow a file, or a folder with its contents.
///   `file=PATH` allows both. Links are followed before paths are compared.
/// - `process=NAME` allows the program that the search path has for this name, and no path.
///   `process=PATH` allows this file under this name, with links followed.
/// - Any other kind allows exactly its target.
/// - A kind without a target allows all targets.
public struct Grants: Sendable, Hashable {
    /// The permissions.
    public let all: [Grant]
    /// The absolute path of the folder for relative paths.
    public let folder: String
    /// The option of the command line that the help of refusals names; `nil` in other programs.
    package var option: String?

    /// Makes permissions, none by default.
    ///
    /// ```swift
    /// let grants = Grants([Grant("file.read", "notes"), Grant("http")], folder: "/srv")
    /// ```
    ///
    /// - Parameter folder: The folder for relative paths; the current folder by default.
    public init(_ grants: [Grant] = [], folder: String? = nil) {
        all = grants
        self.folder = folder ?? FilePath.currentFolder
    }

    /// Checks that `access` is permitted.
    ///
    /// ```swift
    /// try Grants().check(.process("git"))  // throws process=git is not granted
    /// ```
    ///
    /// - Returns: The target to use: for a file or a program's path the absolute path with links
    ///   resolved, otherwise the target in its compared form.
    /// - Throws: A ``WorkerError`` with the code `not_granted` that names the missing ``Grant``.
    @discardableResult
    public func check(_ access: Access) throws(WorkerError) -> String {
        guard let target = access.target else {
            guard all.contains(where: { covers($0, access.kind) && $0.target == nil }) else {
                throw refusal(of: access)
            }
            return ""
        }
        var named = access
        var result: String?
        let isAllowed: (Grant) -> Bool
        if access.isOfFile {
            guard let path = FilePath.resolve(target, from: folder) else {
                throw refusal(of: access)
            }
            named.target = path
            isAllowed = { allows($0, path: path) }
        } else if access.kind == "http" {
            guard let host = HostName(target) else { throw refusal(of: access) }
            named.target = host.description
            isAllowed = { allows($0, host: host) }
        } else if access.kind == "process", ProgramPath.isPath(target) {
            guard let program = ProgramPath(target, from: folder) else { throw refusal(of: access) }
            named.target = program.path
            result = program.file
            isAllowed = { grant in
                grant.target.map { program.isAllowed(by: $0, from: folder) } ?? true
            }
        } else {
            isAllowed = { $0.target == nil || $0.target == target }
        }
        for grant in all where covers(grant, access.kind) && isAllowed(grant) {
            return result ?? named.target ?? target
        }
        throw refusal(of: named)
    }

    /// Returns these permissions and more, with the same folder.
    ///
    /// ```swift
    /// let more = grants.adding([Grant("process", "git")])
    /// ```
    public func adding(_ more: [Grant]) -> Grants {
        var grants = Grants(all + more, folder: folder)
        grants.option = option
        return grants
    }

    /// The access with its target in the form that is compared, such as an absolute path without
    /// links. A target that leads nowhere stays unchanged.
    package func compared(_ access: Access) -> Access {
        guard let target = access.target else { return access }
        var compared = access
        if access.isOfFile {
            compared.target = FilePath.resolve(target, from: folder) ?? target
        } else if access.kind == "http" {
            compared.target = HostName(target)?.description ?? target
        } else if access.kind == "process", ProgramPath.isPath(target) {
            compared.target = ProgramPath(target, from: folder)?.path ?? target
        }
        return compared
    }

    private func refusal(of access: Access) -> WorkerError {
        // As a literal of Swift, in which an apostrophe needs no backslash.
        let target = access.target?.debugDescription.replacing(#"\'"#, with: "'")
        let swift = "Grant(\(access.kind.debugDescription)\(target.map { ", \($0)" } ?? ""))"
        let grant = option.map { "\($0) \(access.description.shellQuoted)" } ?? swift
        return .notGranted(access, help: "grant it with \(grant)")
    }

    package func haveAny(of kind: String) -> Bool { all.contains { covers($0, kind) } }

    private func covers(_ grant: Grant, _ kind: String) -> Bool {
        grant.kind == kind || grant.kind == "file" && kind.hasPrefix("file.")
    }

    private func allows(_ grant: Grant, path: String) -> Bool {
        guard let target = grant.target else { return true }
        guard let root = FilePath.resolve(target, from: folder) else { return false }
        return path == root || path.hasPrefix(root == "/" ? "/" : root + "/")
    }

    private func allows(_ grant: Grant, host: HostName) -> Bool {
        guard let target = grant.target else { return true }
        guard let granted = HostName(target) else { return false }
        return granted.name == host.name && (granted.port == nil || granted.port == host.port)
    }
}

extension WorkerError {
    static func notGranted(_ access: Access, help: String? = nil) -> WorkerError {
        WorkerError("not_granted", "\(access) is not granted", help: help)
    }
}
