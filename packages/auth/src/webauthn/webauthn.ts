import { algorithms, isSoundKey, readAuthenticatorData } from './authenticator-data.ts'
import { readCbor } from './cbor.ts'
import { isFramed } from './client-data.ts'
import type {
  AuthenticationResponse,
  CreationOptions,
  RegistrationResponse,
  RequestOptions,
} from './fields.ts'
import type { RelyingParty } from './relying-party.ts'

export { isSoundKey } from './authenticator-data.ts'
export { authenticatorName } from './authenticators.ts'
export { challengeOf } from './client-data.ts'
export { type RelyingParty, readRelyingParty, shownName } from './relying-party.ts'

interface Registration {
  readonly challenge: string
  readonly timeoutMillis: number
  readonly userId: string
  readonly userName: string
  readonly displayName: string
  /** The account's passkeys: an authenticator that holds one makes no second. */
  readonly exclude: readonly KnownPasskey[]
}

/** The options for an authenticator, to make a passkey that signs in without a name. */
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

/** The passkey that an authenticator has made; null if any part of it is not valid. */
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
 * The authenticator's statement about its maker was not requested, and is not read. To check it,
 * the library would fetch lists of revoked certificates from addresses in its certificates, which a
 * stranger has chosen.
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

interface Request {
  readonly challenge: string
  readonly timeoutMillis: number
  /** The passkeys that may sign; empty if the authenticator should offer those it has. */
  readonly allow: readonly KnownPasskey[]
  readonly userVerification?: RelyingParty['userVerification']
}

/** The options for an authenticator, to prove that it holds a passkey. */
export function assertionOptions(rp: RelyingParty, asked: Request): RequestOptions {
  return {
    challenge: asked.challenge,
    timeout: asked.timeoutMillis,
    rpId: rp.id,
    allowCredentials: descriptorsOf(asked.allow),
    userVerification: asked.userVerification ?? rp.userVerification,
  }
}

interface StoredPasskey extends KnownPasskey {
  readonly publicKey: string
  readonly counter: number
  readonly deviceType: 'singleDevice' | 'multiDevice'
}

interface Assertion {
  readonly response: AuthenticationResponse
  readonly challenge: string
  readonly passkey: StoredPasskey
  /** `userHandleOf` the account that the passkey belongs to. */
  readonly userHandle: string
  /** The request named no user, so the response must. */
  readonly isDiscoverable?: boolean
}

/** What an authenticator has proved; null if any part of it is not valid. */
export async function checkAssertion(rp: RelyingParty, assertion: Assertion) {
  const { response, challenge, passkey } = assertion
  const { verifyAuthenticationResponse } = await loadLibrary()
  return checkCeremony(async () => {
    if (isFramed(response) || response.id !== passkey.credentialId) return null
    if (!namesAccount(assertion)) return null
    readAuthenticatorData(Buffer.from(response.response.authenticatorData, 'base64url'))
    const publicKey = Buffer.from(passkey.publicKey, 'base64url')
    // An earlier version may have stored it without today's check.
    if (!isSoundKey(publicKey)) return null
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: plain(response),
      expectedChallenge: challenge,
      expectedOrigin: [...rp.origins],
      expectedRPID: rp.id,
      requireUserVerification: rp.userVerification === 'required',
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(publicKey),
        counter: passkey.counter,
      },
    })
    if (!verified) return null
    // Section 7.2: backup eligibility is fixed when a passkey is created. If it differs, this is another authenticator.
    if (authenticationInfo.credentialDeviceType !== passkey.deviceType) return null
    return {
      newCounter: authenticationInfo.newCounter,
      backedUp: authenticationInfo.credentialBackedUp,
      deviceType: authenticationInfo.credentialDeviceType,
      isUserVerified: authenticationInfo.userVerified,
    }
  })
}

function namesAccount({ response, userHandle, isDiscoverable = false }: Assertion) {
  const named = response.response.userHandle ?? null
  return named === null ? !isDiscoverable : named === userHandle
}

function plain({ id, rawId, type, response }: AuthenticationResponse) {
  const { clientDataJSON, authenticatorData, signature } = response
  return {
    id,
    rawId,
    type,
    response: { clientDataJSON, authenticatorData, signature },
    clientExtensionResults: {},
  }
}

/** A passkey by which a browser finds its authenticator. */
interface KnownPasskey {
  readonly credentialId: string
  readonly transports: readonly string[]
}

function descriptorsOf(passkeys: readonly KnownPasskey[]) {
  return passkeys.map(({ credentialId, transports }) => ({
    id: credentialId,
    type: 'public-key' as const,
    transports: [...transports],
  }))
}

/**
 * The account's id as authenticators store it: its 16 bytes, in base64url. It contains no name and
 * no address.
 */
export function userHandleOf(userId: string) {
  return Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
}

/**
 * Every fault of a response gets one refusal. The library throws for most of them, with messages
 * that reveal what was expected, and what it throws for a crafted response is not known.
 */
async function checkCeremony<Checked>(check: () => Promise<Checked | null>) {
  try {
    return await check()
  } catch {
    return null
  }
}

type Server = typeof import('@simplewebauthn/server')
type Helpers = typeof import('@simplewebauthn/server/helpers')

type Library = Pick<Server, 'verifyRegistrationResponse' | 'verifyAuthenticationResponse'> &
  Pick<Helpers, 'isoCBOR'>

/** Loading it takes a third of a second and 30 MB, so it waits for the first passkey. */
async function loadLibrary(): Promise<Library> {
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  return { ...server, ...helpers }
}
