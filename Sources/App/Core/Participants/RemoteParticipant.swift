// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A friend in the call.
public class RemoteParticipant: Participant, @unchecked Sendable {}
