import LibC
import WorkflowLua

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
