import type { DeviceContract } from '@svc/core/contract'
import type { AnyContract } from './capability/contract.ts'
import { mobileContractVersion, proofProfile } from './proof/client.ts'
import { proofWindow } from './proof/proof.ts'

/**
 * The contract for clients on devices: the operations that say `.inContract(…)`. `svc contract`
 * prints it.
 */
export const mobileContract = (contracts: readonly AnyContract[]): DeviceContract => ({
  name: 'svc-auth',
  version: mobileContractVersion,
  types: Object.assign({}, ...contracts.map(({ types }) => types)),
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
})
