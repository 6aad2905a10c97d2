import { clientAddress, type RawContext } from '@svc/core'
import { preferredLocale } from '../../accounts/accounts.ts'
import { requestOrigin } from '../../caller/caller.ts'
import { isSpent, spendOnce } from '../../once/once.ts'
import {
  type CodeExchange,
  checkIdentity,
  inTime,
  type OAuthProvider,
  type ProviderIdentity,
  ProviderRefusalError,
  type ProviderTokens,
  redirectUriOf,
} from '../../providers/providers.ts'
import { linkTo, signInFrom } from '../accounts/accounts.ts'
import type { Arrival } from '../accounts/arrival.ts'
import { keepTokens } from '../accounts/tokens.ts'
import { errorPage, type SocialHeld, type SocialNeeds } from '../held.ts'
import { CallbackError, failureOf } from './callback-failure.ts'
import { clearCookie, findNonce, hasNonceCookie, pendingCookie } from './cookies.ts'
import { requireWebProvider } from './leave.ts'
import { pendingMillis, waitForFinalize } from './pending.ts'
import { type OAuthState, openState } from './state.ts'

interface Callback {
  raw: RawContext
  provider: string
  /** Text, unless a name was sent several times. */
  query: { state?: unknown; code?: unknown; error?: unknown }
}

/** Where the browser goes next, with the cookies that it gets. */
interface Leading {
  readonly to: string
  readonly cookies: readonly string[]
}

/**
 * Signs in the user that a provider sends back, as far as possible in a browser without a key:
 * `finalize` does the rest.
 */
export async function handleCallback(auth: SocialHeld, callback: Callback): Promise<Leading> {
  const provider = requireWebProvider(auth, callback.provider)
  try {
    await auth.limits.take('oauth by address', clientAddress(callback.raw))
    const { state, nonceCookies } = await readState(auth, callback)
    const arrival = await arrivalOf(auth, { ...callback, from: provider, state })
    const leading = await (state.linkTo
      ? addToAccount(auth, state, arrival)
      : signIn(auth, state, arrival))
    const spent = nonceCookies.map((name) => clearCookie(name, auth))
    return { ...leading, cookies: [...leading.cookies, ...spent] }
  } catch (error) {
    const page = errorPage(
      auth.resultPages.error,
      failureOf(error, { log: auth.log.child({ provider: provider.id }) }),
    )
    return { to: new URL(page, auth.appUrl).href, cookies: [] }
  }
}

/** The state of this browser, for this provider, used for the first time. */
async function readState(auth: SocialHeld, { raw, provider, query }: Callback) {
  const state = typeof query.state === 'string' ? await openState(auth, query.state) : null
  // It is meant for another provider, and its code would be sent to this one (mix-up, attack 15).
  if (!state || state.provider !== provider) throw new CallbackError('state_invalid')
  const expiresAt = new Date(state.expiresAtMillis)
  if (expiresAt <= auth.clock.now()) throw new CallbackError('expired')
  // The code of another user must not sign this browser in.
  const nonceCookies = findNonce(raw, auth, state.nonce)
  if (!nonceCookies) {
    // A reloaded page has used its cookie up.
    const isKnown = hasNonceCookie(raw, auth) || (await isSpent(auth.db, idOf(state)))
    throw new CallbackError(isKnown ? 'state_invalid' : 'cookie_missing')
  }
  if (!(await spendOnce(auth.db, idOf(state), expiresAt))) {
    throw new CallbackError('state_invalid')
  }
  return { state, nonceCookies }
}

const idOf = ({ id }: OAuthState) => `oauth-state:${id}`

interface Returning extends Callback {
  from: OAuthProvider
  state: OAuthState
}

async function arrivalOf(
  auth: SocialHeld,
  { raw, query, from, state }: Returning,
): Promise<Arrival> {
  const { code } = query
  if (typeof code !== 'string' || query.error !== undefined) {
    throw new CallbackError('provider_error')
  }
  const { tokens, identity } = await redeemCode(auth, from, {
    exchange: {
      redirectUri: redirectUriOf(auth, from.id),
      code,
      codeVerifier: state.codeVerifier,
      state: query.state as string,
    },
    nonce: state.idTokenNonce,
  })
  const elsewhere = { provider: from.id, providerUserId: identity.providerUserId }
  return {
    provider: from.id,
    identity,
    tokens: await keepTokens(auth, elsewhere, tokens),
    channel: 'oauth',
    metadata: state.metadata ?? undefined,
    locale: preferredLocale(raw.req.header('accept-language')),
    origin: requestOrigin(raw),
    now: auth.clock.now(),
  }
}

async function signIn(auth: SocialHeld, state: OAuthState, arrival: Arrival): Promise<Leading> {
  const { token, isFactorDue } = await signInFrom(auth, arrival, async (tx, found) => ({
    token: await waitForFinalize(tx, { ...found, state, now: arrival.now }),
    isFactorDue: found.account.secondFactorSince !== null,
  }))
  const { SVC_AUTH_MFA_CONFIRM_PATH } = auth.env
  // Every page finalizes first: only then is there a challenge.
  const page = isFactorDue ? `${SVC_AUTH_MFA_CONFIRM_PATH}?oauth=pending` : auth.resultPages.success
  return {
    to: new URL(page, auth.appUrl).href,
    cookies: token === null ? [] : [pendingCookie(auth, token, pendingMillis / 1000)],
  }
}

async function addToAccount(
  auth: SocialHeld,
  state: OAuthState,
  arrival: Arrival,
): Promise<Leading> {
  await linkTo(auth, state.linkTo as NonNullable<OAuthState['linkTo']>, arrival)
  const to = new URL(state.returnUrl, auth.appUrl)
  to.searchParams.set('linked', state.provider)
  return { to: to.href, cookies: [] }
}

interface Redeeming {
  exchange: CodeExchange
  /** The nonce that the id token must contain. */
  nonce: string
}

/**
 * The user who has come back with a code, and what they have allowed us. If that fails, the reason
 * is in the log, and on no page.
 */
async function redeemCode(
  { log }: SocialNeeds<'log'>,
  provider: OAuthProvider,
  { exchange, nonce }: Redeeming,
): Promise<{ tokens: ProviderTokens; identity: ProviderIdentity }> {
  try {
    return await inTime(async () => {
      const tokens = await provider.exchangeCode(exchange)
      return { tokens, identity: checkIdentity(await provider.getIdentity(tokens, { nonce })) }
    })
  } catch (err) {
    const isRefused = err instanceof ProviderRefusalError
    const told = isRefused ? 'a provider refused a sign-in' : 'a provider cannot be reached'
    log.warn({ err, provider: provider.id }, told)
    throw new CallbackError('provider_error')
  }
}
