import NotesCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

guard CommandLine.arguments.count == 2 else {
    print("usage: notes <flow.lua>, then commands, one a line")
    exit(64)
}
do {
    let tool = try await NotesTool(flow: CommandLine.arguments[1])
    print(await tool.screen)
    while let line = readLine() { print(await tool.run(line)) }
} catch {
    print("error:", error)
    exit(65)
}
