import Foundation
import LibC
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

@Suite struct WrittenFilesTests {
    @Test func aLinkStaysOne() throws {
        let folder = try Folder()
        try folder.write("old", to: "there/file.json")
        try folder.link("link.json", to: "there/file.json")
        try writeFile("new", to: folder.path("link.json"))
        #expect(try folder.text(of: "there/file.json") == "new")
        let target = try FileManager.default.destinationOfSymbolicLink(
            atPath: folder.path("link.json"))
        #expect(target == "there/file.json")
        #expect(try folder.names(in: "there") == ["file.json"])
    }

    @Test func aFolderStays() throws {
        let folder = try Folder()
        try folder.makeFolder("there")
        let path = folder.path("there")
        let error = #expect(throws: FlowError.self) { try writeFile("new", to: path) }
        #expect(error?.message == "\(path) cannot be written: Is a directory")
        #expect(try folder.names() == ["there"])
    }

    /// As for a device, which a superuser could replace by a file.
    @Test func aPipeIsWrittenTo() throws {
        let folder = try Folder()
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDWR)
        defer { close(reader) }
        try writeFile("new", to: path)
        #expect(try folder.names() == ["pipe"])
        var status = stat()
        #expect(fstat(reader, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
        var bytes = [UInt8](repeating: 0, count: 10)
        let present = open(path, O_RDWR | O_NONBLOCK)
        defer { close(present) }
        let count = read(present, &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self) == "new")
    }
}
