import type { RawContext } from '@svc/core'
import { equal } from '../../crypto/crypto.ts'
import type { SocialNeeds } from '../held.ts'
import { stateMillis } from './state.ts'

/** Browsers don't separate cookies by port, so each process that sets one uses its own name. */
const prefix = 'svc_oauth_csrf'
/**
 * The same nonce in a cookie that no other host of the domain can write. A sibling host that plants
 * the first one could send a victim back with its own state, whose key then signs in as the victim.
 */
const boundPrefix = '__Host-svc_oauth_nonce'

/**
 * For a browser that comes without the web proxy: the cookies belong to the host that also has the
 * callback.
 */
export function nonceCookies(raw: RawContext, { env }: SocialNeeds<'env'>, nonce: string) {
  const maxAgeSeconds = stateMillis / 1000
  const names = env.SVC_AUTH_COOKIE_SECURE ? [prefix, boundPrefix] : [prefix]
  return names.map((name) =>
    setCookie(
      { name: `${name}_${raw.incoming.socket.localPort}`, value: nonce, maxAgeSeconds },
      env,
    ),
  )
}

/**
 * The names of the cookies that have the nonce; stale ones of other ports do no harm. Null if it is
 * missing. Over https, both cookies must have it.
 */
export function findNonce(raw: RawContext, { env }: SocialNeeds<'env'>, nonce: string) {
  const names = cookiesOf(raw).flatMap(([name, value]) => (equal(value, nonce) ? [name] : []))
  const found = names.filter((name) => isNonceCookie(name))
  const isThere = found.some((name) => name.startsWith(prefix))
  const isBound = found.some((name) => name.startsWith(boundPrefix))
  return isThere && (isBound || !env.SVC_AUTH_COOKIE_SECURE) ? found : null
}

/** Whether the browser stores our cookies at all. */
export function hasNonceCookie(raw: RawContext, { env }: SocialNeeds<'env'>) {
  const needed = env.SVC_AUTH_COOKIE_SECURE ? boundPrefix : prefix
  return cookiesOf(raw).some(([name]) => name.startsWith(needed))
}

const isNonceCookie = (name: string) => [prefix, boundPrefix].some((each) => name.startsWith(each))

export function clearCookie(name: string, { env }: SocialNeeds<'env'>) {
  return setCookie({ name, value: '', maxAgeSeconds: 0 }, env)
}

interface Cookie {
  name: string
  value: string
  maxAgeSeconds: number
}

function setCookie(
  { name, value, maxAgeSeconds }: Cookie,
  { SVC_AUTH_COOKIE_SECURE: isSecure }: SocialNeeds<'env'>['env'],
) {
  const secure = isSecure ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax; HttpOnly${secure}`
}

/**
 * Trims only a browser's own spaces: with another kind of space first, a sibling host can write
 * `__Host-`, which the browser then does not take for the prefix.
 */
function cookiesOf(raw: RawContext) {
  const pairs = (raw.req.header('cookie') ?? '').split(';')
  return pairs.map((pair) => {
    const [name = '', ...value] = pair.replace(/^[ \t]+|[ \t]+$/g, '').split('=')
    return [name, value.join('=')] as const
  })
}

// The web proxy reads it under the name that it uses for its own.
const nameOf = ({ SVC_AUTH_COOKIE_SECURE: isSecure }: SocialNeeds<'env'>['env']) =>
  `${isSecure ? '__Host-' : ''}svc_oauth_pending`

/** The cookie with which a browser without a key finishes. */
export function pendingCookie({ env }: SocialNeeds<'env'>, token: string, maxAgeSeconds: number) {
  return setCookie({ name: nameOf(env), value: token, maxAgeSeconds }, env)
}

/**
 * If there are two, one may be an attacker's from another host, and would sign the browser in as
 * the attacker. So neither counts.
 */
export function readPendingCookie(raw: RawContext, { env }: SocialNeeds<'env'>) {
  const name = nameOf(env)
  const [own, ...others] = cookiesOf(raw).filter(([each]) => each === name)
  return own && others.length === 0 ? own[1] : null
}
