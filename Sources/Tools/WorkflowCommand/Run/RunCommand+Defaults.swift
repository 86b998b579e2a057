import ArgumentParser
import Terminal

// A flow without options is the most frequent command line. The parser would take 2 of the 9 ms in
// which a small flow starts and ends. A test compares these values with the parser's.

extension RunCommand {
    /// The command for a flow without options, as the parser makes it.
    init(playing flow: String) {
        self.init()
        self.flow = flow
        props = nil
        json = false
        keepGoing = false
        quiet = false
        color = .auto
        timeout = nil
        watch = nil
        plugins = .notGiven
        files = .notGiven
        page = .notGiven
        limits = .notGiven
        libraries = .notGiven
    }
}

extension PluginOptions {
    fileprivate static var notGiven: Self {
        var options = Self()
        var libraries = PluginLibraryOptions()
        libraries.libraries = []
        options.libraries = libraries
        options.grants = []
        options.audit = nil
        return options
    }
}

extension SessionFileOptions {
    fileprivate static var notGiven: Self {
        var options = Self()
        options.record = nil
        options.secret = []
        options.restore = nil
        options.lenient = false
        options.save = nil
        options.listen = nil
        return options
    }
}

extension InspectOptions {
    fileprivate static var notGiven: Self {
        var page = PageOptions()
        page.inspectScope = nil
        page.allowHost = []
        page.inspectorFiles = nil
        page.open = false
        var options = Self()
        options.inspect = nil
        options.page = page
        return options
    }
}

extension LibraryOptions {
    fileprivate static var notGiven: Self {
        var options = Self()
        options.folders = []
        return options
    }
}

extension LimitOptions {
    fileprivate static var notGiven: Self {
        var options = Self()
        options.maxTime = 1
        options.maxMemory = 64
        options.maxInstructions = nil
        options.seed = 0
        options.isolate = false
        return options
    }
}
