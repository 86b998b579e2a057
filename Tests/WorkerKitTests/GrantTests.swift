import Foundation
import PlainValue
import PluginStage
import TestSupport
import Testing
import WorkerKit

@Suite struct GrantTests {
    private static func makeFolder() throws -> Folder {
        let folder = try Folder([
            "data/a.txt": "text", "database/b.txt": "text", "secret.txt": "text",
        ])
        try folder.makeFolder("data/inner")
        return folder
    }

    private func allows(_ grants: Grants, _ access: Access) -> Bool {
        (try? grants.check(access)) != nil
    }

    @Test func nothingIsGrantedUnlessItIsSaid() throws {
        let folder = try Self.makeFolder()
        #expect(!allows(try folder.grants(), .fileRead("data/a.txt")))
        #expect(!allows(try folder.grants("file.write=data"), .fileRead("data/a.txt")))
        #expect(!allows(try folder.grants("file.read=data"), Access("file.read", nil)))
    }

    @Test func aFolderIsGrantedWithAllInIt() throws {
        let folder = try Self.makeFolder()
        let grants = try folder.grants("file.read=./data")
        #expect(try grants.check(.fileRead("data/a.txt")) == "\(folder.path)/data/a.txt")
        #expect(allows(grants, .fileRead("data")))
        #expect(allows(grants, .fileRead("data/inner/../a.txt")))
        #expect(allows(grants, .fileRead("\(folder.path)/data/a.txt")))
        #expect(allows(try folder.grants("file=data"), .fileWrite("data/a.txt")))
        #expect(allows(try folder.grants("file.read"), .fileRead("/etc/passwd")))
        #expect(try Grant("file.read", "usr").placed(in: "/") == Grant("file.read", "/usr"))
    }

    @Test func whatDoesNotExistYetMayBeWritten() throws {
        let folder = try Self.makeFolder()
        let grants = try folder.grants("file.write=data")
        #expect(try grants.check(.fileWrite("data/new/./c.txt")) == "\(folder.path)/data/new/c.txt")
        #expect(!allows(grants, .fileWrite("data/new/../../secret.txt")))
        #expect(!allows(grants, .fileWrite("data/a.txt/c.txt")))
    }

    @Test func aFolderWhoseNameBeginsTheSameIsDenied() throws {
        let folder = try Self.makeFolder()
        #expect(!allows(try folder.grants("file.read=data"), .fileRead("database/b.txt")))
    }

    @Test func dotsAndAbsolutePathsThatLeadOutsideAreDenied() throws {
        let folder = try Self.makeFolder()
        let grants = try folder.grants("file.read=data")
        #expect(!allows(grants, .fileRead("data/../secret.txt")))
        #expect(!allows(grants, .fileRead("data/inner/../../secret.txt")))
        #expect(!allows(grants, .fileRead("\(folder.path)/secret.txt")))
        #expect(!allows(grants, .fileRead("/etc/passwd")))
        #expect(!allows(grants, .fileRead("")))
        #expect(!allows(grants, .fileRead("data/a.txt\u{0}/../../secret.txt")))
    }

    @Test func linksThatLeadOutsideAreDenied() throws {
        let folder = try Self.makeFolder()
        let grants = try folder.grants("file=data")
        try folder.link("data/out", to: "..")
        try folder.link("data/secret", to: "../secret.txt")
        try folder.link("data/nowhere", to: "/tmp/not-there-\(UUID())")
        #expect(!allows(grants, .fileRead("data/secret")))
        #expect(!allows(grants, .fileRead("data/out/secret.txt")))
        #expect(!allows(grants, .fileWrite("data/out/new.txt")))
        #expect(!allows(grants, .fileWrite("data/nowhere")))
        #expect(!allows(grants, .fileWrite("data/nowhere/new.txt")))
    }

