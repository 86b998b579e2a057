import Foundation
import Testing
import Workflow

/// An action that another thread sends reaches `onRendering`, wherever the host was made.
@Suite(.timeLimit(.minutes(1))) nonisolated struct HostTests {
    private let counts: AsyncStream<Int>
    private let show: @Sendable (Int) -> Void

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        counts = stream
        show = { continuation.yield($0) }
    }

    /// Returns true once a rendering with this count is shown, after another thread has added two.
    private func arrives(_ count: Int = 2, through sink: Sink<Count.Add>) async -> Bool {
        Thread.detachNewThread { sink.send(Count.Add(amount: 2)) }
        return await counts.first { _ in true } == count
    }

    @MainActor private func arrives(at host: WorkflowHost<Count>) async -> Bool {
        host.onRendering = { [show] in show($0.count) }
        return await arrives(through: host.rendering.add)
    }

    @Test func aMethodOfAnActor() async {
        let place = MadeInMethod()
        #expect(await arrives(through: place.start(show)))
    }

    @Test func aLazyPropertyOfAnActor() async {
        let place = MadeWhenUsed()
        #expect(await arrives(through: place.start(show)))
    }

    @Test func theAsyncInitOfAnActor() async throws {
        let place = await MadeInAsyncInit(show)
        #expect(await arrives(through: try #require(await place.sink)))
    }

    @Test func theInitOfAnActor() async {
        let place = MadeInInit()
        #expect(await arrives(3, through: place.start(show)))
    }

    @MainActor @Test func aPropertyOfAModel() async {
        let model = ModelWithProperty()
        #expect(await arrives(at: model.host))
    }

    @MainActor @Test func aLazyPropertyOfAModel() async {
        let model = ModelWithLazyProperty()
        #expect(await arrives(at: model.host))
    }

    @MainActor @Test func theInitOfAModel() async {
        let model = ModelWithInit()
        let shown = model.host.onRendering
        model.host.onRendering = { [show] in
            shown?($0)
            show($0.count)
        }
        #expect(await arrives(through: model.host.rendering.add))
        #expect(model.count == 2)
    }

    @MainActor @Test func aStaticProperty() async {
        #expect(await arrives(at: Shared.host))
    }

    @MainActor @Test func aGlobal() async {
        #expect(await arrives(at: globalHost))
    }
}
