import { openPortableKey } from '@svc/auth'
import type { SigningKey } from '@svc/core/client'
import type { Cookies } from './cookies.ts'
import type { Sealer } from './sealer.ts'
import type { BoundBrowser, WebSession } from './web-session.ts'

export type { BoundBrowser, BrowserKey, WebSession } from './web-session.ts'

export interface OpenSession {
  readonly session: WebSession
  readonly key: SigningKey
  readonly expiresAtMillis: number
}

interface WebSessionsGiven {
  sealer: Sealer
  cookies: Cookies
  ttlMillis: () => number
}

// To open one takes a decryption and the import of a key, about 0.2 ms. One that is kept open takes
// some 5 kB.
const keptOpen = 2000

/** Opens the session cookie of a request, and makes new ones. */
export class WebSessions {
  readonly ttlMillis: () => number
  readonly #given: WebSessionsGiven
  /** By the cookie's own text, so that only a request with the whole cookie finds a session. */
  readonly #open = new Map<string, OpenSession>()

  constructor(given: WebSessionsGiven) {
    this.#given = given
    this.ttlMillis = given.ttlMillis
  }

  /** The session that a request came with, or null if it has none. */
  async open(cookieHeader: string | null) {
    const held = await this.held(cookieHeader)
    const { browser } = held?.session ?? {}
    // An attacker with a copy of the session's cookie lacks the browser's key, which alone gets a
    // proof.
    return !browser || (await isProven(this.#given, browser, cookieHeader)) ? held : null
  }

  /**
   * The session whose cookie a request came with, proved or not. It isn't enough to be signed in.
   */
  async held(cookieHeader: string | null) {
    const value = this.#given.cookies.valueOf(cookieHeader, 'svc_session')
    return value === null ? null : (this.#stillOpen(value) ?? this.#unseal(value))
  }

  async cookie(session: WebSession) {
    const ttlMillis = this.ttlMillis()
    const value = await this.#given.sealer.seal('session', session, Date.now() + ttlMillis)
    return this.#given.cookies.set('svc_session', { value, maxAgeSeconds: ttlMillis / 1000 })
  }

  /** Less than a quarter of its life remains: a user who comes back in time stays signed in. */
  isToRenew({ expiresAtMillis }: OpenSession) {
    return expiresAtMillis - Date.now() < this.ttlMillis() / 4
  }

  #stillOpen(value: string) {
    const opened = this.#open.get(value)
    if (!opened) return null
    this.#open.delete(value)
    if (opened.expiresAtMillis <= Date.now()) return null
    // To the end of the Map: the first one is the one that was not used for longest.
    this.#open.set(value, opened)
    return opened
  }

  async #unseal(value: string): Promise<OpenSession | null> {
    const sealed = await this.#given.sealer.open('session', value, Date.now())
    if (!sealed) return null
    const { content: session, expiresAtMillis } = sealed
    const key = await signingKey(session)
    if (!key) return null
    const opened = { session, expiresAtMillis, key }
    this.#open.set(value, opened)
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= keptOpen) break
      this.#open.delete(oldest)
    }
    return opened
  }
}

/**
 * A session that another version of this program has sealed may have a key that this one can't
 * read.
 */
async function signingKey(session: WebSession) {
  try {
    return await openPortableKey(session)
  } catch {
    return null
  }
}

interface SessionProofGiven {
  readonly sealer: Sealer
  readonly cookies: Cookies
}

/** How long an attacker who has copied both cookies can use them. */
const proofLifeMillis = 5 * 60_000

/**
 * The cookie that says that the browser has just proved its key. It names its session, but no key
 * of the account. So a rotation needs no new cookie, and an attacker can't prolong a copy by
 * rotating.
 */
export async function proofCookie(
  { sealer, cookies }: SessionProofGiven,
  { sessionId }: BoundBrowser,
) {
  const expiresAtMillis = Date.now() + proofLifeMillis
  const value = await sealer.seal('session proof', { sessionId }, expiresAtMillis)
  return cookies.set('svc_session_proof', { value, maxAgeSeconds: proofLifeMillis / 1000 })
}

async function isProven(
  { sealer, cookies }: SessionProofGiven,
  { sessionId }: BoundBrowser,
  cookieHeader: string | null,
) {
  const value = cookies.valueOf(cookieHeader, 'svc_session_proof')
  const proof = value === null ? null : await sealer.open('session proof', value, Date.now())
  return proof?.content.sessionId === sessionId
}

/** Ends a session in its browser. */
export function clearedCookies(
  { cookies }: { readonly cookies: Cookies },
  { browser }: WebSession,
) {
  const both = [cookies.clear('svc_session'), cookies.clear('svc_csrf')]
  return browser ? [...both, cookies.clear('svc_session_proof')] : both
}
