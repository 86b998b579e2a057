import Testing
import WorkflowLua

@Suite struct ModuleNameTests {
    @Test(arguments: [
        ("return require \"item\"", ["item"]),
        ("local a, b = require('parts.row'), require [[item]]", ["parts.row"]),
        ("-- require \"no\"\nrequire(bib) require(\"../x\") require", []),
        ("local s = \"require 'no'\" return require(\n\"yes\")", ["yes"]),
    ]) func modulesThatATextNamesAreFound(text: String, names: [String]) {
        #expect(FlowModules.names(requiredIn: text) == names)
    }

    @Test(arguments: ["item", "parts.row"]) func namesAndFilesStandForEachOther(name: String) {
        #expect(FlowModules.name(of: FlowModules.file(of: name)) == name)
    }
}
