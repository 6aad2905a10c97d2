import { type RawContext, ServiceUnavailableError } from '@svc/core'
import { preferredLocale } from '../../accounts/accounts.ts'
import { requestOrigin } from '../../caller/caller.ts'
import type { CheckedKey, Handlers } from '../../capability/capability.ts'
import type { LoginResult } from '../../capability/contract.ts'
import type { NewDeviceKey } from '../../capability/fields.ts'
import { checkNewKey, refuseSecondId } from '../../keys/keys.ts'
import {
  checkIdentity,
  inTime,
  type OAuthProvider,
  type ProviderIdentity,
  ProviderRefusalError,
} from '../../providers/providers.ts'
import { answerSignIn, completeSignIn } from '../../sign-in/sign-in.ts'
import { signInFrom } from '../accounts/accounts.ts'
import type { Arrival } from '../accounts/arrival.ts'
import { requireProvider } from '../browser/browser.ts'
import {
  InvalidSocialTokenError,
  NativeSignInUnsupportedError,
  NonceKeyBindingError,
} from '../errors.ts'
import type { SocialHeld, SocialNeeds } from '../held.ts'
import type { nativeOperations } from './contract.ts'

export const nativeHandlers: Handlers<typeof nativeOperations, SocialHeld> = {
  oauthNative: async ({ auth, params, body, c }) =>
    answerSignIn(c, await oauthNative(auth, { raw: c.raw, ...params, body })),
}

interface NativeBody extends NewDeviceKey {
  idToken: string
  nonce: string
  accessToken?: string | undefined
  profile?: { name?: string | undefined } | undefined
}

interface Native {
  raw: RawContext
  provider: string
  body: NativeBody
}

type NativeResult = LoginResult & { keyId: string; isNewUser: boolean }

/**
 * Signs in the user of an id token that a provider's SDK has given to an app. The token can be used
 * with the device's key only.
 */
async function oauthNative(auth: SocialHeld, native: Native): Promise<NativeResult> {
  const { raw, body } = native
  const origin = requestOrigin(raw)
  const provider = requireNativeProvider(auth, native.provider)
  // If it were bound to another value, an attacker who intercepts an id token could sign in with
  // their own device.
  if (body.nonce !== body.fingerprint) throw new NonceKeyBindingError()
  const key = checkNewKey(body)
  const identity = await identify(auth, provider, body)
  await auth.limits.take('native by target', `${provider.id} ${identity.providerUserId}`)
  return signIn(auth, key, {
    provider: provider.id,
    identity: named(identity, body.profile?.name),
    tokens: null,
    channel: 'native',
    locale: preferredLocale(raw.req.header('accept-language')),
    origin,
    now: auth.clock.now(),
  })
}

/** Apple tells the app the name, once, and leaves it out of the id token. */
function named(identity: ProviderIdentity, name = ''): ProviderIdentity {
  return name.trim() === '' ? identity : { ...identity, name }
}

function signIn(auth: SocialHeld, key: CheckedKey, arrival: Arrival): Promise<NativeResult> {
  const { provider, origin, now } = arrival
  return signInFrom(auth, arrival, async (tx, { account, isNewUser }) => {
    const { userId, generation } = account
    // The id token stays valid as long as its provider says, so it can be sent again after the
    // device was signed out.
    await refuseSecondId(tx, key, userId)
    const signedIn = { userId, generation, key, origin, provider, channel: 'oauthNative' }
    const result = await completeSignIn(tx, auth, { ...signedIn, isNewUser, now })
    return { ...result, keyId: key.keyId, isNewUser }
  })
}

interface Shown {
  idToken: string
  nonce: string
  accessToken?: string | undefined
}

/**
 * The user of an id token. If it is not valid or can't be checked, the reason is in the log and in
 * no response.
 */
async function identify(
  { log }: SocialNeeds<'log'>,
  provider: NativeProvider,
  { idToken, nonce, accessToken }: Shown,
): Promise<ProviderIdentity> {
  const given = { nonce, ...(accessToken !== undefined && { accessToken }) }
  try {
    return checkIdentity(await inTime(async () => provider.verifyNativeIdToken(idToken, given)))
  } catch (err) {
    if (err instanceof ProviderRefusalError) {
      log.info({ err, provider: provider.id }, 'an id token is not valid')
      throw new InvalidSocialTokenError()
    }
    log.warn({ err, provider: provider.id }, 'an id token cannot be checked')
    // Not 401: the app would discard a token that may well be valid (attack 16).
    throw new ServiceUnavailableError({ cause: err })
  }
}

type NativeProvider = OAuthProvider & Required<Pick<OAuthProvider, 'verifyNativeIdToken'>>

/** A provider whose id tokens this server accepts. */
function requireNativeProvider(auth: SocialNeeds<'providers'>, id: string): NativeProvider {
  const provider = requireProvider(auth, id)
  if (!isNative(provider)) throw new NativeSignInUnsupportedError()
  return provider
}

const isNative = (provider: OAuthProvider): provider is NativeProvider =>
  provider.verifyNativeIdToken !== undefined
