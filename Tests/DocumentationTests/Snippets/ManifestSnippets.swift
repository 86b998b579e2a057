import TestSupport
import Testing

/// The manifest that pages show is one that the package manager reads.
@Suite struct ManifestSnippets {
    private let manifest = """
        // swift-tools-version: 6.3
        import PackageDescription

        let package = Package(
            name: "shop",
            platforms: [.macOS(.v15)],
            dependencies: [
                .package(
                    url: "https://github.com/OWNER/swift-workflow-script", .upToNextMinor(from: "0.1.0"),
                    traits: [])
            ],
            targets: [
                .executableTarget(
                    name: "shop",
                    dependencies: [.product(name: "WorkflowKit", package: "swift-workflow-script")])
            ]
        )
        """

    @Test func aPackageDependsOnAVersion() async throws {
        let stage = try CommandFolder()
        try stage.write(manifest, to: "Package.swift")
        let (shown, status) = try await stage.run(
            Command(text: "swift package --disable-sandbox dump-package"))
        #expect(status == 0, "\(shown.joined(separator: "\n"))")
        #expect(shown.contains { $0.contains(#""upperBound" : "0.2.0""#) })
    }

    /// A release changes the version of the program, and what pages say of it.
    @Test func theVersionIsThatOfTheProgram() async throws {
        let stage = try CommandFolder()
        let (shown, _) = try await stage.run(Command(text: "workflow-run --version"))
        let version = try #require(shown.first?.split(separator: " ").dropFirst().first)
        #expect(manifest.contains(#".upToNextMinor(from: "\#(version)")"#))
    }
}
