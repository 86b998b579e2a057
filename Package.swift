// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let http: [Target.Dependency] = [
    .product(name: "AsyncHTTPClient", package: "async-http-client"),
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]
let sqlite: [Target.Dependency] = [
    .product(name: "GRDB", package: "GRDB.swift"),
    .product(name: "GRDBSQLite", package: "GRDB.swift"),
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
        .library(name: "FilePlugin", targets: ["File"]),
        .library(name: "ProcessPlugin", targets: ["Process"]),
        .library(name: "HTTPPlugin", targets: ["HTTP"]),
        .library(name: "SQLitePlugin", targets: ["SQLite"]),
        // What workflow-run loads when a flow first asks for one of their workers.
        .library(name: "workflow-http", type: .dynamic, targets: ["HTTPLibrary"]),
        .library(name: "workflow-sqlite", type: .dynamic, targets: ["SQLiteLibrary"]),
        .library(name: "WorkflowTesting", targets: ["WorkflowTesting"]),
        .library(name: "WorkflowLua", targets: ["WorkflowLua"]),
        .library(name: "WorkflowKit", targets: ["WorkflowKit"]),
        .library(name: "WorkflowStore", targets: ["WorkflowStore"]),
        .executable(name: "workflow-run", targets: ["workflow-run"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // Without its traits it does not bring Foundation.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
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
        .target(name: "CLineEditor"),
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
            name: "WorkflowStore",
            dependencies: [
                "WorkflowKit", "WorkflowLua", "PlainValue",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "workflow-store-bench",
            dependencies: ["WorkflowStore", "WorkflowKit", "LuaVM", "PlainValue"],
            swiftSettings: settings),
        .testTarget(
            name: "WorkflowStoreTests",
            dependencies: [
                "TestSupport", "WorkflowStore", "WorkflowKit", "WorkflowLua", "WorkflowPlugins",
                "WorkerKit",
                "LuaVM", "PlainValue", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .target(name: "Terminal", dependencies: ["CLineEditor"], swiftSettings: settings),
        .target(
            name: "FlowPrinting",
            dependencies: ["WorkflowKit", "WorkflowLua", "WorkerKit", "PlainValue", "Terminal"],
            swiftSettings: settings),
        .target(
            name: "FlowChecking",
            dependencies: [
                "WorkflowLua", "WorkflowPlugins", "WorkerKit", "LuaVM", "PlainValue", "Terminal",
            ],
            swiftSettings: settings),
        .target(
            name: "FlowREPL",
            dependencies: [
                "FlowChecking", "FlowPrinting", "WorkflowKit", "WorkflowLua", "WorkerKit", "LuaVM",
                "PlainValue", "Terminal",
            ],
            swiftSettings: settings),
        .target(
            name: "WorkflowCommand",
            dependencies: [
                "FlowChecking", "FlowPrinting", "FlowREPL", "WorkflowKit", "WorkflowLua",
                "WorkflowPlugins", "WorkerKit", "Clock", "File", "Process", "LuaVM", "PlainValue",
                "Terminal",
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
                "Workflow", "WorkflowKit", "WorkflowLua", "WorkflowPlugins", "WorkerKit", "LuaVM",
                "PlainValue", "CAllocationCount", "CLuaFloor",
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
        .target(
            name: "File", dependencies: ["WorkerKit"], path: "Plugins/File",
            exclude: ["README.md"], swiftSettings: settings),
        .target(
            name: "Process",
            dependencies: [
                "WorkerKit", .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ], path: "Plugins/Process", exclude: ["README.md"], swiftSettings: settings),
        .target(
            name: "HTTP", dependencies: ["WorkerKit", "PlainValue"] + http,
            path: "Plugins/HTTP", exclude: ["README.md", "Library"], swiftSettings: settings),
        .target(
            name: "HTTPLibrary", dependencies: ["HTTP", "WorkerKit"],
            path: "Plugins/HTTP/Library", swiftSettings: settings),
        .target(
            name: "SQLite", dependencies: ["WorkerKit", "PlainValue"] + sqlite,
            path: "Plugins/SQLite", exclude: ["README.md", "Library"], swiftSettings: settings),
        .target(
            name: "SQLiteLibrary", dependencies: ["SQLite", "WorkerKit"],
            path: "Plugins/SQLite/Library", swiftSettings: settings),
        // Runs a worker of a plugin as a session does; for tests.
        .target(
            name: "PluginStage",
            dependencies: ["WorkflowPlugins", "WorkerKit", "Workflow", "PlainValue"],
            path: "Tests/PluginStage", swiftSettings: settings),
        // What tests of several targets need: folders, terminals, the repository; it knows nothing of the product.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        .testTarget(
            name: "HTTPPluginTests",
            dependencies: ["HTTP", "PluginStage", "WorkflowPlugins", "WorkerKit", "PlainValue"]
                + http, swiftSettings: settings),
        .testTarget(
            name: "SQLitePluginTests",
            dependencies: [
                "TestSupport", "SQLite", "PluginStage", "WorkflowPlugins", "WorkerKit",
                "PlainValue",
            ]
                + sqlite, swiftSettings: settings),
        .testTarget(
            name: "ProcessPluginTests",
            dependencies: [
                "TestSupport", "Process", "WorkflowPlugins", "WorkerKit", "Workflow", "PlainValue",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "FilePluginTests",
            dependencies: [
                "TestSupport", "File", "WorkflowPlugins", "WorkerKit", "Workflow", "PlainValue",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WorkerKitTests", dependencies: ["TestSupport", "WorkerKit", "PlainValue"],
            swiftSettings: settings),
        .testTarget(
            name: "WorkflowPluginsTests",
            dependencies: [
                "TestSupport", "WorkflowPlugins", "WorkerKit", "CWorkflowPlugin", "Workflow",
                "PlainValue",
                "workflow-run",
            ],
            exclude: ["Plugins"], swiftSettings: settings),
        .testTarget(
            name: "ClockTests",
            dependencies: ["Clock", "WorkflowPlugins", "WorkerKit", "Workflow", "PlainValue"],
            swiftSettings: settings),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "TestSupport", "WorkflowKit", "WorkflowStore", "WorkflowLua", "WorkflowPlugins",
                "WorkerKit",
                "Workflow", "Clock", "File", "LuaVM", "PlainValue", "workflow-run",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "PlainValueTests", dependencies: ["TestSupport", "PlainValue"],
            swiftSettings: settings),
        .testTarget(
            name: "WorkflowTests", dependencies: ["TestSupport", "Workflow", "WorkflowTesting"],
            swiftSettings: settings),
        .testTarget(
            name: "WorkflowTestingTests",
            dependencies: [
                "Workflow", "WorkflowTesting",
                .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "LuaVMTests", dependencies: ["TestSupport", "LuaVM", "PlainValue"],
            exclude: ["Hostile"],
            swiftSettings: settings),
        .testTarget(
            name: "WorkflowLuaTests",
            dependencies: ["TestSupport", "WorkflowLua", "LuaVM", "PlainValue", "Workflow"],
            exclude: ["Attacks", "Hostile"], swiftSettings: settings),
        .testTarget(
            name: "WorkflowKitTests",
            dependencies: [
                "TestSupport", "WorkflowKit", "WorkflowLua", "WorkflowPlugins", "WorkerKit",
                "Clock", "LuaVM",
                "PlainValue", "Workflow",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WorkflowCommandTests",
            dependencies: [
                "TestSupport", "WorkflowCommand", "FlowChecking", "FlowPrinting", "FlowREPL",
                "Terminal", "WorkflowKit", "WorkflowLua", "WorkflowPlugins", "WorkerKit", "LuaVM",
                "PlainValue", "Workflow", "workflow-run",
            ],
            exclude: ["Golden"], swiftSettings: settings),
    ]
)

// What touches Lua and its tests, which need no other package: Scripts/sanitize builds nothing else.
if Context.environment["WORKFLOW_SANITIZED"] != nil {
    let names: Set = [
        "CCurrentExecutor", "CLua", "CLuaBridge", "CWorkflowPlugin", "Clock", "LuaVM", "LuaVMTests",
        "PlainValue", "PlainValueTests", "TestSupport", "WorkerKit", "Workflow", "WorkflowKit",
        "WorkflowKitTests", "WorkflowLua", "WorkflowLuaTests", "WorkflowPlugins",
    ]
    package.targets.removeAll { !names.contains($0.name) }
    package.products = []
    package.dependencies = []
}
