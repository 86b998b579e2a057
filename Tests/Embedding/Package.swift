// swift-tools-version: 6.3
import PackageDescription

let products: [Target.Dependency] = [
    // Sessions of flows, with everything that a session can do.
    .product(name: "WorkflowKit", package: "swift-workflow-script"),
    // The typed runtime: native workflows, hosts, sinks.
    .product(name: "Workflow", package: "swift-workflow-script"),
    // Workflows of Lua scripts.
    .product(name: "WorkflowLua", package: "swift-workflow-script"),
    // The values that cross between Swift and Lua.
    .product(name: "PlainValue", package: "swift-workflow-script"),
    // Grants, and plugins of your own.
    .product(name: "WorkerKit", package: "swift-workflow-script"),
    // The registry of plugins.
    .product(name: "WorkflowPlugins", package: "swift-workflow-script"),
    // Timers; its module is `Clock`.
    .product(name: "ClockPlugin", package: "swift-workflow-script"),
    // Files; its module is `File`.
    .product(name: "FilePlugin", package: "swift-workflow-script"),
    // Tests of native workflows. It needs the trait `Packages`.
    .product(name: "WorkflowTesting", package: "swift-workflow-script"),
]

// The article on native parents with scripted children, compiled in each mode of Swift. The
// folders of the other modes are links to that of Swift 6.
func tests(_ name: String, _ settings: [SwiftSetting]) -> Target {
    .testTarget(
        name: name, dependencies: products,
        swiftSettings: settings + [.treatAllWarnings(as: .error)])
}

let package = Package(
    name: "embedding",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-workflow-script", path: "../..")],
    targets: [
        tests("Swift6", []),
        tests("Swift6MainActor", [.defaultIsolation(MainActor.self)]),
        tests("Swift5", [.swiftLanguageMode(.v5)]),
        tests("Swift5MainActor", [.swiftLanguageMode(.v5), .defaultIsolation(MainActor.self)]),
    ]
)
