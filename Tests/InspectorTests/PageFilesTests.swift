import CPages
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import InspectorServer

struct PageFilesTests {
    private static let folder = Repository.path("Sources/Web/CPages/inspector")

    private static var files: [String: Data] {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            return try Dictionary(
                uniqueKeysWithValues: names.map { name in
                    (name, try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
                })
        }
    }

    private static var scripts: [String: String] {
        get throws {
            try files.filter { $0.key.hasSuffix(".js") }.mapValues {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }

    @Test func allFilesOfThePageAndNothingElseAreEmbedded() throws {
        var embedded: [String: Data] = [:]
        var index = 0
        while let file = workflow_inspector_file_at(index)?.pointee {
            embedded[String(cString: file.name)] = Data(String(cString: file.text).utf8)
            index += 1
        }
        #expect(embedded.keys.sorted() == (try Self.files.keys.sorted()))
        #expect(try embedded == Self.files)
    }

    @Test func compressedFilesTakeAtMost80KBAndWhatAPageNeedsAtFirst72KB() throws {
        let files = try Self.files
        var sizes: [String: Int] = [:]
        for (name, bytes) in files {
            let file = PageFile(name: name, bytes: ByteBuffer(bytes: bytes), isPart: true)
            sizes[name] = file.sent.gzipped()?.readableBytes
        }
        #expect(sizes.values.reduce(0, +) <= 80 << 10)
        for page in files.keys where page.hasSuffix(".html") {
            // An import loads it, which a service does not need.
            var needed: Set = [page, "protocol.js"]
            var next = Array(needed)
            while let name = next.popLast() {
                let text = String(decoding: files[name] ?? Data(), as: UTF8.self)
                let links = text.matches(of: #/(?:href|src)="([\w.-]+)"/#).map { String($0.1) }
                let imports = text.matches(of: #/import \{[^}]*\} from "\./([\w.-]+)"/#).map {
                    String($0.1)
                }
                for name in links + imports where needed.insert(name).inserted {
                    #expect(files[name] != nil, "\(name)")
                    next.append(name)
                }
            }
            let size = needed.compactMap { sizes[$0] }.reduce(0, +)
            #expect(size <= 72 << 10, "\(page): \(needed.sorted())")
        }
    }

    @Test func commentsAreLeftOutAndNothingElseIs() throws {
        let script = "// a\nlet a; // b\n  /** c */\n  /*\n   * d\n   */\nlet b = 1;\n\n"
        #expect(
            String(buffer: ByteBuffer(string: script).withoutComments())
                == "\nlet a; // b\n\n\n\n\nlet b = 1;\n\n")
        for (name, text) in try Self.scripts {
            let sent = String(buffer: ByteBuffer(string: text).withoutComments())
            let (before, after) = (
                text.split(separator: "\n", omittingEmptySubsequences: false),
                sent.split(separator: "\n", omittingEmptySubsequences: false)
            )
            #expect(before.count == after.count, "\(name)")
            var isInText = false
            for (old, new) in zip(before, after) {
                // A text of several lines has none, nor do texts end in one.
                if old != new {
                    #expect(!isInText && new.isEmpty, "\(name): \(old)")
                    #expect(!old.contains("*/") || old.hasSuffix("*/"), "\(name): \(old)")
                } else if old.count(where: { $0 == "`" }).isMultiple(of: 2) == false {
                    isInText.toggle()
                }
            }
            #expect(!isInText, "\(name)")
        }
    }

    @Test func nothingMakesElementsOrScriptFromText() throws {
        let ways = [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "setHTML",
            "createContextualFragment", "DOMParser", "srcdoc", "javascript:", "new Function",
            "eval(",
        ]
        for (name, bytes) in try Self.files {
            let text = String(decoding: bytes, as: UTF8.self)
            for way in ways {
                // A saved page contains the journal's text, and the word may be in a request.
                let found = text.ranges(of: way).filter { range in
                    way != "eval(" || text[..<range.lowerBound].last.map { !$0.isLetter } ?? true
                }
                #expect(found.isEmpty, "\(way) in \(name)")
            }
        }
        for (name, bytes) in try Self.files where name.hasSuffix(".html") {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.firstMatch(of: #/<[^>]*\s(on[a-z]+|style)\s*=/#) == nil, "\(name)")
            #expect(text.firstMatch(of: #/(src|href)="(https?:)?///#) == nil, "\(name)")
        }
    }

    @Test func modulesCanBeJoinedAsImportsAreOneLineEachAndNamesAreUnique() throws {
        var homes: [String: String] = [:]
        let names = Set(try Self.files.keys)
        for (name, text) in try Self.scripts {
            for line in text.split(separator: "\n") {
                if line.hasPrefix("import") {
                    let match = line.wholeMatch(
                        of: #/import \{ [\w, ]+ \} from "\./([\w-]+\.js)";/#)
                    #expect(match.map { names.contains(String($0.1)) } == true, "\(name): \(line)")
                }
                if line.hasPrefix("export") {
                    let match = line.prefixMatch(
                        of: #/export (async function\*?|function\*?|const|class) /#)
                    #expect(match != nil, "\(name): \(line)")
                }
                let declaration =
                    #/(export )?(async function\*?|function\*?|const|let|var|class) (\w+)/#
                guard let match = line.prefixMatch(of: declaration) else { continue }
                let old = homes.updateValue(name, forKey: String(match.3))
                #expect(old == nil, "\(match.3) in \(name) and \(old ?? "")")
            }
        }
    }
}
