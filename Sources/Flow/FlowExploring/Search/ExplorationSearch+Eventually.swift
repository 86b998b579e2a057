import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua

// Ways on which an expression never becomes true: they end without it, or go round without it.
//
// A worker or a timer that runs all the time acts at some time, so a round in which it never acts
// does not count. Nobody outside has to act: a round of the same actions counts.
extension ExplorationSearch {
    /// A finding for each expression of ``FlowExplorationOptions/eventually`` that a way misses.
    var waysThatMiss: [FlowExploration.Finding] {
        options.eventually.compactMap { expression in
            let ways = WaysWithout(attained[expression] ?? [], exploration, leavingAt: ends) {
                moments[$0].workers
                    .filter { worker in candidates.isKnown(worker.name) }.map(\.path)
            }
            return ways.shortest.map { steps, again in
                .init(kind: .missed(eventually: expression, again: again), steps: steps)
            }
        }
    }

    /// The states at which a way may end.
    private var ends: Set<Int> {
        deadEnds.union(
            exploration.states.indices.filter {
                let state = exploration.states[$0]
                return !state.isBeyond
                    && (state.isFinal || state.isEnd && !options.goesOnAfterOutputs)
            })
    }
}

/// The explored states without those in which an expression is true.
private struct WaysWithout {
    private let steps: [ExploredStep]
    /// The numbers of the steps from each state, of those that lead to a state without it.
    private var outgoing: [Int: [Int]] = [:]
    private let targets: [Int]
    private let ends: Set<Int>
    private let workers: (Int) -> [NodePath]
    /// The states that can be reached, nearest first, each with the step that leads there.
    private var order: [Int] = []
    private var arrivals: [Int: (from: Int, step: Int)] = [:]

    init(
        _ attained: Set<Int>, _ seen: FlowExploration, leavingAt ends: Set<Int>,
        workers: @escaping (Int) -> [NodePath]
    ) {
        steps = seen.transitions.map(\.step)
        targets = seen.transitions.map(\.to)
        self.ends = ends
        self.workers = workers
        for (number, step) in seen.transitions.enumerated()
        where !attained.contains(step.from) && !attained.contains(step.to) {
            outgoing[step.from, default: []].append(number)
        }
        guard !seen.states.isEmpty, !attained.contains(0) else { return }
        (order, arrivals) = search(from: 0) { _ in true }
    }

    /// The shortest way to an end, or else the one to the nearest round and once around.
    var shortest: (steps: [ExploredStep], again: Int?)? {
        if let end = order.first(where: ends.contains) {
            return (way(to: end, arrivals).map { steps[$0] }, nil)
        }
        let rounds = components.compactMap { round(in: $0) }
        let nearest = rounds.min { left, right in
            left.way.count + left.round.count < right.way.count + right.round.count
        }
        return nearest.map { ($0.way + $0.round, $0.way.count) }
    }

    private func search(
        from start: Int, where isOpen: (Int) -> Bool
    ) -> (order: [Int], arrivals: [Int: (from: Int, step: Int)]) {
        var order = [start]
        var arrivals: [Int: (from: Int, step: Int)] = [:]
        var next = 0
        while next < order.count {
            let state = order[next]
            next += 1
            for number in outgoing[state] ?? [] {
                let target = targets[number]
                guard isOpen(target), target != start, arrivals[target] == nil else { continue }
                arrivals[target] = (state, number)
                order.append(target)
            }
        }
        return (order, arrivals)
    }

    /// The numbers of the steps to a state that was found.
    private func way(to state: Int, _ arrivals: [Int: (from: Int, step: Int)]) -> [Int] {
        var way: [Int] = []
        var state = state
        while let (from, step) = arrivals[state] {
            way.append(step)
            state = from
        }
        return way.reversed()
    }

    // MARK: Rounds

    /// The round through a strongly connected part in which each worker acts that runs all the way.
    private func round(in part: Set<Int>) -> (way: [ExploredStep], round: [ExploredStep])? {
        guard let entry = order.first(where: part.contains) else { return nil }
        let inner = part.flatMap { state in
            (outgoing[state] ?? []).filter { part.contains(targets[$0]) }.map { (state, $0) }
        }.sorted { $0.1 < $1.1 }
        guard !inner.isEmpty else { return nil }
        var running = Set(workers(entry))
        for state in part { running.formIntersection(workers(state)) }
        var stops: [(from: Int, step: Int)] = []
        for worker in running {
            guard let stop = inner.first(where: { steps[$0.1].isNews(of: worker) }) else {
                return nil
            }
            stops.append((stop.0, stop.1))
        }
        if stops.isEmpty {
            // The last step of the shortest round.
            let (found, _) = search(from: entry, where: part.contains)
            let back = found.lazy.compactMap { state in
                inner.first { $0.0 == state && targets[$0.1] == entry }
            }.first
            guard let back else { return nil }
            stops.append((back.0, back.1))
        }
        var round: [Int] = []
        var place = entry
        for stop in stops.sorted(by: { $0.step < $1.step }) {
            round += leg(from: place, to: stop.from, in: part) + [stop.step]
            place = targets[stop.step]
        }
        round += leg(from: place, to: entry, in: part)
        return (way(to: entry, arrivals).map { steps[$0] }, round.map { steps[$0] })
    }

    private func leg(from start: Int, to end: Int, in part: Set<Int>) -> [Int] {
        if start == end { return [] }
        let leg = way(to: end, search(from: start, where: part.contains).arrivals)
        assert(!leg.isEmpty, "a part has a state that another one does not lead to")
        return leg
    }

    /// The strongly connected parts of the states that can be reached, by Tarjan's algorithm
    /// without recursion, since ways can be long.
    private var components: [Set<Int>] {
        var parts: [Set<Int>] = []
        var index: [Int: Int] = [:]
        var low: [Int: Int] = [:]
        var stack: [Int] = []
        var isOnStack: Set<Int> = []
        for start in order where index[start] == nil {
            var calls = [(state: start, next: 0)]
            while let (state, next) = calls.last {
                if next == 0 {
                    index[state] = index.count
                    low[state] = index[state]
                    stack.append(state)
                    isOnStack.insert(state)
                }
                let following = outgoing[state] ?? []
                if next < following.count {
                    calls[calls.count - 1].next += 1
                    let target = targets[following[next]]
                    if index[target] == nil {
                        calls.append((target, 0))
                    } else if isOnStack.contains(target) {
                        low[state] = min(low[state] ?? 0, index[target] ?? 0)
                    }
                    continue
                }
                calls.removeLast()
                if let caller = calls.last?.state {
                    low[caller] = min(low[caller] ?? 0, low[state] ?? 0)
                }
                guard low[state] == index[state] else { continue }
                var part: Set<Int> = []
                while let member = stack.popLast() {
                    isOnStack.remove(member)
                    part.insert(member)
                    if member == state { break }
                }
                parts.append(part)
            }
            assert(stack.isEmpty && isOnStack.isEmpty)
        }
        return parts
    }
}

extension ExploredStep {
    fileprivate func isNews(of worker: NodePath) -> Bool {
        guard case .worker(let news)? = inputs.first else { return false }
        return news.workerPath == worker
    }
}
