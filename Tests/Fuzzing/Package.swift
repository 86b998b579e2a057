// swift-tools-version: 6.2
import PackageDescription

// Built by Scripts/fuzz, which adds the fuzzer and the sanitizers.
let package = Package(
    name: "fuzzing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-workflow-script", path: "../..", traits: [])],
    targets: [
        .systemLibrary(
            name: "CLuaLibrary", pkgConfig: "lua5.4",
            providers: [.apt(["liblua5.4-dev"]), .brew(["lua@5.4"])]),
        .target(name: "CFuzzing", dependencies: ["CLuaLibrary"]),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CFuzzing",
                .product(name: "LuaVM", package: "swift-workflow-script"),
                .product(name: "PlainValue", package: "swift-workflow-script"),
                .product(name: "Workflow", package: "swift-workflow-script"),
                .product(name: "WorkflowLua", package: "swift-workflow-script"),
            ]),
    ]
)
