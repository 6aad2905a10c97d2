import type { RawContext } from '@svc/core'
import { preferredLocale } from '../../accounts/preferred-locale.ts'
import { requestOrigin } from '../../caller/request-origin.ts'
import type { NewDeviceKey } from '../../capability/key-fields.ts'
import type { LoginResult } from '../../capability/login-result.ts'
import type { CheckedKey } from '../../capability/ways.ts'
import { checkNewKey } from '../../keys/check-new-key.ts'
import { refuseSecondId } from '../../keys/refuse-second-id.ts'
import type { ProviderIdentity } from '../../openid/provider.ts'
import { completeSignIn } from '../../sign-in/complete-sign-in.ts'
import { signInFrom } from '../accounts/account-of.ts'
import type { Arrival } from '../accounts/arrival.ts'
import type { SocialHeld } from '../held.ts'
import { NonceKeyBindingError } from './errors.ts'
import { identify } from './identify.ts'
import { requireNativeProvider } from './native-provider.ts'

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

/** Signs in whoever a provider's kit has given an app an id token for, which is good for the device's key alone. */
export async function oauthNative(auth: SocialHeld, native: Native): Promise<NativeResult> {
  const { raw, body } = native
  const origin = requestOrigin(raw)
  const provider = requireNativeProvider(auth, native.provider)
  // Bound to anything else, an id token that is read on its way would sign in the device of whoever reads it.
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

/** Apple tells the name to the app, once, and puts none into the id token. */
function named(identity: ProviderIdentity, name = ''): ProviderIdentity {
  return name.trim() === '' ? identity : { ...identity, name }
}

function signIn(auth: SocialHeld, key: CheckedKey, arrival: Arrival): Promise<NativeResult> {
  const { provider, origin, now } = arrival
  return signInFrom(auth, arrival, async (tx, { account, isNewUser }) => {
    const { userId, generation } = account
    // The id token holds for as long as its provider says, so it can be sent again after the device was signed out.
    await refuseSecondId(tx, key, userId)
    const signedIn = { userId, generation, key, origin, provider, channel: 'oauthNative' }
    const result = await completeSignIn(tx, auth, { ...signedIn, isNewUser, now })
    return { ...result, keyId: key.keyId, isNewUser }
  })
}
