import PlainValue
import RawHTTP
import Testing
import TestSupport

@testable import InspectorServer

struct SiteTests {
    @Test func thePageComesOnceOnlyAndWithRulesForTheBrowser() async throws {
        let site = try await Site()
        let page = try await site.ask(.get("/"))
        #expect(page.status == 200)
        #expect(page.header("Content-Type") == "text/html; charset=utf-8")
        #expect(page.header("Cache-Control") == "no-cache")
        #expect(page.body == (try Repository.text("Sources/Web/CPages/inspector/index.html")))
        let tag = try #require(page.header("ETag"))
        // A weak tag, since it is that of the compressed file too.
        let strong = try #require(tag.wholeMatch(of: #/W/("\w+")/#)).1
        for known in [tag, String(strong), "\"old\", \(tag)", "*"] {
            let again = try await site.ask(.get("/", ["If-None-Match: \(known)"]))
            #expect(again.status == 304, "\(known)")
            #expect(again.body.isEmpty)
        }
        #expect(try await site.ask(.get("/", ["If-None-Match: \"old\""])).status == 200)
        #expect(
            try await site.ask(.get("/dom.js")).header("Content-Type")?.hasPrefix("text/javascript")
                == true)
        #expect(
            try await site.ask(.get("/base.css")).header("Content-Type")?.hasPrefix("text/css")
                == true)
        await site.close()
    }

    @Test func aFileIsCompressedForClientsThatTakeGzip() async throws {
        let site = try await Site()
        let encodings: [(String, String?)] = [
            ("gzip, deflate, br", "gzip"), ("br;q=1, GZIP;q=0.5", "gzip"), ("x-gzip", "gzip"),
            ("*", "gzip"), ("gzip;q=0, *", nil), ("*;q=0", nil), ("gzip; q=0.0", nil),
            ("gzip;q=x", nil), ("identity", nil), ("", nil),
        ]
        let plain = try await site.ask(.get("/store.js"))
        #expect(plain.header("Vary") == "Accept-Encoding")
        #expect(plain.header("Content-Encoding") == nil)
        for (encoding, expected) in encodings {
            let answer = try await site.ask(.get("/store.js", ["Accept-Encoding: \(encoding)"]))
            #expect(answer.header("Content-Encoding") == expected, "\(encoding)")
            #expect(answer.header("Vary") == "Accept-Encoding")
            #expect(answer.header("ETag") == plain.header("ETag"))
            let length = try #require(answer.header("Content-Length").flatMap { Int($0) })
            #expect((length < plain.body.utf8.count) == (expected != nil), "\(encoding)")
        }
        let known = ["Accept-Encoding: gzip", "If-None-Match: \(plain.header("ETag") ?? "")"]
        let again = try await site.ask(.get("/store.js", known))
        #expect(again.status == 304)
        #expect(again.header("Content-Encoding") == nil)
        #expect(again.header("Vary") == "Accept-Encoding")
        let stream = try await site.ask(.get("/stream", ["Accept-Encoding: gzip"]))
        #expect(stream.header("Vary") == nil)
        await site.close()
    }

    @Test(arguments: ["/", "/nothing", "/stream"])
    func allAnswersHaveTheRulesRefusalsToo(_ path: String) async throws {
        let site = try await Site()
        let answer = try await site.ask(.get(path))
        let policy = try #require(answer.header("Content-Security-Policy"))
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; "))
        #expect(policy.hasSuffix("require-trusted-types-for 'script'; trusted-types 'none'"))
        #expect(answer.header("X-Content-Type-Options") == "nosniff")
        #expect(answer.header("Referrer-Policy") == "no-referrer")
        #expect(answer.header("Cross-Origin-Opener-Policy") == "same-origin")
        #expect(answer.header("Cross-Origin-Resource-Policy") == "same-origin")
        #expect(answer.header("Access-Control-Allow-Origin") == nil)
        await site.close()
    }

    @Test func thePageIsServedAtBothAddressesOfThisComputer() async throws {
        let site = try await Site()
        let client: RawClient
        do { client = try await RawClient(port: site.port, host: "::1") } catch {
            // This computer has no IPv6.
            return await site.close()
        }
        client.send(RawRequest(host: "[::1]:\(site.port)").text)
        #expect(RawAnswer(await client.read()).status == 200)
        await site.close()
    }

    @Test func aPortThatIsTakenIsRefused() async throws {
        let site = try await Site()
        let error = await #expect(throws: InspectorFailure.self) {
            var options = InspectorOptions(socket: site.session.path)
            options.port = site.port
            _ = try await InspectorServer(options)
        }
        #expect(
            error?.message
                == "the page cannot be served at port \(site.port): Address already in use")
        await site.close()
    }

    @Test func theFilesOfAFolderAreServedAsTheyAreAndNoneFromElsewhere() async throws {
        let folder = try Folder()
        try folder.makeFolder("page")
        try folder.write("one", to: "page/index.html")
        try folder.write("secret", to: "secret.js")
        try folder.write("hidden", to: "page/.hidden.js")
        try folder.link("page/link.js", to: folder.path("secret.js"))
        try folder.makeFolder("page/folder.js")
        let site = try await Site { $0.folder = folder.path("page") }
        #expect(try await site.ask(.get("/")).body == "one")
        try folder.write("two", to: "page/index.html")
        #expect(try await site.ask(.get("/index.html")).body == "two")
        for path in [
            "/../secret.js", "/%2e%2e/secret.js", "/..%2fsecret.js", "//secret.js", "/link.js",
            "/.hidden.js", "/folder.js", "/./index.html", "/page/../../secret.js",
            "/secret.js%00.html", "/\\..\\secret.js", "/dom.js",
        ] {
            let answer = try await site.ask(.get(path))
            #expect([400, 404].contains(answer.status), "\(path): \(answer)")
            #expect(!answer.body.contains("secret"))
        }
        await site.close()
    }

    @Test func aFolderWithoutAPageIsRefused() async throws {
        let folder = try Folder()
        let error = await #expect(throws: InspectorFailure.self) {
            var options = InspectorOptions(socket: "/nowhere")
            options.folder = folder.path
            _ = try await InspectorServer(options)
        }
        #expect(error?.message == "there is no page in \(folder.path)")
    }
}
