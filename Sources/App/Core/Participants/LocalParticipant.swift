// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import Foundation
import RevueDomain
import RevuePorts
import RevueTime

/// The participant that stands for this device: publishes tracks, switches the camera and the microphone.
public class LocalParticipant: Participant, @unchecked Sendable {
    // SAFETY: what changes is behind `state`; the rest as in `Participant`.
    private struct State {
        var camera: LocalVideoTrack?
        var microphone: LocalAudioTrack?
    }

    private struct WeakRevue: Sendable {
        weak var revue: Revue?
    }

    private let state = Locked(State())
    private let revue: WeakRevue
    private weak let driver: SessionDriver?

    init(peer: PeerID, profile: Profile, driver: SessionDriver, revue: Revue) {
        self.driver = driver
        self.revue = WeakRevue(revue: revue)
        super.init(peer: peer, profile: profile)
    }

    // MARK: - Tracks

    /// The camera's track: made when it is first asked for, the same until `destroy`.
    public var cameraTrack: LocalVideoTrack {
        made(\.camera) { adapters in
            LocalVideoTrack(
                source: .camera, name: Track.cameraName,
                capturer: CameraCapturer(makeCamera: adapters.makeCamera, scheduler: adapters.scheduler))
        }
    }

    /// The microphone's track: made when it is first asked for, the same until `destroy`.
    public var microphoneTrack: LocalAudioTrack {
        made(\.microphone) { adapters in
            LocalAudioTrack(
                source: .microphone, name: Track.microphoneName,
                capturer: MicrophoneCapturer(makeMicrophone: adapters.makeMicrophone, scheduler: adapters.scheduler))
        }
    }

    /// Whether the camera is switched on; changes as soon as the switch is called.
    public var isCameraActive: Bool { state.withLock { $0.camera }?.trackState == .started }
    /// Whether the microphone is switched on; changes as soon as the switch is called.
    public var isMicrophoneActive: Bool { state.withLock { $0.microphone }?.trackState == .started }

    /// What is published as video: one for each recipient.
    public var localVideoTracks: [LocalTrackPublication] { videoTracks.compactMap { $0 as? LocalTrackPublication } }
    /// What is published as audio: one for each recipient.
    public var localAudioTracks: [LocalTrackPublication] { audioTracks.compactMap { $0 as? LocalTrackPublication } }

    /// The video of this source that goes to a friend; nil when none does.
    public func videoPublication(source: Track.Source, to friendId: String) -> LocalTrackPublication? {
        localVideoTracks.first { $0.source == source && $0.recipient.base58 == friendId }
    }

    /// The audio that goes to a friend; nil when none does.
    public func audioPublication(to friendId: String) -> LocalTrackPublication? {
        localAudioTracks.first { $0.recipient.base58 == friendId }
    }

    // MARK: - Hardware

    /// Switches the camera. Publishes nothing and changes no `isMuted`; recipients see the placeholder while it is off.
    ///
    /// - Parameter options: what the camera should produce from now on; nil leaves that as it is. When they cannot be had,
    ///   the camera runs with those that it had, and the log says so.
    /// - Returns: the camera's track.
    @discardableResult
    @MainActor public func setCamera(enabled: Bool, options: CameraCaptureOptions? = nil) -> LocalVideoTrack? {
        let track = cameraTrack
        guard let driver, let capturer = track.capturer as? CameraCapturer else { return nil }
        setHardware(enabled ? .running : .stopped, of: track, driver)
        capturer.setRunning(enabled, options) { [weak self, weak driver] failure in
            switch failure {
            case .options(let error):
                driver?.log(LogLine(.warning, "camera", "The camera keeps its options: \(error)."))
            case .camera(let error):
                driver?.log(LogLine(.error, "camera", "The camera did not start: \(error). Calls go on without it."))
                self?.hardwareFailed(track)
            }
        }
        return track
    }

    /// Switches the microphone. Publishes nothing and changes no `isMuted`.
    ///
    /// - Returns: the microphone's track.
    @discardableResult
    public func setMicrophone(enabled: Bool) -> LocalAudioTrack? {
        let track = microphoneTrack
        guard let driver, let capturer = track.capturer as? MicrophoneCapturer else { return nil }
        setHardware(enabled ? .running : .stopped, of: track, driver)
        capturer.setRunning(enabled) { [weak self, weak driver] error in
            driver?.log(
                LogLine(.error, "microphone", "The microphone did not start: \(error). Calls go on without it."))
            self?.hardwareFailed(track)
        }
        return track
    }

