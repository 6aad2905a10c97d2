export { type CookieName, Cookies, cookieValues } from './cookies.ts'
export { isKeyDead, RetiredKeys, refusalOf } from './dead-keys.ts'
export { ownCalls } from './own-calls.ts'
export {
  type Contents,
  type KnownAccounts,
  type Purpose,
  previousSecrets,
  type Sealed,
  Sealer,
  sessionSecret,
} from './sealer.ts'
export {
  type BoundBrowser,
  type BrowserKey,
  clearedCookies,
  type OpenSession,
  proofCookie,
  type WebSession,
  WebSessions,
} from './web-sessions.ts'
