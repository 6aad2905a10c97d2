import type { Sealer } from '../session/sealer.ts'
import type { WebSession } from '../session/web-session.ts'

/** Tokens by which a page of our own shows that it is one: only such a page can read the cookie that holds it. */
export class CsrfTokens {
  readonly #sealer: Sealer
  /** Those of sessions that are kept open: each call looks whether the browser holds it. */
  readonly #known = new WeakMap<WebSession, Promise<string>>()

  constructor(sealer: Sealer) {
    this.#sealer = sealer
  }

  /** An HMAC of the session's key id in hex, under a key that is derived from the session secret. */
  tokenFor(session: WebSession) {
    const token = this.#known.get(session) ?? this.#tokenOf(session.keyId)
    this.#known.set(session, token)
    return token
  }

  async #tokenOf(keyId: string) {
    const mac = await crypto.subtle.sign('HMAC', await this.#key(), bytesOf(keyId))
    return Array.from(new Uint8Array(mac), (byte) => byte.toString(16).padStart(2, '0')).join('')
  }

  /** Whether it is the session's own token. WebCrypto compares in constant time. */
  async isTokenOf(keyId: string, token: string | null) {
    if (!token || !/^[0-9a-f]{64}$/.test(token)) return false
    const mac = Uint8Array.from(token.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
    return crypto.subtle.verify('HMAC', await this.#key(), mac, bytesOf(keyId))
  }

  #key() {
    return this.#sealer.macKey('csrf')
  }
}

const bytesOf = (text: string) => new TextEncoder().encode(text)