    @Test func aLinkThatStaysInsideIsGrantedAsWhatItLeadsTo() throws {
        let folder = try Self.makeFolder()
        try folder.link("data/inside", to: "a.txt")
        try folder.link("alias", to: "data")
        #expect(
            try folder.grants("file.read=alias").check(.fileRead("data/inside"))
                == "\(folder.path)/data/a.txt")
    }

    @Test func theDetoursOfProcAreDenied() throws {
        let folder = try Self.makeFolder()
        let grants = try folder.grants("file.read=data")
        #expect(!allows(grants, .fileRead("/proc/self/root\(folder.path)/secret.txt")))
        #expect(!allows(grants, .fileRead("/proc/self/environ")))
        #expect(!allows(try folder.grants("file.read=/proc/self"), .fileRead("/proc/self/cwd")))
    }

    @Test func theErrorNamesTheGrantThatIsMissing() throws {
        let folder = try Self.makeFolder()
        let help = #"grant it with Grant("process", "it's; rm")"#
        #expect(
            throws: WorkerError("not_granted", "process=it's; rm is not granted", help: help)
        ) { try folder.grants("file.read=data").check(.process("it's; rm")) }
        #expect(
            throws: WorkerError(
                "not_granted", "http is not granted", help: #"grant it with Grant("http")"#)
        ) { try Grants().check(Access("http", nil)) }
    }

    @Test func onTheCommandLineTheErrorNamesTheOptionThatWouldGrant() throws {
        let folder = try Self.makeFolder()
        try folder.link("data/it's", to: "../secret.txt")
        var grants = try folder.grants("file.read=data")
        grants.option = "--allow"
        grants = grants.adding([])
        #expect(
            throws: WorkerError(
                "not_granted", "file.read=\(folder.path)/secret.txt is not granted",
                help: "grant it with --allow file.read=\(folder.path)/secret.txt")
        ) { try grants.check(.fileRead("data/it's")) }
        #expect(
            throws: WorkerError(
                "not_granted", "process=it's; rm is not granted",
                help: #"grant it with --allow 'process=it'\''s; rm'"#)
        ) { try grants.check(.process("it's; rm")) }
    }

    @Test func aHostIsGrantedInAnyCaseAndOnAnyPort() throws {
        let grants = Grants([try Grant(parsing: "http=API.example.com")])
        #expect(
            try grants.check(.http(url: "https://api.example.com/x?y")) == "api.example.com:443")
        #expect(
            try grants.check(.http(url: "http://Api.Example.com.:8080")) == "api.example.com:8080")
    }

    @Test func aGrantWithAPortIsForThatPort() throws {
        let grants = Grants([try Grant(parsing: "http=localhost:8080")])
        #expect(allows(grants, try .http(url: "http://localhost:8080/")))
        #expect(!allows(grants, try .http(url: "http://localhost/")))
        let ipv6 = Grants([try Grant(parsing: "http=[::1]:80")])
        #expect(allows(ipv6, try .http(url: "http://[::1]/")))
        #expect(!allows(ipv6, try .http(url: "http://[::1]:81/")))
    }

    @Test(arguments: [
        "http://127.1/", "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/",
        "http://localhost/", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://0.0.0.0/",
        "http://127.0.0.1.nip.io/", "http://api.example.com.evil.com/", "http://xapi.example.com/",
        "http://example.com/",
    ]) func otherSpellingsOfAHostAreDenied(url: String) throws {
        let grants = Grants([
            try Grant(parsing: "http=127.0.0.1"), try Grant(parsing: "http=api.example.com"),
        ])
        #expect(!allows(grants, try .http(url: url)))
    }

    @Test(arguments: [
        "api.example.com", "ftp://api.example.com/", "http:///x", "http://",
        "http://api.example.com@evil.com/", "http://evil.com\\@api.example.com/",
        "http://api.example.com:99999/", "http://a b/", "http://ａpi.example.com/",
        "http://api.example.com:80:80/", "http://[::1/", "http://api.example.com\n.evil.com/",
    ]) func urlsThatReadersDifferAboutAreRefused(url: String) {
        #expect(
            throws: WorkerError(
                "bad_input", "\(url.debugDescription) is not a URL of http or https")
        ) { try Access.http(url: url) }
    }

    @Test func anyOtherKindAllowsExactlyItsTarget() throws {
        let grants = Grants([try Grant(parsing: "process=git")])
        #expect(allows(grants, .process("git")))
        #expect(!allows(grants, .process("/usr/bin/git")))
        #expect(!allows(grants, .process("git2")))
        #expect(!allows(grants, Access("process", nil)))
    }

    @Test(arguments: [
        ("", "'' is not a grant", help: "write a kind and a target, such as http=api.example.com"),
        (
            "Http=x", "'Http=x' is not a grant",
            help: "write a kind and a target, such as http=api.example.com"
        ),
        (
            "http=", "the grant 'http=' has no target after '='",
            help: "write http alone to grant all of it"
        ),
        (
            "http=https://x", "'https://x' is not the name of a host",
            help: "write it as in http=api.example.com or http=localhost:8080"
        ),
    ]) func aTextThatIsNoGrantIsRefused(text: String, message: String, help: String) {
        let error = #expect(throws: WorkerError.self) { try Grant(parsing: text) }
        #expect(error == WorkerError("bad_grant", message, help: help))
    }

    @Test func needsAreReadFromTheInput() throws {
        let url = WorkerNeed("http={url}")
        #expect(
            try url.accesses(of: ["url": "https://a.example"]) == [Access("http", "a.example:443")])
        #expect(try url.accesses(of: [:]).isEmpty)
        #expect(
            try WorkerNeed("file.read={paths}").accesses(of: ["paths": ["a", "b"]])
                == [.fileRead("a"), .fileRead("b")])
        #expect(try WorkerNeed("process=git").accesses(of: nil) == [.process("git")])
        #expect(try WorkerNeed("sqlite").accesses(of: nil) == [Access("sqlite", nil)])
    }
}
