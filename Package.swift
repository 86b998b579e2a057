// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "swift-workflow-script",
    platforms: [.macOS(.v15)],
    // What needs packages from elsewhere comes with a trait, which is on by default, so that
    // `swift build` in a clone builds everything. A package that depends on this one and turns it
    // off, with `traits: []`, gets no other package. It is one trait and not several: the compiler
    // gets a flag for each, in an order that changes, and would build everything again each time.
    traits: [
        .trait(name: "Packages", description: "The program, HTTP, SQLite and testers in Swift."),
        .default(enabledTraits: ["Packages"]),
    ]
)

// WORKFLOW_PARTS names the parts that a build wants, separated by commas: CommandLine, HTTP,
// SQLite, Inspector, Service, Testing, Examples. The targets and packages of the others are left
// out then. The scripts build in this way. Service needs CommandLine, SQLite and Inspector beside
// it.
let parts = Context.environment["WORKFLOW_PARTS"]
func has(_ part: String) -> Bool {
    parts.map { $0.split(separator: ",").contains(part[...]) } ?? true
}

// WORKFLOW_ALONE asks for a workflow-serve with all commands and plugins in it, which loads no
// library of its own: what a release gives to others.
let isAlone = Context.environment["WORKFLOW_ALONE"] != nil

// MARK: Words of this file

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]
// Tests take a quarter less time if debug builds of the core are optimised; assertions stay. It is
// Scripts/flags that asks: nobody could depend on a package whose manifest always had these flags.
let isOptimized = Context.environment["WORKFLOW_OPTIMIZED"] != nil
// Other modules get no inlinable copies of its functions: these take longer to build than they
// save.
let optimized: [SwiftSetting] =
    isOptimized
    ? [
        .unsafeFlags(
            ["-O", "-assert-config", "Debug", "-disable-cmo"], .when(configuration: .debug))
    ] : []
let optimizedC: [CSetting] =
    isOptimized ? [.unsafeFlags(["-O1"], .when(configuration: .debug))] : []

func swift(
    _ name: String, _ dependencies: [Target.Dependency] = [], in room: String = "",
    path: String? = nil, exclude: [String] = [], isCore: Bool = false
) -> Target {
    .target(
        name: name, dependencies: dependencies + ["LibC"], path: path ?? "Sources/\(room)/\(name)",
        exclude: exclude, swiftSettings: settings + (isCore ? optimized : []))
}
func program(_ name: String, _ dependencies: [Target.Dependency], in room: String) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies + ["LibC"], path: "Sources/\(room)/\(name)",
        swiftSettings: settings + (isAlone ? [.define("ALONE")] : []))
}
func plugin(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [])
    -> Target
{
    swift(
        name + "Plugin", ["WorkerKit", "PlainValue"] + dependencies, path: "Plugins/" + name,
        exclude: ["README.md"] + exclude)
}
func pluginLibrary(_ name: String) -> Target {
    swift(
        name + "Library", [.target(name: name + "Plugin"), "WorkerKit"],
        path: "Plugins/\(name)/Library")
}
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: ["TestSupport", "LibC"] + dependencies, exclude: exclude,
        swiftSettings: settings)
}
// C whose headers lie beside it.
func c(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/C/" + name, publicHeadersPath: ".",
        cSettings: optimizedC)
}
func library(_ name: String, _ target: String? = nil) -> Product {
    .library(name: name, targets: [target ?? name])
}
func outside(_ product: String, of package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Packages"]))
}

// MARK: The core: values, workflows and Lua

