import type { RawContext } from '@svc/core'
import type { Needs } from '../auth.ts'
import { equal } from '../crypto/constant-time.ts'
import { stateMillis } from './state.ts'

/** Cookies are not kept apart by port, so each process that sets one has a name of its own. */
const prefix = 'svc_oauth_csrf'

/** For a browser that comes without the web proxy: the cookie is on the host that the callback is on too. */
export function nonceCookie(raw: RawContext, { env }: Needs<'env'>, nonce: string) {
  const name = `${prefix}_${raw.incoming.socket.localPort}`
  return setCookie({ name, value: nonce, maxAgeSeconds: stateMillis / 1000 }, env)
}

/** The name of the cookie that has the nonce; stale ones of other ports do no harm. Null where none has it. */
export function findNonce(raw: RawContext, nonce: string) {
  const found = cookiesOf(raw).find(
    ([name, value]) => name.startsWith(prefix) && equal(value, nonce),
  )
  return found?.[0] ?? null
}

/** Whether the browser keeps cookies of ours at all. */
export function hasNonceCookie(raw: RawContext) {
  return cookiesOf(raw).some(([name]) => name.startsWith(prefix))
}

export function clearCookie(name: string, { env }: Needs<'env'>) {
  return setCookie({ name, value: '', maxAgeSeconds: 0 }, env)
}

interface Cookie {
  name: string
  value: string
  maxAgeSeconds: number
}

export function setCookie(
  { name, value, maxAgeSeconds }: Cookie,
  { SVC_AUTH_COOKIE_SECURE: isSecure }: Needs<'env'>['env'],
) {
  const secure = isSecure ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax; HttpOnly${secure}`
}

/**
 * Only a browser's own spaces are taken off: before another kind of space a sibling host can write `__Host-`, which the
 * browser then takes for no prefix.
 */
export function cookiesOf(raw: RawContext) {
  const pairs = (raw.req.header('cookie') ?? '').split(';')
  return pairs.map((pair) => {
    const [name = '', ...value] = pair.replace(/^[ \t]+|[ \t]+$/g, '').split('=')
    return [name, value.join('=')] as const
  })
}
