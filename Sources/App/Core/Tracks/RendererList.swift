// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// The renderers of a track: kept weakly, called in the order in which they were added, never under the lock.
final class RendererList<Renderer>: Sendable {
    private struct Box: @unchecked Sendable {
        // SAFETY: only ever inside `boxes`; the renderer is the integrator's, whose `render` is documented to be called
        // on the thread that delivers the frame.
        weak var object: AnyObject?
    }

    private let boxes = Locked<[Box]>([])

    func add(_ renderer: Renderer) {
        let object = renderer as AnyObject
        boxes.withLock { boxes in
            boxes.removeAll { $0.object == nil || $0.object === object }
            boxes.append(Box(object: object))
        }
    }

    func remove(_ renderer: Renderer) {
        let object = renderer as AnyObject
        boxes.withLock { $0.removeAll { $0.object == nil || $0.object === object } }
    }

    var isEmpty: Bool { boxes.withLock { !$0.contains { $0.object != nil } } }

    func forEach(_ body: (Renderer) -> Void) {
        for box in boxes.withLock({ $0 }) {
            if let renderer = box.object as? Renderer { body(renderer) }
        }
    }
}
