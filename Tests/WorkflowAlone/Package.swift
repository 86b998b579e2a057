// swift-tools-version: 6.3
import PackageDescription

// Depends only on Workflow. Scripts/test checks that this adds no other package.
let package = Package(
    name: "workflow-alone",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-workflow-script", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "counter",
            dependencies: [.product(name: "Workflow", package: "swift-workflow-script")])
    ]
)
