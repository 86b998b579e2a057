import LibC
import PlainValue
import WorkflowKit
import WorkflowLua

/// The golden renderings of a file of tests: `todo_test.golden/empty.json` beside `todo_test.lua`.
struct GoldenFolder {
    let path: String
    let isUpdating: Bool

    init(testFile: String, isUpdating: Bool) {
        path = testFile.withoutLua + ".golden"
        self.isUpdating = isUpdating
    }

    /// Compares a rendering with the golden one of a name, or replaces the golden one.
    func check(_ rendering: Value, name: String) throws(FlowTestFailure) {
        let file = "\(path)/\(name).json"
        if isUpdating {
            do throws(FlowError) {
                try makeFolders(path)
                try writeFile(rendering.prettyJSON + "\n", to: file)
            } catch {
                throw FlowTestFailure(error)
            }
            return
        }
        guard resolvedPath(file) != nil else { throw FlowTestFailure(.noGolden, name) }
        let golden: Value
        switch readFile(file) {
        case .failure(let failure): throw FlowTestFailure(.unreadable, file, failure.reason)
        case .success(let bytes):
            do throws(JSONError) {
                golden = try Value(json: bytes)
            } catch {
                throw FlowTestFailure(.noJSON, file, error)
            }
        }
        let mismatches = rendering.mismatches(with: golden, isPartial: false)
        guard mismatches.isEmpty else {
            throw FlowTestFailure(.otherGolden, name, mismatches: mismatches)
        }
    }
}

/// Creates a folder and its parents, unless they exist.
func makeFolders(_ path: String) throws(FlowError) {
    var folder = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
        folder += "/" + part
        if mkdir(folder, 0o777) != 0, errno != EEXIST {
            throw FlowError(.unmakeable, path, SystemFailure())
        }
    }
}