package.products += [
    library("PlainValue"), library("Timers"), library("Workflow"), library("LuaVM"),
]
package.targets += [
    .systemLibrary(
        name: "CLua", path: "Sources/C/CLua", pkgConfig: "lua5.4",
        providers: [.apt(["liblua5.4-dev"]), .brew(["lua@5.4"])]),
    // The bridge over Lua, of which Swift sees CLuaBridge alone.
    c("CLuaCore", ["CLua", "CThread"]),
    c("CLuaInterpreter", ["CLuaCore", "CLua"]),
    c("CLuaSandbox", ["CLuaInterpreter", "CLuaCore", "CLua"]),
    c("CLuaIsolation", ["CLuaSandbox", "CLuaInterpreter", "CLuaCore", "CLua"]),
    .target(
        name: "CLuaBridge",
        dependencies: ["CLuaIsolation", "CLuaSandbox", "CLuaInterpreter", "CLuaCore", "CLua"],
        path: "Sources/C/CLuaBridge", cSettings: optimizedC),
    // The thread that code runs on: its stack, and its executor.
    c("CThread"),
    // The C library of the system, which every target may import.
    .target(name: "LibC", path: "Sources/Core/LibC", swiftSettings: settings),
    swift("PlainValue", in: "Core", isCore: true),
    // The clock on which everything of the host waits.
    swift("Timers", in: "Core"),
    swift(
        "Workflow", ["CThread", "PlainValue", "Timers"], in: "Core", isCore: true),
    swift("LuaVM", ["CLuaBridge", "PlainValue"], in: "Core", isCore: true),

    swift("TestSupport", ["LuaVM", "PlainValue"], path: "Tests/TestSupport"),
    tests("PlainValueTests", ["PlainValue"]),
    tests("TimersTests", ["Timers"]),
    // Plays a script process that was taken over; for tests and the fuzzer.
    .target(
        name: "CPeer",
        dependencies: [
            "CLuaBridge", "CLuaIsolation", "CLuaSandbox", "CLuaInterpreter", "CLuaCore", "CLua",
        ], path: "Tests/CPeer"),
    // Reaches into Lua's memory, for tests.
    .target(
        name: "CLuaProbe", dependencies: ["CLuaCore", "CLua"], path: "Tests/CLuaProbe"),
    tests(
        "LuaVMTests", ["CLuaCore", "CLuaProbe", "CPeer", "LuaVM", "PlainValue", "StockLua"],
        exclude: ["Hostile"]),
]

// MARK: Workers and their plugins

package.products += [
    library("WorkerKit"), library("WorkflowPlugins"), library("ClockPlugin"),
    library("FilePlugin"), library("SessionPlugin"),
]
package.targets += [
    .target(name: "CWorkflowPlugin", path: "Sources/C/CWorkflowPlugin"),
    swift("WorkerKit", ["CWorkflowPlugin", "PlainValue", "Timers"], in: "Workers"),
    swift(
        "WorkflowPlugins", ["CWorkflowPlugin", "WorkerKit", "Workflow", "PlainValue", "Timers"],
        in: "Workers"),
    plugin("Clock"),
    plugin("File"),
    plugin("Session"),

    // Runs workers by themselves, and as a session does; for tests.
    swift(
        "PluginStage",
        ["TestSupport", "WorkflowPlugins", "WorkerKit", "Workflow", "PlainValue", "Timers"],
        path: "Tests/PluginStage"),
    tests("WorkerKitTests", ["PluginStage", "WorkerKit", "PlainValue"]),
    tests("ClockPluginTests", ["ClockPlugin", "PluginStage", "WorkerKit", "PlainValue"]),
    tests("FilePluginTests", ["FilePlugin", "PluginStage", "WorkerKit", "PlainValue"]),
]

// MARK: Flows: nodes in Lua, and sessions

