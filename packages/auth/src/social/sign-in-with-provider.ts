import type { HandlerContext, Tx } from '@svc/core'
import { PgTransaction } from 'drizzle-orm/pg-core'
import { preferredLocale } from '../accounts/preferred-locale.ts'
import { requestOrigin } from '../caller/request-origin.ts'
import type { ProviderIdentity, ProviderTokens } from '../openid/provider.ts'
import { checkIdentity } from '../providers/check-identity.ts'
import { signInFrom } from './accounts/account-of.ts'
import { keepTokens } from './accounts/keep-tokens.ts'
import { waitForFinalize } from './browser/pending.ts'
import { readReturnUrl } from './browser/return-url.ts'
import type { SocialHeld } from './held.ts'
import { socialOf } from './social-of.ts'

/** Somebody whom a provider has sent to a callback of the application's own. */
export interface ProviderSignIn {
  /** The id of a registered provider. */
  provider: string
  identity: ProviderIdentity
  /** They are kept for `getProviderAccessToken`. */
  tokens?: ProviderTokens
  /** What `beforeRegister` and `auth.register` are told of a new account. */
  metadata?: Record<string, unknown>
  /** The path of the web app that `finalize` answers. */
  returnUrl: string
}

interface ProviderSignedIn {
  /** For `finalize`, within five minutes: it registers the key of the device. */
  pendingToken: string
  userId: string
  isNewUser: boolean
}

/**
 * What the built-in callback does once it knows who has come: it finds the account, links it or opens one. Whether it is
 * this browser that set out, and that nobody comes twice, is for the callback to have found out.
 */
export async function signInWithProvider(
  tx: Tx,
  { raw }: Pick<HandlerContext, 'raw'>,
  signIn: ProviderSignIn,
): Promise<ProviderSignedIn> {
  // The type says so too. On a connection of its own, each statement would stay if the next one failed.
  if (!(tx instanceof PgTransaction)) throw new Error('signInWithProvider needs a transaction.')
  const auth = socialOf(raw.server)
  const { provider, metadata } = signIn
  const returnUrl = readReturnUrl(signIn.returnUrl)
  const arrival = {
    provider,
    identity: checkIdentity(signIn.identity),
    tokens: await kept(auth, signIn),
    channel: 'oauth' as const,
    metadata,
    locale: preferredLocale(raw.req.header('accept-language')),
    origin: requestOrigin(raw),
    now: auth.clock.now(),
  }
  return signInFrom({ ...auth, db: tx }, arrival, async (inner, { account, isNewUser }) => {
    const state = { provider, returnUrl, key: null }
    const arrived = { account, isNewUser, state, now: arrival.now }
    // A token, because no key was sent ahead.
    const pendingToken = (await waitForFinalize(inner, arrived)) as string
    return { pendingToken, userId: account.userId, isNewUser }
  })
}

async function kept(auth: SocialHeld, { provider, identity, tokens }: ProviderSignIn) {
  const { providerUserId } = identity
  return tokens ? keepTokens(auth, { provider, providerUserId }, tokens) : null
}
