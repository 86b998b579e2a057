import FlowService
import PlainValue
import RawHTTP
import TestSupport
import Testing

struct QuestionTests {
    /// Refuses all that changes something, with what it was asked as the reason.
    private static let strict = """
        local function text(value)
            if type(value) ~= "table" then return tostring(value) end
            local names, parts = {}, {}
            for name in pairs(value) do names[#names + 1] = name end
            table.sort(names)
            for index, name in ipairs(names) do parts[index] = name .. "=" .. text(value[name]) end
            return "{" .. table.concat(parts, " ") .. "}"
        end

        local Row = {
            name = "row",
            state = { n = 0 },
            apply = { approve = function(state) state.n = state.n + 1 end },
            render = function(state, context)
                return { n = state.n, approve = context:sink("approve", { by = 1 }) }
            end,
        }
        return {
            name = "strict",
            state = { n = 0 },
            apply = {
                approve = function(state) state.n = state.n + 1 end,
                ping = function() end,
            },
            access = function(principal, what)
                local verb = what["do"]
                if verb == "create" or verb == "inspect" or what.action and what.action.type == "ping" then return true end
                if principal.name == "blind" or verb ~= "read" or what.step == 0 then
                    error("asked " .. text(what), 0)
                end
                return true
            end,
            render = function(state, context)
                return {
                    approve = context:sink("approve"),
                    rows = { context:render(Row, {}, { key = 1 }) },
                }
            end,
        }
        """

    private struct Users {
        let service: TestService
        let headers: [String: String]

        init() async throws {
            let names = ["ann", "blind"]
            let tokens = names.map { ServiceToken(for: $0, scopes: Set(ServiceScope.allCases)) }
            service = try await TestService([
                "strict.lua": QuestionTests.strict,
                "tokens.txt": tokens.map(\.line).joined(separator: "\n"),
            ]) { options, folder in
                options.access = .files(tokens: folder.path("tokens.txt"), issuer: nil)
            }
            headers = Dictionary(
                uniqueKeysWithValues: zip(names, tokens.map { "Authorization: Bearer \($0.text)" }))
            let made = try await post("/sessions", ["flow": "strict", "id": "a"])
            #expect(made.status == 201)
        }

        func post(
            _ path: String, _ body: Value = [:], as name: String = "ann"
        ) async throws -> RawAnswer {
            try await service.ask(.post(path, body, [headers[name] ?? ""]))
        }

        func get(_ path: String, as name: String = "ann") async throws -> RawAnswer {
            try await service.get(path, [headers[name] ?? ""])
        }
    }

    private static let root: [Value] = [
        ["action": "approve"], ["action": ["type": "approve"]], ["at": "approve"],
        ["action": "approve", "node": "strict"], ["action": ["type": "approve"], "node": "strict"],
        ["sink": ["$sink": ["node": "strict", "action": ["type": "approve"]]]],
        ["at": "approve", "with": ["type": "ping"]],
        ["sink": ["$sink": ["node": "strict", "action": ["type": "approve"]]], "with": [:]],
    ]

    private static let row: [Value] = [
        ["action": ["type": "approve", "by": 2], "node": "strict/row:1"],
        ["at": "rows[1].approve", "with": ["by": 2]],
        ["at": "rows[1][\"approve\"]", "with": ["by": 2]],
        ["sink": ["$sink": ["node": "strict/row:1", "action": ["type": "approve", "by": 2]]]],
        [
            "sink": ["$sink": ["node": "strict/row:1", "action": ["type": "approve", "by": 1]]],
            "with": ["by": 2],
        ],
    ]

    @Test func theScopesOfASessionAreThoseOfTheTokenThatTheFlowLeavesIt() async throws {
        let flow = { (name: String, access: String) in
            "return { name = '\(name)', state = {}, \(access) render = function() return 1 end }"
        }
        let tokens = [Set(ServiceScope.allCases), [.read, .act]].map {
            ServiceToken(for: "ann", scopes: $0)
        }
        let service = try await TestService([
            "open.lua": flow("open", ""),
            "forward.lua": flow(
                "forward", "access = function(_, what) return what['do'] ~= 'undo' end,"),
            "tokens.txt": tokens.map(\.line).joined(separator: "\n"),
        ]) { options, folder in
            options.access = .files(tokens: folder.path("tokens.txt"), issuer: nil)
        }
        let headers = tokens.map { ["Authorization: Bearer \($0.text)"] }
        let all = ServiceScope.allCases.map(\.rawValue).sorted()
        for (name, expected) in [
            ("open", [all, ["act", "read"]]),
            ("forward", [all.filter { $0 != "travel" }, ["act", "read"]]),
        ] {
            let made = try await service.ask(
                .post("/sessions", ["flow": .string(name), "id": .string(name)], headers[0]))
            #expect(made.status == 201)
            for (header, scopes) in zip(headers, expected) {
                let answer = try await service.get("/sessions/\(name)/scopes", header)
                #expect(answer.json["scopes"] == .list(of: scopes.map { .string($0) }))
            }
        }
    }

    @Test func anActionIsOneQuestionHoweverItIsSpeltAlsoFromTheInspector() async throws {
        let users = try await Users()
        let page = try await InspectorClient(users.service, "a", [users.headers["ann"] ?? ""])
        for (spellings, question) in [
            (Self.root, "{action={type=approve} do=send}"),
            (Self.row, "{action={by=2 type=approve} do=send node=strict/row:1}"),
        ] {
            for body in spellings {
                let answer = try await users.post("/sessions/a/actions", body)
                #expect(answer.json["detail"] == .string("asked \(question)"), "\(body)")
                var request = body.record ?? [:]
                request["do"] = "send"
                let asked = try await page.ask(.record(request))
                #expect(asked.json["detail"] == .string("asked \(question)"), "\(body)")
            }
        }
        let first = try await users.post("/sessions/a/actions", ["action": "ping"])
        #expect(first.json["of"] == 1)
        await users.service.service.drain()
    }