package.products += [
    library("WorkflowLua"), library("WorkflowKit"), library("FlowTesting"),
    library("FlowExploring"), library("FlowOrigins"), library("FlowProtocol"),
]
package.targets += [
    swift(
        "WorkflowLua", ["LuaVM", "PlainValue", "WorkerKit", "Workflow"], in: "Flow", isCore: true),
    swift(
        "WorkflowKit",
        [
            "WorkflowLua", "WorkflowPlugins", "LuaVM", "WorkerKit", "PlainValue", "Timers",
            "Workflow",
        ], in: "Flow"),
    // Finds where a value of a rendering comes from.
    swift(
        "FlowOrigins", ["WorkflowKit", "WorkflowLua", "LuaVM", "PlainValue", "Workflow"], in: "Flow"
    ),
    // Tests of flows in Lua.
    swift(
        "FlowTesting",
        [
            "WorkflowKit", "WorkflowLua", "WorkflowPlugins", "LuaVM", "WorkerKit", "PlainValue",
            "Workflow",
        ], in: "Flow"),
    // Tries all that can be done in each state of a flow.
    swift(
        "FlowExploring",
        [
            "LuaSyntax", "WorkflowKit", "WorkflowLua", "WorkflowPlugins", "LuaVM", "WorkerKit",
            "PlainValue", "Workflow",
        ], in: "Flow"),
    // Goes through what a session did, line by line, forwards and backwards.
    swift(
        "FlowDebugging",
        ["FlowOrigins", "WorkflowKit", "WorkflowLua", "LuaVM", "PlainValue", "Workflow"],
        in: "Tools"),
    // Reads the source text of flows, as far as one needs to say something of it.
    swift("LuaSyntax", ["LuaVM", "PlainValue"], in: "Flow"),
    // The JSON protocol, and the socket at which programs attach to a session.
    swift(
        "FlowProtocol",
        [
            "FlowOrigins", "LuaSyntax", "WorkflowKit", "WorkflowLua", "WorkerKit", "LuaVM",
            "PlainValue", "Timers", "Workflow",
        ], in: "Flow"),

    // Flows that many tests play, and random sessions.
    swift(
        "TestFlows",
        [
            "TestSupport", "FlowProtocol", "WorkflowKit", "WorkflowLua", "LuaVM", "PlainValue",
            "Workflow",
        ], path: "Tests/TestFlows", exclude: ["Flows"]),
    tests(
        "WorkflowLuaTests", ["WorkflowLua", "LuaVM", "PlainValue", "Workflow"],
        exclude: ["Attacks", "Hostile"]),
    tests(
        "WorkflowKitTests",
        [
            "FlowOrigins", "FlowProtocol", "FlowTesting", "TestFlows", "WorkflowKit",
            "WorkflowLua", "WorkflowPlugins", "WorkerKit", "ClockPlugin", "LuaVM", "PlainValue",
            "Timers", "Workflow",
        ]),
    tests(
        "FlowOriginsTests",
        ["FlowOrigins", "WorkflowKit", "WorkflowLua", "LuaVM", "PlainValue", "Workflow"]),
    tests(
        "FlowTestingTests",
        [
            "FlowTesting", "TestFlows", "WorkflowKit", "WorkflowLua", "WorkflowPlugins",
            "WorkerKit", "LuaVM", "PlainValue",
        ]),
    tests(
        "FlowExploringTests",
        [
            "FlowExploring", "TestFlows", "WorkflowKit", "WorkflowLua", "WorkerKit", "LuaVM",
            "PlainValue", "Workflow",
        ]),
    tests(
        "FlowProtocolTests",
        [
            "FlowProtocol", "TestFlows", "WorkflowKit", "WorkflowLua", "WorkflowPlugins",
            "WorkerKit", "ClockPlugin", "LuaVM", "PlainValue", "Workflow",
        ]),
]

// MARK: The fuzzers, which Scripts/fuzz builds with libFuzzer

package.targets += [
    .target(name: "CFuzzing", dependencies: ["CLua"], path: "Tests/Fuzzing/Sources/CFuzzing"),
    // Compares the sandbox with stock Lua; the tests of LuaVM do so too.
    swift(
        "StockLua", ["CFuzzing", "LuaVM", "PlainValue"], path: "Tests/Fuzzing/Sources/StockLua"),
    .executableTarget(
        name: "fuzz",
        dependencies: [
            "CFuzzing", "CPeer", "FlowDebugging", "FlowProtocol", "StockLua", "WorkflowKit",
            "WorkflowLua", "LuaVM", "PlainValue", "Workflow",
        ],
        path: "Tests/Fuzzing/Sources/fuzz", swiftSettings: settings),
]

// MARK: The benchmarks, of which Scripts/bench says what they measure

