import Testing

/// Runs the tests of all targets.
///
/// SwiftPM takes a file of this name as it is. Without it, it would have an index made of all sources
/// to look for tests, which Swift Testing finds by itself.
@main
enum Runner {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
