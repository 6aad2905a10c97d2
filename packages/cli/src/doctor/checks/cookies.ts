import { type Finding, right, wrong } from '../finding.ts'
import { cookieRules } from './cookie-rules.ts'
import { isNonce, isPending, nonceNameAt, readSetCookie, type SetCookie } from './set-cookie.ts'

/** The cookies of a sign-in that has begun. The browser needs the second one to finish it. */
export function signInCookies(setCookies: readonly string[]) {
  return setCookies.map(readSetCookie).filter((cookie) => isNonce(cookie) || isPending(cookie))
}

/** Whether a browser keeps the cookies that the callback needs, and sends them there. */
export function* cookies(
  app: URL,
  { provider, setCookies }: { provider: string; setCookies: readonly string[] },
): Generator<Finding, boolean> {
  const given = signInCookies(setCookies)
  const missing = missingNames(app, given)
  if (missing.length > 0) yield notSet(missing, setCookies)
  const faults = cookieRules.flatMap((rule) => {
    const broken = given.filter((cookie) => rule.isBroken(cookie, app))
    return broken.length > 0 ? [faultOf(rule, { broken, app })] : []
  })
  yield* faults
  const isRight = missing.length + faults.length === 0
  if (isRight) yield right(`${provider}: the browser keeps the cookies.`)
  return missing.length === 0
}

function faultOf(
  { mark, title, why, fix }: (typeof cookieRules)[number],
  { broken, app }: { broken: SetCookie[]; app: URL },
) {
  return mark(title(broken.map(({ name }) => name).join(' and ')), {
    seen: broken.map(({ shown }) => shown).join(' and '),
    why,
    fix: fix(app),
  })
}

function missingNames(app: URL, given: readonly SetCookie[]) {
  const nonce = given.some(isNonce) ? [] : [nonceNameAt(app)]
  const pending = given.some(isPending) ? [] : ['svc_oauth_pending']
  return [...nonce, ...pending]
}

function notSet(names: string[], setCookies: readonly string[]) {
  const others = setCookies.map((header) => readSetCookie(header).name).join(', ')
  return wrong(`Lost cookie: ${names.join(' and ')}, not set.`, {
    seen: `The sign-in has begun, and the answer sets ${others ? `only ${others}` : 'no cookie'}.`,
    why: 'The callback checks these cookies to see that this browser started the sign-in, and the web app finishes the sign-in with them.',
    fix: [
      'In app/api/rpc/[name]/route.ts, with authInterceptors of @svc/web/proxy:',
      '  createRpcProxy({ …, interceptors: [authInterceptors()] })',
      'If that is there already, a proxy in front of the web app removes Set-Cookie from its responses.',
    ],
  })
}
