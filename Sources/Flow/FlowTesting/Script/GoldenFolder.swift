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
        guard resolvedPath(file) != nil else {
            throw FlowTestFailure(
                "there is no golden rendering '\(name)'",
                help: "write it with FlowTestOptions.updatesGoldens, and look at it")
        }
        let golden: Value
        switch readFile(file) {
        case .failure(let failure):
            throw FlowTestFailure("\(file) cannot be read: \(failure.reason)", code: .file)
        case .success(let bytes):
            do throws(JSONError) {
                golden = try Value(json: bytes)
            } catch {
                throw FlowTestFailure("\(file) is not JSON: \(error)")
            }
        }
        let mismatches = rendering.mismatches(with: golden, isPartial: false)
        guard mismatches.isEmpty else {
            throw FlowTestFailure(
                "the rendering is not the golden one, '\(name)'", mismatches,
                help: "if it is meant, write it anew with FlowTestOptions.updatesGoldens")
        }
    }
}
