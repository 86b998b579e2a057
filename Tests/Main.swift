import Testing

/// Runs the tests of all targets. It is in Tests while Scripts/test builds: see Scripts/flags.
@main enum Runner { static func main() async { await Testing.__swiftPMEntryPoint() as Never } }
