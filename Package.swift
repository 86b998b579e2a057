// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "swift-workflow-script",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Workflow", targets: ["Workflow"]),
        .library(name: "PlainValue", targets: ["PlainValue"]),
        .library(name: "LuaVM", targets: ["LuaVM"]),
        .library(name: "WorkerKit", targets: ["WorkerKit"]),
        .library(name: "WorkflowPlugins", targets: ["WorkflowPlugins"]),
        .library(name: "ClockPlugin", targets: ["Clock"]),
        .library(name: "WorkflowTesting", targets: ["WorkflowTesting"]),
        .library(name: "WorkflowLua", targets: ["WorkflowLua"]),
        .library(name: "WorkflowKit", targets: ["WorkflowKit"]),
        .executable(name: "workflow-run", targets: ["workflow-run"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.7.3"),
        .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.13.1"),
    ],
    targets: [
        .systemLibrary(
            name: "CLua", pkgConfig: "lua5.4",
            providers: [.apt(["liblua5.4-dev"]), .brew(["lua@5.4"])]),
        .target(name: "CLuaBridge", dependencies: ["CLua"]),
        .target(name: "PlainValue", swiftSettings: settings),
        .target(name: "CCurrentExecutor"),
        .target(name: "Workflow", dependencies: ["CCurrentExecutor"], swiftSettings: settings),
        .target(
            name: "LuaVM", dependencies: ["CLuaBridge", "PlainValue"], swiftSettings: settings),
        .target(
            name: "WorkflowLua", dependencies: ["LuaVM", "PlainValue", "WorkerKit", "Workflow"],
            swiftSettings: settings),
        .target(
            name: "WorkflowKit",
            dependencies: [
                "WorkflowLua", "WorkflowPlugins", "LuaVM", "WorkerKit", "PlainValue", "Workflow",
            ],
            swiftSettings: settings),
        .target(
            name: "WorkflowCommand",
            dependencies: [
                "WorkflowKit", "WorkflowLua", "WorkflowPlugins", "WorkerKit", "Clock", "LuaVM",
                "PlainValue",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "workflow-run", dependencies: ["WorkflowCommand"], swiftSettings: settings),
        .target(name: "CAllocationCount"),
        .target(name: "CLuaFloor", dependencies: ["CLua"]),
        .executableTarget(
            name: "workflow-bench",
            dependencies: [
                "Workflow", "WorkflowLua", "LuaVM", "PlainValue", "CAllocationCount", "CLuaFloor",
            ],
            swiftSettings: settings),
        .target(
            name: "WorkflowTesting",
            dependencies: [
                "Workflow", .product(name: "CustomDump", package: "swift-custom-dump"),
                .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
                // Without it a failing tester only prints on Linux, and the test passes.
                .product(name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay"),
            ],
            swiftSettings: settings),
        .target(name: "CWorkflowPlugin"),
        .target(
            name: "WorkerKit", dependencies: ["CWorkflowPlugin", "PlainValue"],
            swiftSettings: settings),
        .target(
            name: "WorkflowPlugins",
            dependencies: ["CWorkflowPlugin", "WorkerKit", "Workflow", "PlainValue"],
            swiftSettings: settings),
        .target(
            name: "Clock", dependencies: ["WorkerKit"], path: "Plugins/Clock",
            exclude: ["README.md"], swiftSettings: settings),
        .testTarget(
            name: "WorkerKitTests", dependencies: ["WorkerKit", "PlainValue"],
            swiftSettings: settings),
        .testTarget(
            name: "WorkflowPluginsTests",
            dependencies: [
                "WorkflowPlugins", "WorkerKit", "CWorkflowPlugin", "Workflow", "PlainValue",
            ],
            exclude: ["Plugins"], swiftSettings: settings),
        .testTarget(
            name: "ClockTests",
            dependencies: ["Clock", "WorkflowPlugins", "WorkerKit", "Workflow", "PlainValue"],
            swiftSettings: settings),
        .testTarget(name: "PlainValueTests", dependencies: ["PlainValue"], swiftSettings: settings),
        .testTarget(
            name: "WorkflowTests", dependencies: ["Workflow", "WorkflowTesting"],
            swiftSettings: settings),
        .testTarget(
            name: "WorkflowTestingTests",
            dependencies: [
                "Workflow", "WorkflowTesting",
                .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "LuaVMTests", dependencies: ["LuaVM", "PlainValue"], exclude: ["Hostile"],
            swiftSettings: settings),
        .testTarget(
            name: "WorkflowLuaTests",
            dependencies: ["WorkflowLua", "LuaVM", "PlainValue", "Workflow"],
            exclude: ["Hostile"], swiftSettings: settings),
        .testTarget(
            name: "WorkflowKitTests",
            dependencies: ["WorkflowKit", "WorkflowLua", "LuaVM", "PlainValue", "Workflow"],
            swiftSettings: settings),
        .testTarget(
            name: "WorkflowCommandTests",
            dependencies: [
                "WorkflowCommand", "WorkflowKit", "WorkflowLua", "PlainValue", "workflow-run",
            ],
            swiftSettings: settings),
    ]
)