let benchmarks = "Tests/Benchmarks/Sources/"
package.targets += [
    // The same work as a flow's, by a C program over Lua and nothing else.
    .target(name: "CLuaFloor", dependencies: ["CLua"], path: benchmarks + "CLuaFloor"),
    .target(name: "CAllocationCount", path: benchmarks + "CAllocationCount"),
    .executableTarget(
        name: "workflow-bench",
        dependencies: [
            "CAllocationCount", "CLuaFloor", "LibC", "Workflow", "WorkflowKit", "WorkflowLua",
            "WorkflowPlugins", "WorkerKit", "LuaVM", "PlainValue",
        ],
        path: benchmarks + "workflow-bench", swiftSettings: settings + optimized),
]

// MARK: The program

if has("CommandLine") {
    let subprocess = outside("Subprocess", of: "swift-subprocess")
    let system = outside("SystemPackage", of: "swift-system")
    package.dependencies += [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // Without its traits it does not bring Foundation.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ]
    package.products += [
        library("ProcessPlugin"),
        .executable(name: "workflow-run", targets: ["workflow-run"]),
    ]
    package.targets += [
        plugin("Process", [subprocess, system]),
        // Line editing and signals.
        c("CTerminal"),
        swift("Terminal", ["CTerminal"], in: "Tools"),
        swift(
            "FlowPrinting",
            [
                "FlowOrigins", "WorkflowKit", "WorkflowLua", "WorkerKit", "Workflow", "PlainValue",
                "Terminal",
            ], in: "Tools"),
        swift(
            "FlowChecking",
            [
                "LuaSyntax", "WorkflowLua", "WorkflowPlugins", "WorkerKit", "LuaVM", "PlainValue",
                "Terminal", subprocess, system,
            ], in: "Tools"),
        swift(
            "FlowREPL",
            [
                "FlowChecking", "FlowExploring", "FlowOrigins", "FlowPrinting", "FlowProtocol",
                "LuaSyntax", "WorkflowKit", "WorkflowLua", "WorkerKit", "LuaVM", "PlainValue",
                "Terminal",
                "Workflow",
            ], in: "Tools"),
        swift(
            "WorkflowCommand",
            [
                "FlowChecking", "FlowDebugging", "FlowExploring", "FlowPrinting", "FlowREPL",
                "FlowProtocol", "LuaSyntax",
                "FlowTesting", "WorkflowKit", "WorkflowLua", "WorkflowPlugins", "WorkerKit",
                "ClockPlugin", "FilePlugin", "ProcessPlugin", "SessionPlugin", "LuaVM",
                "PlainValue",
                "Terminal", "Workflow",
                outside("ArgumentParser", of: "swift-argument-parser"),
            ], in: "Tools"),
        program("workflow-run", ["WorkflowCommand"], in: "Tools"),

        tests(
            "ProcessPluginTests",
            [
                "ProcessPlugin", "PluginStage", "WorkflowPlugins", "WorkerKit", "Workflow",
                "PlainValue",
            ]),
        tests(
            "WorkflowPluginsTests",
            [
                "PluginStage", "WorkflowPlugins", "WorkerKit", "CWorkflowPlugin", "Workflow",
                "PlainValue", "Timers", "workflow-run",
            ], exclude: ["Plugins"]),
        tests(
            "FlowPrintingTests",
            [
                "FlowPrinting", "FlowProtocol", "Terminal", "WorkflowKit", "WorkflowLua",
                "PlainValue", "Workflow",
            ]),
        tests(
            "FlowCheckingTests",
            [
                "FlowChecking", "LuaSyntax", "WorkflowCommand", "WorkflowLua", "WorkflowPlugins",
                "WorkerKit", "PlainValue", "workflow-run",
            ], exclude: ["Golden", "NewcomerFlows", "NewcomerMistakes.txt"]),
        tests(
            "FlowDebuggingTests",
            [
                "FlowDebugging", "FlowREPL", "TestFlows", "WorkflowCommand", "WorkflowKit",
                "WorkflowLua", "LuaVM", "PlainValue", "Workflow", "workflow-run",
            ]),
        tests(
            "FlowREPLTests",
            [
                "FlowREPL", "FlowChecking", "FlowOrigins", "FlowPrinting", "FlowProtocol",
                "FlowTesting", "LuaSyntax", "Terminal", "TestFlows", "WorkflowKit", "WorkflowLua",
                "LuaVM", "PlainValue", "Workflow", "workflow-run",
            ], exclude: ["Golden"]),
        tests(
            "WorkflowCommandTests",
            [
                "WorkflowCommand", "FlowExploring", "FlowPrinting", "FlowREPL", "FlowProtocol",
                "Terminal", "TestFlows", "WorkflowKit", "WorkflowLua", "WorkflowPlugins",
                "WorkerKit", "LuaVM",
                "PlainValue", "Workflow", "workflow-run",
            ], exclude: ["BadRequests.txt", "FailingFlows", "Golden", "Mistakes"]),
    ]
}

// MARK: What workflow-run loads when a flow first asks for one of their workers

if has("HTTP") {
    let http = [
        outside("AsyncHTTPClient", of: "async-http-client"),
        outside("NIOCore", of: "swift-nio"),
        outside("NIOHTTP1", of: "swift-nio"),
        outside("NIOPosix", of: "swift-nio"),
    ]
    package.dependencies += [
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ]
    package.products += [
        library("HTTPPlugin"),
        .library(name: "workflow-http", type: .dynamic, targets: ["HTTPLibrary"]),
    ]
    package.targets += [
        plugin("HTTP", http, exclude: ["Library"]),
        pluginLibrary("HTTP"),
        tests(
            "HTTPPluginTests",
            ["HTTPPlugin", "PluginStage", "WorkflowPlugins", "WorkerKit", "PlainValue", "Timers"]
                + http),
    ]
}

let hasService = has("Service") && has("CommandLine") && has("SQLite") && has("Inspector")

if has("SQLite") {
    let database = outside("GRDB", of: "GRDB.swift")
    let sqlite = [database, outside("GRDBSQLite", of: "GRDB.swift")]
    package.dependencies += [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")
    ]
    package.products += [
        library("SQLitePlugin"),
        .library(name: "workflow-sqlite", type: .dynamic, targets: ["SQLiteLibrary"]),
        library("WorkflowStore"),
        library("WorkflowPostgreSQL"),
    ]
    package.targets += [
        plugin("SQLite", sqlite, exclude: ["Library"]),
        pluginLibrary("SQLite"),
        // Keeps sessions in a database.
        swift(
            "WorkflowStore",
            ["WorkflowKit", "WorkflowLua", "LuaVM", "PlainValue", "Workflow", database],
            in: "Service"),
        // Keeps sessions in PostgreSQL, whose library is loaded when the first store is opened.
        .target(name: "CPostgreSQL", path: "Sources/C/CPostgreSQL"),
        swift("WorkflowPostgreSQL", ["CPostgreSQL", "WorkflowStore", "WorkerKit"], in: "Service"),

        .executableTarget(
            name: "workflow-store-bench",
            dependencies: ["WorkflowStore", "WorkflowKit", "LuaVM", "PlainValue", database],
            path: benchmarks + "workflow-store-bench", swiftSettings: settings),
        tests(
            "SQLitePluginTests",
            ["SQLitePlugin", "PluginStage", "WorkflowPlugins", "WorkerKit", "PlainValue", "Timers"]
                + sqlite),
        tests(
            "WorkflowStoreTests",
            [
                "CPostgreSQL", "WorkflowPostgreSQL", "WorkflowStore", "TestFlows", "WorkflowKit",
                "WorkflowLua", "WorkflowPlugins",
                "WorkerKit", "ClockPlugin", "LuaVM", "PlainValue", "Workflow", database,
            ]
                + (hasService
                    ? ["FlowService", "Timers", outside("Logging", of: "swift-log")] : []),
            // It has the beats and the wake-ups of the service.
            exclude: hasService ? [] : ["Simulation"]),
    ]
}

// MARK: The page that shows a session in a browser

if has("Inspector") {
    package.dependencies += [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    ]
    if !has("HTTP") {
        package.dependencies += [
            .package(url: "https://github.com/apple/swift-nio", from: "2.101.2")
        ]
    }
    package.products += [
        library("FlowInspecting"),
        .library(name: "workflow-inspector", type: .dynamic, targets: ["InspectorLibrary"]),
    ]
    package.targets += [
        // The files of the page are served compressed.
        .systemLibrary(
            name: "CZlib", path: "Sources/C/CZlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        // The files of the pages, embedded.
        .target(
            name: "CPages", path: "Sources/Web/CPages", exclude: ["inspector", "service"],
            publicHeadersPath: "."),
        // What servers of HTTP share: listeners, limits of connections, headers, problems.
        swift(
            "HTTPServing",
            [
                "PlainValue", "Timers",
                outside("HTTPTypes", of: "swift-http-types"),
                outside("HummingbirdCore", of: "hummingbird"),
                outside("Logging", of: "swift-log"),
                outside("NIOCore", of: "swift-nio"),
                outside("NIOHTTP1", of: "swift-nio"),
                outside("NIOHTTPTypes", of: "swift-nio-extras"),
                outside("NIOPosix", of: "swift-nio"),
            ], in: "Web"),
        // Serves the page, and carries what it asks to the socket of a session.
        swift(
            "InspectorServer",
            [
                "CPages", "CZlib", "HTTPServing", "PlainValue", "Timers",
                outside("HTTPTypes", of: "swift-http-types"),
                outside("HummingbirdCore", of: "hummingbird"),
                outside("NIOCore", of: "swift-nio"),
                outside("NIOPosix", of: "swift-nio"),
            ], in: "Web"),
        // What workflow-run loads when a page is asked for.
        swift("InspectorLibrary", ["InspectorServer", "PlainValue"], in: "Web"),

        // Shows sessions of other programs.
        swift(
            "FlowInspecting", ["FlowProtocol", "InspectorServer", "WorkflowKit", "WorkflowLua"],
            in: "Web"),

        // A client that can say anything; for tests.
        swift(
            "RawHTTP",
            [
                "PlainValue", outside("NIOCore", of: "swift-nio"),
                outside("NIOPosix", of: "swift-nio"),
            ], path: "Tests/RawHTTP"),
        tests(
            "InspectorTests",
            [
                "CPages", "FlowInspecting", "InspectorServer", "PlainValue", "RawHTTP",
                "WorkflowKit", "WorkflowLua",
                outside("NIOCore", of: "swift-nio"), outside("NIOPosix", of: "swift-nio"),
            ]),
    ]
}

// MARK: The service: many sessions over HTTP

if hasService {
    package.dependencies += [
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ]
    package.products += [
        library("FlowService"),
        .executable(name: "workflow-serve", targets: ["workflow-serve"]),
    ]
    package.targets += [
        // Makes a backend of flows: sessions in a store, actions as requests.
        swift(
            "FlowService",
            [
                "CPages", "FlowProtocol", "HTTPServing", "InspectorServer", "LuaVM",
                "PlainValue", "SessionPlugin", "Timers",
                "WorkerKit", "Workflow", "WorkflowKit", "WorkflowLua", "WorkflowPlugins",
                "WorkflowPostgreSQL", "WorkflowStore",
                outside("CoreMetrics", of: "swift-metrics"),
                outside("Crypto", of: "swift-crypto"),
                outside("CryptoExtras", of: "swift-crypto"),
                outside("HTTPTypes", of: "swift-http-types"),
                outside("HeapModule", of: "swift-collections"),
                outside("HummingbirdCore", of: "hummingbird"),
                outside("HummingbirdTLS", of: "hummingbird"),
                outside("Logging", of: "swift-log"),
                outside("NIOCore", of: "swift-nio"),
                outside("NIOHTTPTypes", of: "swift-nio-extras"),
                outside("NIOPosix", of: "swift-nio"),
                outside("NIOSSL", of: "swift-nio-ssl"),
                outside("Tracing", of: "swift-distributed-tracing"),
            ], in: "Service"),
        program(
            "workflow-serve",
            [
                "FlowChecking", "FlowPrinting", "FlowService", "FlowProtocol", "PlainValue",
                "Terminal", "WorkerKit", "WorkflowCommand", "WorkflowKit", "WorkflowLua",
                "WorkflowPlugins", "WorkflowStore",
                outside("ArgumentParser", of: "swift-argument-parser"),
                outside("Logging", of: "swift-log"),
            ] + (isAlone ? ["HTTPPlugin", "InspectorLibrary", "SQLitePlugin"] : []), in: "Service"),

        tests(
            "FlowServiceTests",
            [
                "FlowService", "HTTPServing", "LuaVM", "PlainValue", "RawHTTP",
                "SessionPlugin", "Terminal", "WorkerKit", "Workflow", "WorkflowCommand",
                "WorkflowKit",
                "WorkflowLua", "WorkflowPlugins", "WorkflowStore",
                "workflow-run", "workflow-serve",
                outside("CoreMetrics", of: "swift-metrics"),
                outside("Crypto", of: "swift-crypto"),
                outside("CryptoExtras", of: "swift-crypto"),
                outside("HTTPTypes", of: "swift-http-types"),
                outside("HummingbirdCore", of: "hummingbird"),
                outside("InMemoryTracing", of: "swift-distributed-tracing"),
                outside("Logging", of: "swift-log"),
                outside("NIOCore", of: "swift-nio"),
                outside("NIOEmbedded", of: "swift-nio"),
                outside("NIOHTTP1", of: "swift-nio"),
                outside("NIOHTTPTypesHTTP1", of: "swift-nio-extras"),
                outside("NIOPosix", of: "swift-nio"),
                outside("NIOSSL", of: "swift-nio-ssl"),
                outside("Tracing", of: "swift-distributed-tracing"),
            ]),
    ]
}

// MARK: The examples that are packages of their own, for their tests

if has("Examples") && has("SQLite") {
    let embedding = "Examples/Embedding/"
    package.products += [
        .library(name: "GreeterExample", type: .dynamic, targets: ["GreeterExample"])
    ]
    package.targets += [
        .target(
            name: "GreeterExample", dependencies: ["WorkerKit"],
            path: "Examples/GreeterPlugin/Sources/Greeter"),
        .executableTarget(
            name: "first-steps", dependencies: ["WorkflowKit"],
            path: embedding + "Sources/first-steps"),
        .target(
            name: "NotesCore",
            dependencies: [
                "WorkflowKit", "WorkflowStore", "WorkerKit", "WorkflowPlugins", "WorkflowLua",
                "Workflow", "PlainValue",
            ], path: embedding + "Sources/NotesCore"),
        .executableTarget(
            name: "notes", dependencies: ["NotesCore"], path: embedding + "Sources/notes"),
        .testTarget(
            name: "NotesTests",
            dependencies: ["NotesCore", "WorkflowKit", "WorkflowStore", "PlainValue"],
            path: embedding + "Tests/NotesTests"),
    ]
}

// MARK: Testers of workflows in Swift

if has("Testing") {
    let reporting = "xctest-dynamic-overlay"
    let issues = outside("IssueReporting", of: reporting)
    package.dependencies += [
        .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.7.3"),
        .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.13.1"),
    ]
    package.products += [library("WorkflowTesting")]
    package.targets += [
        swift(
            "WorkflowTesting",
            [
                "Timers", "Workflow", issues,
                outside("CustomDump", of: "swift-custom-dump"),
                // Without it a failing tester only prints on Linux, and the test passes.
                outside("IssueReportingTestSupport", of: reporting),
            ], in: "Core"),

        tests("WorkflowTests", ["Workflow", "WorkflowTesting", "PlainValue"]),
        tests("WorkflowTestingTests", ["Workflow", "WorkflowTesting", issues]),
    ]
}

if has("CommandLine") && has("SQLite") {
    package.targets += [
        tests(
            "DocumentationTests",
            [
                "FlowExploring", "FlowProtocol", "FlowTesting", "WorkflowKit", "WorkflowStore",
                "WorkflowLua", "WorkflowPlugins", "WorkerKit", "Workflow", "ClockPlugin",
                "FilePlugin", "LuaVM",
                "PlainValue", "workflow-run",
            ], exclude: ["Flows"])
    ]
}
