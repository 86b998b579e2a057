// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "greeter-plugin",
    platforms: [.macOS(.v15)],
    products: [.library(name: "Greeter", type: .dynamic, targets: ["Greeter"])],
    dependencies: [
        // In a package of your own, the repository's URL and a version.
        .package(name: "swift-workflow-script", path: "../..", traits: [])
    ],
    targets: [
        .target(
            name: "Greeter",
            dependencies: [.product(name: "WorkerKit", package: "swift-workflow-script")])
    ]
)
