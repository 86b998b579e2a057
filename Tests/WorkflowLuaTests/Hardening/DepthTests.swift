import LuaVM
import PlainValue
import Testing
import Workflow
import WorkflowLua

@Suite struct DepthTests {
    private static let source = """
        local Link = { name = "link" }
        function Link.render(state, context)
            if context.props.left == 0 then return { depth = 1 } end
            local below = context:render(Link, { left = context.props.left - 1 })
            return { depth = below.depth + 1 }
        end
        return Link
        """

    private func depth(of count: Int, limit: Int) throws -> Result<Int, FlowError> {
        var failure: FlowError?
        var options = LuaFlow.Options()
        options.limits.timeLimit = nil
        let flow = try LuaFlow(source: Self.source, name: "link.lua", options: options)
        let host = WorkflowHost(
            workflow: flow.workflow(props: ["left": .int(count - 1)]),
            options: HostOptions(
                maximumDepth: limit,
                onReport: { report in
                    if case .failure(let failed) = report, failure == nil {
                        failure = failed.error as? FlowError
                    }
                }))
        if let failure { return .failure(failure) }
        return .success(host.rendering.value["depth"]?.int ?? -1)
    }

    /// In a release build a thousand; in a debug build frames are several times as large.
    @Test func aLongChainRenders() throws {
        #expect(try depth(of: chain, limit: 1000).get() == chain)
    }

    @Test func aChainBeyondTheLimitOfDepthIsAnErrorWithItsPlace() throws {
        let result = try depth(of: 60, limit: 50)
        let error = try #require(throws: FlowError.self) { try result.get() }
        #expect(error.code == .depth)
        #expect(error.location == FlowError.Location(file: "link.lua", line: 4))
        #expect(
            error.said == """
                nodes are nested deeper than the limit
                help: does a flow render itself, or a function call itself, without an end?
                """)
    }

    @Test func aChainThatUsesUpTheStackIsAnErrorWithItsPlace() throws {
        let result = try depth(of: 100_000, limit: 200_000)
        let error = try #require(throws: FlowError.self) { try result.get() }
        #expect(error.code == .depth, "\(error)")
        #expect(error.location?.file == "link.lua")
    }

    @Test func nativeNodesAtTheLimitHaveRoomBelow() throws {
        struct Tower: Workflow {
            struct Props: Decodable { var height: Int }
            var props: Props
            func render(state: Void, context: RenderContext<Tower>) -> Int {
                guard props.height > 1 else { return 1 }
                return 1 + Tower(props: Props(height: props.height - 1)).rendered(in: context)
            }
        }
        var options = LuaFlow.Options()
        options.nativeWorkflows.register("tower", props: Tower.Props.self) {
            Tower(props: $0)
        }
        let flow = try LuaFlow(
            source: Self.source.replacing(
                "return { depth = 1 }",
                with: #"return { depth = 1 + context:render("tower", { height = 40 }) }"#),
            name: "link.lua", options: options)
        var reports: [String] = []
        let host = WorkflowHost(
            workflow: flow.workflow(props: ["left": 19]),
            options: HostOptions(maximumDepth: 21, onReport: { reports.append("\($0)") }))
        #expect(reports == [])
        #expect(host.rendering.value["depth"] == 60)
    }

    #if DEBUG
        private let chain = 200
    #else
        private let chain = 1000
    #endif
}
