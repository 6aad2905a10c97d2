import { readAuthenticatorData } from './authenticator-data.ts'
import { checkCeremony } from './check-ceremony.ts'
import { isFramed } from './client-data.ts'
import { descriptorsOf, type KnownPasskey } from './descriptors.ts'
import { loadLibrary } from './library.ts'
import { isSoundKey } from './passkey-key.ts'
import type { RelyingParty } from './relying-party.ts'
import type { AuthenticationResponse, RequestOptions } from './response-schemas.ts'

interface Request {
  readonly challenge: string
  readonly timeoutMillis: number
  /** The passkeys that may sign; none when the authenticator shall offer those it has. */
  readonly allow: readonly KnownPasskey[]
  readonly userVerification?: RelyingParty['userVerification']
}

/** What to ask an authenticator for, to prove that it holds a passkey. */
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
  /** Nobody said who signs in, so the response must. */
  readonly isDiscoverable?: boolean
}

/** What an authenticator has proved; null when anything about it does not hold. */
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
