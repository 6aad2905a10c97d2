import { checkCeremony } from './check-ceremony.ts'
import { isFramed } from './client-data.ts'
import { descriptorsOf, type KnownPasskey } from './descriptors.ts'
import { type Library, loadLibrary } from './library.ts'
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

// ES256, EdDSA and RS256, as COSE numbers them: every authenticator has one, and Windows Hello may have only the last.
const algorithms = [-7, -8, -257]

// RSA with 4,096 bits has 527; a longer one is only slow to check.
const maxPublicKeyBytes = 1024

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
    const { registrationInfo } = await library.verifyRegistrationResponse({
      response: withoutStatement(library, response),
      expectedChallenge: challenge,
      expectedOrigin: [...rp.origins],
      expectedRPID: rp.id,
      requireUserVerification: rp.userVerification === 'required',
      supportedAlgorithmIDs: algorithms,
    })
    if (!registrationInfo || registrationInfo.credential.id !== response.id) return null
    const { credential, ...info } = registrationInfo
    if (credential.publicKey.length > maxPublicKeyBytes) return null
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      deviceType: info.credentialDeviceType,
      backedUp: info.credentialBackedUp,
      transports: response.response.transports ?? [],
      aaguid: info.aaguid,
      isUserVerified: info.userVerified,
    }
  })
}

/**
 * What an authenticator says of its maker was not asked for, and is not read. To check it, the library would fetch
 * lists of revoked certificates from wherever the certificates in it say: addresses that a stranger has chosen.
 */
function withoutStatement(
  { decodeAttestationObject, isoCBOR }: Library,
  { id, rawId, type, response }: RegistrationResponse,
) {
  const given = Buffer.from(response.attestationObject, 'base64url')
  const attestation = decodeAttestationObject(new Uint8Array(given))
  const none = new Map<string, string | Map<string, string> | Uint8Array>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', attestation.get('authData')],
  ])
  const attestationObject = Buffer.from(isoCBOR.encode(none)).toString('base64url')
  return {
    id,
    rawId,
    type,
    response: { clientDataJSON: response.clientDataJSON, attestationObject },
    clientExtensionResults: {},
  }
}