    @Test func movesReadsAndBranchesSayWhichStepTheyAreAbout() async throws {
        let users = try await Users()
        for _ in 0..<2 {
            let answer = try await users.post("/sessions/a/actions", ["action": "ping"])
            #expect(answer.status == 200)
        }
        for (path, body, question) in [
            ("undo", [:], "{do=undo step=1}"), ("redo", [:], "{do=redo step=3}"),
            ("goto", ["step": 1], "{do=goto step=1}"), ("retry", [:], "{do=retry}"),
            (
                "retry", ["node": "strict", "worker": "w", "key": "k"],
                "{do=retry key=k node=strict worker=w}"
            ), ("branch", ["id": "b"], "{do=branch step=2}"),
            ("branch", ["id": "b", "step": 1], "{do=branch step=1}"),
            ("props", ["props": ["n": 1]], "{do=props props={n=1}}"),
        ] as [(String, Value, String)] {
            let answer = try await users.post("/sessions/a/\(path)", body)
            #expect(answer.json["detail"] == .string("asked \(question)"))
        }
        #expect(try await users.get("/sessions/a").status == 200)
        #expect(try await users.get("/sessions/a?step=2").status == 200)
        let past = try await users.get("/sessions/a?step=0")
        #expect(past.json["detail"] == "asked {do=read step=0}")
        let blind = try await users.get("/sessions/a", as: "blind")
        #expect(blind.json["detail"] == "asked {do=read step=2}")
        #expect(try await users.get("/sessions/b").status == 404)
        await users.service.service.drain()
    }

    @Test func onlyThoseWhoMayReadAreToldIfThereIsASinkOrANode() async throws {
        let users = try await Users()
        for body in [
            ["at": "rows[2].approve"], ["at": "nothing"], ["action": 1], ["sink": 1],
            ["action": "approve", "node": "//"],
        ] as [Value] {
            let answer = try await users.post("/sessions/a/actions", body, as: "blind")
            #expect(answer.json["detail"] == "asked {do=read step=0}", "\(body)")
        }
        _ = try await users.post("/sessions/a/actions", ["action": "ping"])
        let known = try await users.post("/sessions/a/actions", ["at": "nothing"])
        #expect(known.code == "bad_action")
        await users.service.service.drain()
    }

    /// Only its owner may create and change a box; only others may read it.
    private static let box = """
        return {
            name = "box",
            state = function(props, context)
                return { owner = props.owner or context.principal, creator = context.principal, by = "nobody" }
            end,
            apply = { put = function(state, action, context) state.by = context.principal end },
            access = function(principal, what, state)
                if what["do"] == "create" then
                    return what.props.owner == nil or what.props.owner == principal.name
                end
                return (what["do"] == "read") ~= (principal.name == state.owner)
            end,
            render = function(state) return state end,
        }
        """

    @Test func aSessionIsCreatedIfAccessAllowsItAndNothingIsStoredBefore() async throws {
        let tokens = ["ann", "bob"].map {
            ServiceToken(for: $0, scopes: Set(ServiceScope.allCases))
        }
        let headers = tokens.map { "Authorization: Bearer \($0.text)" }
        let service = try await TestService([
            "box.lua": Self.box, "tokens.txt": tokens.map(\.line).joined(separator: "\n"),
        ]) { options, folder in
            options.access = .files(tokens: folder.path("tokens.txt"), issuer: nil)
        }
        func create(_ id: String, _ props: Value, _ who: Int) async throws -> RawAnswer {
            try await service.ask(
                .post(
                    "/sessions", ["flow": "box", "id": .string(id), "props": props],
                    [headers[who], "Idempotency-Key: key-\(who)-\(id)"]))
        }
        for _ in 0..<2 {
            let refused = try await create("a", ["owner": "ann"], 1)
            #expect(refused.status == 403)
            #expect(refused.code == "not_granted")
        }
        #expect(try await service.get("/sessions", [headers[0]]).json["sessions"] == [])
        #expect(try await service.get("/sessions/a", [headers[1]]).status == 404)
        // Whoever may create it gets the answer, also again, though the owner may not read it.
        for _ in 0..<2 {
            let made = try await create("a", ["owner": "ann"], 0)
            #expect(made.status == 201)
            #expect(made.json["rendering"] == ["owner": "ann", "creator": "ann", "by": "nobody"])
        }
        #expect(try await service.get("/sessions/a", [headers[0]]).status == 403)
        let acted = try await service.ask(
            .post("/sessions/a/actions", ["action": "put"], [headers[0]]))
        #expect(acted.json["rendering"]?["by"] == "ann")
        // The log has the creator, and a branch goes on with the names in it.
        let branched = try await service.ask(.post("/sessions/a/branch", ["id": "b"], [headers[0]]))
        #expect(branched.status == 201)
        #expect(branched.json["step"] == 1)
        #expect(branched.json["rendering"] == ["owner": "ann", "creator": "ann", "by": "ann"])
        let recording = try await service.ask(.get("/sessions/a/recording", [headers[0]]))
        let lines = recording.body.split(separator: "\n").map { try? Value(json: String($0)) }
        let ready = lines.first ?? nil
        #expect(ready?["type"] == "ready")
        #expect(ready?["by"] == "ann")
        await service.service.drain()
    }
}
