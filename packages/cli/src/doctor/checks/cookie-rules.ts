import { doubtful, type Explanation, wrong } from '../finding.ts'
import { isLoopback } from '../loopback.ts'
import { isNonce, nonceNameAt, type SetCookie } from './set-cookie.ts'

interface Rule {
  isBroken: (cookie: SetCookie, app: URL) => boolean
  mark: typeof wrong | typeof doubtful
  title: (names: string) => string
  why: string
  fix: (app: URL) => Explanation['fix']
}

const isSecure = ({ attributes }: SetCookie) => attributes.has('secure')
const isTls = ({ protocol }: URL) => protocol === 'https:'
const lost = (names: string) => `Lost cookie: ${names}`

const leaveAlone = () => [
  'The web app sets this cookie correctly, so a proxy in front changes Set-Cookie. Configure it to leave that header alone.',
]

/** What a cookie of a sign-in must be, in its name and its attributes. */
export const cookieRules: readonly Rule[] = [
  {
    isBroken: (cookie, app) => isSecure(cookie) && !isTls(app) && !isLoopback(app),
    mark: wrong,
    title: (names) => `${lost(names)}, for https alone.`,
    why: 'Over plain http, a browser drops a Secure cookie without a warning.',
    fix: () => [
      'Serve the web app over https. For a test, set SVC_AUTH_COOKIE_SECURE=off for the web app and the API.',
    ],
  },
  {
    isBroken: (cookie, app) => isSecure(cookie) && !isTls(app) && isLoopback(app),
    mark: doubtful,
    title: (names) => `For https alone: ${names}.`,
    why: 'Over plain http, Chrome and Firefox keep a Secure cookie on localhost only. Safari drops it.',
    fix: () => [
      'For tests on this machine, set SVC_AUTH_COOKIE_SECURE=off for the web app and the API.',
    ],
  },
  {
    isBroken: (cookie, app) => !isSecure(cookie) && isTls(app),
    mark: wrong,
    title: (names) => `Not for https alone: ${names}.`,
    why: 'A browser sends a cookie that is not Secure over plain http too, where an attacker on the network can read it.',
    fix: () => [
      'Set SVC_AUTH_COOKIE_SECURE=on for the web app and the API, or NODE_ENV=production.',
    ],
  },
  {
    isBroken: ({ attributes }) => attributes.get('path') !== '/',
    mark: wrong,
    title: (names) => `${lost(names)}, not for Path=/.`,
    why: 'The browser does not send it to /_auth/oauth/….',
    fix: leaveAlone,
  },
  {
    isBroken: ({ attributes }) => attributes.get('samesite')?.toLowerCase() !== 'lax',
    mark: wrong,
    title: (names) => `${lost(names)}, not SameSite=Lax.`,
    why: 'With Strict, the browser does not send it when it comes back from the provider. With None, every other site can make the browser send it.',
    fix: leaveAlone,
  },
  {
    isBroken: ({ attributes }) => attributes.has('domain'),
    mark: wrong,
    title: (names) => `${lost(names)}, with a Domain.`,
    why: 'A browser drops a cookie for another domain. It sends a cookie for a whole domain to other hosts too.',
    fix: leaveAlone,
  },
  {
    isBroken: ({ attributes }) => !attributes.has('httponly'),
    mark: wrong,
    title: (names) => `Not HttpOnly: ${names}.`,
    why: 'A script that an attacker injects into a page could read it and take over the sign-in.',
    fix: leaveAlone,
  },
  {
    isBroken: (cookie, app) => isNonce(cookie) && cookie.name !== nonceNameAt(app),
    mark: doubtful,
    title: (names) => `Named after another port: ${names}.`,
    why: 'Apps on one host share their cookies, even on different ports: two cookies with one name overwrite each other.',
    fix: ({ origin }) => [
      `The web app believes that it has another address: set NEXT_PUBLIC_SVC_APP_URL=${origin} for it, and restart it.`,
    ],
  },
]
