// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// The participant that stands for this device.
public class LocalParticipant: Participant, @unchecked Sendable {}