    /// Switches a source for everyone: the camera's hardware, or the mute of the microphone's track.
    ///
    /// - Returns: the track's publications.
    /// - Throws: `RoomMessageError.unsupportedSource` for any other source.
    @discardableResult
    public func set(source: Track.Source, enabled: Bool) async throws -> [LocalTrackPublication] {
        switch source {
        case .camera:
            await setCamera(enabled: enabled)
            return localVideoTracks.filter { $0.source == .camera }
        case .microphone:
            await microphoneTrack.setMuted(!enabled)
            return localAudioTracks.filter { $0.source == .microphone }
        default: throw RoomMessageError.unsupportedSource(source)
        }
    }

    private func setHardware(_ hardware: HardwareState, of track: Track, _ driver: SessionDriver) {
        if hardware == .stopped, track.trackState == .stopped { return }
        track.trackState = hardware == .running ? .started : .stopped
        driver.perform { session, now in session.setHardware(hardware, of: track.trackID, at: now) }
    }

    /// What did not start was never on: nothing is sent rather than a placeholder.
    private func hardwareFailed(_ track: Track) {
        track.trackState = .stopped
        driver?.perform { session, now in session.setHardware(.neverStarted, of: track.trackID, at: now) }
    }

    private func made<T: Track>(_ slot: WritableKeyPath<State, T?>, _ make: (Adapters) -> T) -> T {
        if let known = state.withLock({ $0[keyPath: slot] }) { return known }
        guard let adapters = driver?.adapters else { preconditionFailure("the driver made this participant") }
        let new = make(adapters)
        let (track, isNew) = state.withLock { state in
            if let known = state[keyPath: slot] { return (known, false) }
            state[keyPath: slot] = new
            return (new, true)
        }
        if isNew, let driver { claim(track, hardware: .neverStarted, driver) }
        return track
    }

    @discardableResult
    private func claim(_ track: Track, hardware: HardwareState, _ driver: SessionDriver) -> Bool {
        let owner = (track as? LocalVideoTrack)?.owner ?? (track as? LocalAudioTrack)?.owner
        guard let owner, owner.claim(for: driver) else { return false }
        driver.perform { session, _ in
            session.add(track.description(hardware: hardware))
            return []
        }
        driver.remember(track)
        return true
    }

    // MARK: - Publishing

    /// Sends a video track to one participant, and returns once their device knows of it.
    ///
    /// - Throws: `RoomError.videoPublicationAlreadyExists` when they get video already, `.invalidParameter`,
    ///   `.codecNotSupported`, `.disconnected` when the call has ended, `.timedOut`, `.cancelled`.
    public func publish(
        videoTrack: LocalVideoTrack, to participant: RemoteParticipant, options: VideoPublishOptions? = nil
    ) async throws -> LocalTrackPublication {
        let options = options ?? VideoPublishOptions()
        try options.validate()
        guard let driver else { throw RoomError.notInitialized }
        try driver.requireEncoder(for: options.codec)
        return try await publish(videoTrack, .video(videoTrack, options), to: participant, driver)
    }

    /// Sends an audio track to one participant, and returns once their device knows of it.
    ///
    /// - Throws: `RoomError.audioPublicationAlreadyExists` when they get audio already, `.invalidParameter`,
    ///   `.disconnected` when the call has ended, `.timedOut`, `.cancelled`.
    public func publish(
        audioTrack: LocalAudioTrack, to participant: RemoteParticipant, options: AudioPublishOptions? = nil
    ) async throws -> LocalTrackPublication {
        let options = options ?? AudioPublishOptions()
        try options.validate()
        guard let driver else { throw RoomError.notInitialized }
        return try await publish(audioTrack, .audio(audioTrack, options), to: participant, driver)
    }

    /// Sends the camera to one participant. Does not switch it on.
    @discardableResult
    @MainActor public func publishCamera(
        to participant: RemoteParticipant, options: VideoPublishOptions? = nil
    ) async throws -> LocalTrackPublication {
        try await publish(videoTrack: cameraTrack, to: participant, options: options)
    }

