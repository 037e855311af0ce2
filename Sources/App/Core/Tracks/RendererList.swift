// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// The renderers of a track: kept weakly, called in the order in which they were added, never under the lock.
final class RendererList<Renderer>: @unchecked Sendable {
    // SAFETY: the boxes are touched under the lock alone; the renderers themselves are the integrator's, whose
    // `render` is documented to be called on the thread that delivers the frame.
    private struct Box {
        weak var object: AnyObject?
    }

    private let lock = Locked(())
    private var boxes: [Box] = []

    func add(_ renderer: Renderer) {
        let object = renderer as AnyObject
        lock.withLock { _ in
            boxes.removeAll { $0.object == nil || $0.object === object }
            boxes.append(Box(object: object))
        }
    }

    func remove(_ renderer: Renderer) {
        let object = renderer as AnyObject
        lock.withLock { _ in boxes.removeAll { $0.object == nil || $0.object === object } }
    }

    var isEmpty: Bool { lock.withLock { _ in !boxes.contains { $0.object != nil } } }

    func forEach(_ body: (Renderer) -> Void) {
        let objects = lock.withLock { _ in boxes.compactMap(\.object) }
        for object in objects {
            if let renderer = object as? Renderer { body(renderer) }
        }
    }
}
