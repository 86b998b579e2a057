// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

func product(_ name: String) -> Target.Dependency {
    .product(name: name, package: "swift-workflow-script")
}

// Built by Scripts/bench and Scripts/bench sessions, which say what is measured.
let package = Package(
    name: "benchmarks", platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-workflow-script", path: "../.."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CLuaLibrary", pkgConfig: "lua5.4",
            providers: [.apt(["liblua5.4-dev"]), .brew(["lua@5.4"])]),
        // The same work as a flow's, by a C program over Lua and nothing else.
        .target(name: "CLuaFloor", dependencies: ["CLuaLibrary"]),
        .target(name: "CAllocationCount"),
        .executableTarget(
            name: "workflow-bench",
            dependencies: [
                "CAllocationCount", "CLuaFloor", product("Workflow"), product("WorkflowKit"),
                product("WorkflowLua"), product("WorkflowPlugins"), product("WorkerKit"),
                product("LuaVM"), product("PlainValue"),
            ], swiftSettings: settings),
        .executableTarget(
            name: "workflow-store-bench",
            dependencies: [
                product("WorkflowStore"), product("WorkflowKit"), product("LuaVM"),
                product("PlainValue"), .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
    ]
)
