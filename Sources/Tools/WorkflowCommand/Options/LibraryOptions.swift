package import ArgumentParser
import WorkerKit

package struct LibraryOptions: ParsableArguments {
    @Option(
        name: .customLong("lib"),
        help: ArgumentHelp(
            "Let flows require the modules in this folder too; may be repeated.",
            valueName: "folder"), completion: .directory)
    package var folders: [String] = []

    package init() {}

    package func validate() throws {
        for folder in folders {
            try check(FilePath.isFolder(folder), "--lib takes a folder, and \(folder) is none.")
        }
    }
}