    /// Sends the microphone to one participant. Does not switch it on.
    @discardableResult
    @MainActor public func publishMicrophone(
        to participant: RemoteParticipant, options: AudioPublishOptions? = nil
    ) async throws -> LocalTrackPublication {
        try await publish(audioTrack: microphoneTrack, to: participant, options: options)
    }

    /// Stops sending a publication at once. The track stays and can be published again.
    public func unpublish(publication: LocalTrackPublication) {
        driver?.perform { session, now in session.unpublish(publication.publicationID, at: now) }
    }

    /// Stops sending everything to everyone.
    public func unpublishAll() {
        for publication in localVideoTracks + localAudioTracks { unpublish(publication: publication) }
    }

    private func publish(
        _ track: Track, _ specification: SendSpecification, to participant: RemoteParticipant, _ driver: SessionDriver
    ) async throws -> LocalTrackPublication {
        guard claim(track, hardware: .external, driver) else { throw RoomError.trackAlreadyPublished }
        do {
            let id = try await driver.publish(
                specification, track: track.trackID, to: participant.peer, formats: driver.formats(track.kind))
            guard let publication = publication(id) else { throw RoomError.disconnected }
            return publication
        } catch let failure as PublishFailure {
            throw RoomError(failure, track.kind, participant.identity)
        } catch let failure as OperationFailure {
            throw RoomError(failure)
        }
    }

    private func publication(_ id: PublicationID) -> LocalTrackPublication? {
        trackPublications.values.lazy.compactMap { $0 as? LocalTrackPublication }.first { $0.publicationID == id }
    }

    // MARK: - Messages and profile

    /// Sends a text to one participant in the room and waits until their device has it.
    ///
    /// - Parameter timeout: seconds to wait, 5…30; what lies outside is clamped, NaN means 10.
    /// - Returns: the message's number in this session.
    /// - Throws: `RoomMessageError`, or `CancellationError` when the task is cancelled or the instance destroyed.
    @discardableResult
    public func publish(
        message: String, to participant: RemoteParticipant, timeout: TimeInterval = 10
    ) async throws -> UInt32 {
        guard let driver else { throw RoomMessageError.transportFailed(underlying: .notInitialized) }
        let operation = driver.waiters.makeOperation()
        var messageID: UInt32 = 0
        do {
            messageID = try driver.perform { (session, now) throws(MessageFailure) in
                try session.sendMessage(
                    message, to: participant.peer, timeout: MessageTimeout.clamped(timeout), operation: operation,
                    at: now)
            }
            try await driver.end(of: operation)
        } catch {
            throw MessageErrors.room(error, messageID: messageID)
        }
        return messageID
    }

    /// Sets the own name for all friends; the same as `Revue.setSelfName`.
    @discardableResult
    @MainActor public func set(name: String) -> Bool { revue.revue?.setSelfName(name) ?? false }

    /// Sets the own status message for all friends; the same as `Revue.setSelfStatusMessage`.
    @discardableResult
    @MainActor public func set(statusMessage: String) -> Bool {
        revue.revue?.setSelfStatusMessage(statusMessage) ?? false
    }

    /// Sets the own availability for all friends; the same as `Revue.setSelfStatus`.
    @discardableResult
    @MainActor public func set(status: UserStatus) -> Bool { revue.revue?.setSelfStatus(status) ?? false }
}

extension RoomError {
    init(_ failure: PublishFailure, _ kind: Track.Kind, _ friendID: String) {
        switch failure {
        case .notConnected: self = .disconnected
        case .slotTaken where kind == .video: self = .videoPublicationAlreadyExists(friendId: friendID)
        case .slotTaken: self = .audioPublicationAlreadyExists(friendId: friendID)
        case .unknownTrack: self = .publishNotAllowed
        }
    }

    init(_ failure: OperationFailure) {
        switch failure {
        case .disconnected, .notReachable: self = .disconnected
        case .timedOut: self = .timedOut
        case .cancelled: self = .cancelled
        case .queueFull: self = .dataPublishFailed(reason: "too much waits already; try again when the path is better")
        }
    }
}
