// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevuePorts

/// What an instance is plugged into. `Adapters.default` of RevueSDK is the set for a desktop; replace any field.
public struct Adapters: Sendable {
    /// Makes a camera; throws when there is none.
    public typealias CameraMaker = @Sendable () throws(CaptureError) -> any VideoSource
    /// Makes a microphone; throws when there is none.
    public typealias MicrophoneMaker = @Sendable () throws(CaptureError) -> any AudioSource

    /// Time, lanes and randomness.
    public var scheduler: any Scheduler
    /// Makes the transport of one `initialize`.
    public var makeTransport: @Sendable () -> any Transport
    /// Makes video codecs; the first factory that has a codec makes it.
    public var videoCodecs: [any VideoCodecFactory]
    /// Makes audio codecs.
    public var audioCodecs: any AudioCodecFactory
    /// Changes format and size of pictures.
    public var pixelConverter: any PixelConverter
    /// Keeps identities.
    public var identityStore: any IdentityStore
    /// Encrypts identities for which a password is given; nil: this machine cannot, and a password is refused.
    public var savedataCipher: (any SavedataCipher)?
    /// Judges licences.
    public var licenseVerifier: any LicenseVerifier
    /// Makes the camera of `setCamera(enabled:)`; nil: this machine has none.
    public var makeCamera: CameraMaker?
    /// Makes the microphone of `setMicrophone(enabled:)`; nil: this machine has none.
    public var makeMicrophone: MicrophoneMaker?
    /// Where the mix of all received sound is played; nil: nowhere.
    public var audioSink: (any AudioSink)?

    /// A set of adapters.
    public init(
        scheduler: any Scheduler, makeTransport: @escaping @Sendable () -> any Transport,
        videoCodecs: [any VideoCodecFactory], audioCodecs: any AudioCodecFactory, pixelConverter: any PixelConverter,
        identityStore: any IdentityStore, licenseVerifier: any LicenseVerifier, makeCamera: CameraMaker? = nil,
        makeMicrophone: MicrophoneMaker? = nil, audioSink: (any AudioSink)? = nil,
        savedataCipher: (any SavedataCipher)? = nil
    ) {
        self.scheduler = scheduler
        self.makeTransport = makeTransport
        self.videoCodecs = videoCodecs
        self.audioCodecs = audioCodecs
        self.pixelConverter = pixelConverter
        self.identityStore = identityStore
        self.licenseVerifier = licenseVerifier
        self.makeCamera = makeCamera
        self.makeMicrophone = makeMicrophone
        self.audioSink = audioSink
        self.savedataCipher = savedataCipher
    }

    func makeEncoder(_ settings: VideoEncoderSettings) throws(CodecError) -> any VideoEncoder {
        for factory in videoCodecs where factory.codecs.contains(settings.codec) {
            return try factory.makeEncoder(settings)
        }
        throw .notAvailable(codec: "\(settings.codec)")
    }

    func makeDecoder(_ codec: VideoCodecKind) throws(CodecError) -> any VideoDecoder {
        for factory in videoCodecs where factory.codecs.contains(codec) { return try factory.makeDecoder(codec) }
        throw .notAvailable(codec: "\(codec)")
    }
}
