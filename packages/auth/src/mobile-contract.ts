import type { DeviceContract } from '@svc/core/contract'
import { t } from '@svc/core/contract'
import { KeyListItem, keyFields, LetIn } from './capability/key-fields.ts'
import { KeyedLoginResult, LoginResult } from './capability/login-result.ts'
import { Approved, Pending, WaitingDevice } from './device/contract.ts'
import { MfaStatus } from './mfa/contract.ts'
import { mobileContractVersion } from './proof/contract-version.ts'
import { proofProfile } from './proof/proof-input.ts'
import { proofWindow } from './proof/proof-time.ts'
import { NativeLoginResult } from './social/native/contract.ts'
import { AuthenticationResponse } from './webauthn/response-schemas.ts'

/** What clients on devices are built against: the operations that say `.inContract(…)`. `svc contract` prints it. */
export const mobileContract: DeviceContract = {
  name: 'svc-auth',
  version: mobileContractVersion,
  types: {
    AuthenticationResponse,
    DeviceApproved: Approved,
    DevicePending: Pending,
    DevicePlatform: keyFields.platform,
    KeyAlgorithm: keyFields.algorithm,
    KeyedLoginResult,
    KeyListItem,
    LetIn,
    LoginResult,
    MfaStatus,
    NativeLoginResult,
    NewDeviceKey: t.Object(keyFields),
    WaitingDevice,
  },
  profile: {
    name: proofProfile,
    headers: {
      profile: 'x-svc-auth-profile',
      clientId: 'x-svc-client-id',
      keyId: 'x-svc-key-id',
      nonce: 'x-svc-nonce',
      issuedAtMillis: 'x-svc-issued-at',
      proof: 'x-svc-proof',
    },
    optionalHeaders: {
      clientKind: 'x-svc-client-kind',
      clientVersion: 'x-svc-client-version',
      contractVersion: 'x-svc-client-contract-version',
    },
    answerHeaders: {
      contractVersion: 'x-svc-server-contract-version',
      supportedRange: 'x-svc-supported-contract-range',
    },
    nonceCharacters: { min: 16, max: 128 },
    window: proofWindow,
    refusals: {
      PROOF_INVALID: { status: 401 },
      PROOF_REPLAYED: { status: 401 },
      PROOF_EXPIRED: { status: 401 },
      SESSION_REVOKED: { status: 401 },
      PROFILE_REJECTED: { status: 400 },
      CONTRACT_UNSUPPORTED: { status: 409 },
    },
  },
}
