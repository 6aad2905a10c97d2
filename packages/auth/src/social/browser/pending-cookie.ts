import type { RawContext } from '@svc/core'
import type { SocialNeeds } from '../held.ts'
import { cookiesOf, setCookie } from './nonce-cookie.ts'

// The web proxy reads it under the names that it gives its own.
const nameOf = ({ SVC_AUTH_COOKIE_SECURE: isSecure }: SocialNeeds<'env'>['env']) =>
  `${isSecure ? '__Host-' : ''}svc_oauth_pending`

/** What a browser that went without a key finishes with. */
export function pendingCookie({ env }: SocialNeeds<'env'>, token: string, maxAgeSeconds: number) {
  return setCookie({ name: nameOf(env), value: token, maxAgeSeconds }, env)
}

/** Of two, one may be another host's, which would sign the browser in as whoever planted it: then neither counts. */
export function readPendingCookie(raw: RawContext, { env }: SocialNeeds<'env'>) {
  const name = nameOf(env)
  const [own, ...others] = cookiesOf(raw).filter(([each]) => each === name)
  return own && others.length === 0 ? own[1] : null
}
