// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "notes",
    platforms: [.macOS(.v15)],
    dependencies: [
        // In a package of your own, the repository's URL and a version.
        .package(name: "swift-workflow-script", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "first-steps",
            dependencies: [
                .product(name: "WorkflowKit", package: "swift-workflow-script")
            ]),
        .target(
            name: "NotesCore",
            dependencies: [
                .product(name: "WorkflowKit", package: "swift-workflow-script"),
                .product(name: "WorkflowStore", package: "swift-workflow-script"),
                .product(name: "WorkerKit", package: "swift-workflow-script"),
                .product(name: "WorkflowPlugins", package: "swift-workflow-script"),
                .product(name: "WorkflowLua", package: "swift-workflow-script"),
                .product(name: "Workflow", package: "swift-workflow-script"),
                .product(name: "PlainValue", package: "swift-workflow-script"),
            ]),
        .executableTarget(name: "notes", dependencies: ["NotesCore"]),
        .testTarget(name: "NotesTests", dependencies: ["NotesCore"]),
    ]
)
