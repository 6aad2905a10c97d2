import type { RawContext } from '@svc/core'
import { equal } from '../../crypto/crypto.ts'
import type { SocialNeeds } from '../held.ts'
import { stateMillis } from './state.ts'

/** Cookies are not kept apart by port, so each process that sets one has a name of its own. */
const prefix = 'svc_oauth_csrf'
/**
 * The same nonce where no other host of the domain can write it. A sibling that plants the first one could send a victim
 * back with a state of its own, whose key then signs in as the victim.
 */
const boundPrefix = '__Host-svc_oauth_nonce'

/** For a browser that comes without the web proxy: the cookies are on the host that the callback is on too. */
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
 * The names of the cookies that have the nonce; stale ones of other ports do no harm. Null where it is not there, over
 * https in each of the two.
 */
export function findNonce(raw: RawContext, { env }: SocialNeeds<'env'>, nonce: string) {
  const names = cookiesOf(raw).flatMap(([name, value]) => (equal(value, nonce) ? [name] : []))
  const found = names.filter((name) => isNonceCookie(name))
  const isThere = found.some((name) => name.startsWith(prefix))
  const isBound = found.some((name) => name.startsWith(boundPrefix))
  return isThere && (isBound || !env.SVC_AUTH_COOKIE_SECURE) ? found : null
}

/** Whether the browser keeps cookies of ours at all. */
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
 * Only a browser's own spaces are taken off: before another kind of space a sibling host can write `__Host-`, which the
 * browser then takes for no prefix.
 */
function cookiesOf(raw: RawContext) {
  const pairs = (raw.req.header('cookie') ?? '').split(';')
  return pairs.map((pair) => {
    const [name = '', ...value] = pair.replace(/^[ \t]+|[ \t]+$/g, '').split('=')
    return [name, value.join('=')] as const
  })
}

// The web proxy reads it under the names that it gives its own.
const nameOf = ({ SVC_AUTH_COOKIE_SECURE: isSecure }: SocialNeeds<'env'>['env']) =>
  `${isSecure ? '__Host-' : ''}svc_oauth_pending`

/** What a browser that went without a key finishes with. */
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
