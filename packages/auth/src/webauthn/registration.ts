import { readAuthenticatorData } from './authenticator-data.ts'
import { readCbor } from './cbor.ts'
import { checkCeremony } from './check-ceremony.ts'
import { isFramed } from './client-data.ts'
import { descriptorsOf, type KnownPasskey } from './descriptors.ts'
import { type Library, loadLibrary } from './library.ts'
import { algorithms, isSoundKey } from './passkey-key.ts'
import type { RelyingParty } from './relying-party.ts'
import type { CreationOptions, RegistrationResponse } from './response-schemas.ts'
import { userHandleOf } from './user-handle.ts'

interface Registration {
  readonly challenge: string
  readonly timeoutMillis: number
  readonly userId: string
  readonly userName: string
  readonly displayName: string
  /** The account's passkeys: an authenticator that holds one makes no second. */
  readonly exclude: readonly KnownPasskey[]
}

/** What to ask an authenticator for, to make a passkey that signs in without a name. */
export function registrationOptions(rp: RelyingParty, asked: Registration): CreationOptions {
  return {
    rp: { id: rp.id, name: rp.name },
    user: {
      id: userHandleOf(asked.userId),
      name: asked.userName,
      displayName: asked.displayName,
    },
    challenge: asked.challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: asked.timeoutMillis,
    excludeCredentials: descriptorsOf(asked.exclude),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: rp.userVerification,
    },
    attestation: 'none',
  }
}

/** The passkey that an authenticator has made; null when anything about it does not hold. */
export async function checkRegistration(
  rp: RelyingParty,
  { response, challenge }: { response: RegistrationResponse; challenge: string },
) {
  const library = await loadLibrary()
  return checkCeremony(async () => {
    if (isFramed(response)) return null
    const authData = authenticatorDataOf(response)
    const { key } = readAuthenticatorData(authData)
    if (!key || !isSoundKey(key)) return null
    const { registrationInfo } = await library.verifyRegistrationResponse({
      response: withoutStatement(library, { response, authData }),
      expectedChallenge: challenge,
      expectedOrigin: [...rp.origins],
      expectedRPID: rp.id,
      requireUserVerification: rp.userVerification === 'required',
      supportedAlgorithmIDs: algorithms,
    })
    if (!registrationInfo || registrationInfo.credential.id !== response.id) return null
    const { credential, ...info } = registrationInfo
    // The library encodes the key again. If the bytes differ, it is not the key that was checked.
    if (!key.equals(credential.publicKey)) return null
    return {
      credentialId: credential.id,
      publicKey: key.toString('base64url'),
      counter: credential.counter,
      deviceType: info.credentialDeviceType,
      backedUp: info.credentialBackedUp,
      transports: response.response.transports ?? [],
      aaguid: info.aaguid,
      isUserVerified: info.userVerified,
    }
  })
}

/** The signed part of an attestation, which ends where its bytes do. */
function authenticatorDataOf({ response }: RegistrationResponse) {
  const bytes = Buffer.from(response.attestationObject, 'base64url')
  const { value, end } = readCbor(bytes)
  const authData = value instanceof Map ? value.get('authData') : null
  if (end !== bytes.length || !Buffer.isBuffer(authData))
    throw new TypeError('It is no attestation.')
  return authData
}

/**
 * What an authenticator says of its maker was not asked for, and is not read. To check it, the library would fetch
 * lists of revoked certificates from wherever the certificates in it say: addresses that a stranger has chosen.
 */
function withoutStatement(
  { isoCBOR }: Library,
  { response, authData }: { response: RegistrationResponse; authData: Uint8Array },
) {
  const { id, rawId, type } = response
  const none = new Map<string, string | Map<string, string> | Uint8Array>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', authData],
  ])
  const attestationObject = Buffer.from(isoCBOR.encode(none)).toString('base64url')
  return {
    id,
    rawId,
    type,
    response: { clientDataJSON: response.response.clientDataJSON, attestationObject },
    clientExtensionResults: {},
  }
}
