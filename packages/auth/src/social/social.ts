import type { Db, HandlerContext, Infrastructure, Tx } from '@svc/core'
import { PgTransaction } from 'drizzle-orm/pg-core'
import { preferredLocale } from '../accounts/accounts.ts'
import { findRunningAuth, heldOf, runningHeld } from '../auth.ts'
import { requestOrigin } from '../caller/caller.ts'
import {
  checkIdentity,
  type OAuthProvider,
  type ProviderIdentity,
  type ProviderTokens,
  providersOf,
} from '../providers/providers.ts'
import {
  findFreshToken,
  keepTokens,
  type RenewalNeeds,
  renewAccessToken,
  signInFrom,
  type Wanted,
} from './accounts/accounts.ts'
import { readReturnUrl, waitForFinalize } from './browser/browser.ts'
import { socialContract } from './contract.ts'
import type { SocialHeld } from './held.ts'

export { dropTokens, findLinked, importLink, ringKeysOfTokens } from './accounts/accounts.ts'
export { listSocialAccounts } from './linking/linking.ts'

/** Signing in with an account elsewhere, on the server that got a request. */
export const socialOf = (server: Infrastructure) => heldOf(server, socialContract) as SocialHeld

/** The same on the server of this process. */
const runningSocial = () => runningHeld(socialContract) as SocialHeld

/** Null if no server is running. */
const findRunningSocial = () => (findRunningAuth() ? runningSocial() : null)

/**
 * The provider with that id: a registered one, or else a built-in one of the running server. Null
 * if there is none.
 */
export function getOAuthProvider(id: string): OAuthProvider | null {
  return running().find(id)
}

/** Every registered provider, whether or not it can be used to sign in. */
export function getRegisteredProviders(): OAuthProvider[] {
  return running().all()
}

const running = () => findRunningSocial()?.providers ?? providersOf(new Map())

/**
 * An access token for a user's Google account, valid for at least a minute: it is renewed if
 * needed.
 */
export async function getGoogleAccessToken(userId: string): Promise<string> {
  return getProviderAccessToken('google', userId)
}

/** The same for any provider that browsers sign in with. */
export async function getProviderAccessToken(provider: string, userId: string): Promise<string> {
  return accessTokenOf(runningSocial(), { provider, userId })
}

export async function accessTokenOf(auth: RenewalNeeds, wanted: Wanted) {
  return (await findFreshToken(auth, wanted)) ?? renewOnce(auth, wanted)
}

const underWay = new WeakMap<Db, Map<string, Promise<string>>>()

/** Concurrent callers in this process share one renewal. */
function renewOnce(auth: RenewalNeeds, wanted: Wanted) {
  const renewals = underWay.get(auth.db) ?? new Map<string, Promise<string>>()
  underWay.set(auth.db, renewals)
  const id = `${wanted.provider}:${wanted.userId}`
  const renewal =
    renewals.get(id) ?? renewAccessToken(auth, wanted).finally(() => renewals.delete(id))
  renewals.set(id, renewal)
  return renewal
}

/** A user whom a provider has sent to a callback of the application's own. */
export interface ProviderSignIn {
  /** The id of a registered provider. */
  provider: string
  identity: ProviderIdentity
  /** They are stored for `getProviderAccessToken`. */
  tokens?: ProviderTokens
  /** The metadata of a new account, for `beforeRegister` and `auth.register`. */
  metadata?: Record<string, unknown>
  /** The path of the web app that `finalize` returns. */
  returnUrl: string
}

interface ProviderSignedIn {
  /** For `finalize`, within five minutes: it registers the key of the device. */
  pendingToken: string
  userId: string
  isNewUser: boolean
}

/**
 * What the built-in callback does once it knows the user: it finds the account, links it or opens
 * one. Your callback must have checked that this browser has started the sign-in, and that it
 * doesn't come twice.
 */
export async function signInWithProvider(
  tx: Tx,
  { raw }: Pick<HandlerContext, 'raw'>,
  signIn: ProviderSignIn,
): Promise<ProviderSignedIn> {
  // The type says so too. On a connection of its own, each statement would stay even if the next
  // one failed.
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
    // It is a token, because no key was sent ahead.
    const pendingToken = (await waitForFinalize(inner, arrived)) as string
    return { pendingToken, userId: account.userId, isNewUser }
  })
}

async function kept(auth: SocialHeld, { provider, identity, tokens }: ProviderSignIn) {
  const { providerUserId } = identity
  return tokens ? keepTokens(auth, { provider, providerUserId }, tokens) : null
}
