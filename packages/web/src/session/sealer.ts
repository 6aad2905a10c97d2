import type { PortableKey } from '@svc/auth'
import { secretProblem, type Variable } from '@svc/core/env'
import { base64url } from 'jose'
import type { WebSession } from './web-session.ts'

/**
 * The content of sealed texts, by purpose. Each purpose has a key of its own, so that no text
 * passes for another's.
 */
export interface Contents {
  session: WebSession
  'session proof': { sessionId: string }
  'session challenge': { step: 'register' | 'refresh'; keyId: string }
  'mfa pending': WaitingSignIn
  'known browser': KnownAccounts
  'device pending': { deviceCode: string; key: PortableKey; shown: Record<string, unknown> }
  'oauth pending': PortableKey
  [setup: `${string} setup`]: OpenedSetup
}

interface WaitingSignIn {
  key: PortableKey & Pick<WebSession, 'isBound'>
  /** The challenge to finish it with at the API. */
  challenge: string
  expiresAtMillis: number
}

/** The accounts that have signed in in this browser, the last one first, each with its token from the API. */
export type KnownAccounts = readonly { readonly userId: string; readonly token: string }[]

interface OpenedSetup {
  setupSecret: string
  /**
   * The address that it is for, and where the user goes then. A page that is reloaded shows them
   * again.
   */
  email: string
  returnPath: string
}

export type Purpose = keyof Contents

export interface Sealed<For extends Purpose> {
  content: Contents[For]
  expiresAtMillis: number
}

// Base64url with zeros in the unused bits: otherwise one text could be written in many ways.
const part = '(?:[\\w-]{4})*(?:[\\w-][AQgw]|[\\w-]{2}[AEIMQUYcgkosw048])?'

/**
 * The form of `dir`: there is no encrypted key between the first two dots. A vector has 12 bytes,
 * and a tag 16.
 */
const sealedForm = new RegExp(
  `^(?<header>${part})\\.\\.(?<vector>[\\w-]{16})\\.(?<text>${part})\\.(?<tag>[\\w-]{21}[AQgw])$`,
)

/** Browsers drop a cookie over 4,096 bytes, name and attributes included, and say nothing. */
const longestText = 3800

/**
 * Seals what a browser stores for us but can't read: JWEs under keys that are derived from the
 * session secret.
 */
export class Sealer {
  readonly #current: DerivedKeys
  readonly #byHeader: Promise<Map<string, DerivedKeys>>

  /** The first secret seals. Texts of the others, which were in use before, can still be opened. */
  constructor(current: string, previous: readonly string[] = []) {
    const all = [current, ...previous].map((secret) => new DerivedKeys(secret))
    this.#current = all[0] as DerivedKeys
    this.#byHeader = Promise.all(
      // The Map is filled from the end, so of two equal keys the first one wins.
      all.toReversed().map(async (keys) => [headerOf(await keys.id), keys] as const),
    ).then((entries) => new Map(entries))
  }

  async seal<For extends Purpose>(purpose: For, content: Contents[For], expiresAtMillis: number) {
    const sealed: Sealed<For> = { content, expiresAtMillis }
    const text = await compactJwe(JSON.stringify(sealed), {
      kid: await this.#current.id,
      key: await this.#current.sealingKey(purpose),
    })
    if (text.length > longestText) {
      throw new RangeError(`A cookie of ${text.length} bytes would be dropped by browsers.`)
    }
    return text
  }

  /**
   * Its content and when it expires. Null if it has expired, or if we haven't sealed it for this
   * purpose.
   */
  async open<For extends Purpose>(
    purpose: For,
    text: string,
    nowMillis: number,
  ): Promise<Sealed<For> | null> {
    const parts = text.length > longestText ? undefined : sealedForm.exec(text)?.groups
    // A header that isn't exactly ours is not read, so that no foreign algorithm or compressed text
    // is even tried.
    const keys = parts && (await this.#byHeader).get(parts['header'] ?? '')
    if (!keys) return null
    try {
      const plaintext = await openJwe(parts, await keys.sealingKey(purpose))
      // Only a holder of the secret could have written it, so its form need not be checked.
      const sealed: Sealed<For> = JSON.parse(new TextDecoder().decode(plaintext))
      return sealed.expiresAtMillis > nowMillis ? sealed : null
    } catch {
      // With any fault, it is not accepted.
      return null
    }
  }

  /** A key for checks that are not encryption. */
  macKey(label: string) {
    return this.#current.macKey(label)
  }
}

const tagBytes = 16

function headerOf(kid: string) {
  return base64url.encode(JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid }))
}

/**
 * RFC 7516, 5.1 and 5.2, for the one form that we use: jose would add 25 kB for other algorithms.
 */
async function compactJwe(text: string, { kid, key }: { kid: string; key: CryptoKey }) {
  const header = headerOf(kid)
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const additionalData = new TextEncoder().encode(header)
  const algorithm = { name: 'AES-GCM', iv, additionalData, tagLength: 8 * tagBytes }
  const bytes = new TextEncoder().encode(text)
  // The tag comes behind the text.
  const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, bytes))
  const parts = [iv, sealed.subarray(0, -tagBytes), sealed.subarray(-tagBytes)]
  return `${header}..${parts.map((each) => base64url.encode(each)).join('.')}`
}

async function openJwe(
  { header = '', vector = '', text = '', tag = '' }: Record<string, string>,
  key: CryptoKey,
) {
  const iv = base64url.decode(vector)
  const additionalData = new TextEncoder().encode(header)
  const algorithm = { name: 'AES-GCM', iv, additionalData, tagLength: 8 * tagBytes }
  const sealed = Uint8Array.of(...base64url.decode(text), ...base64url.decode(tag))
  return crypto.subtle.decrypt(algorithm, key, sealed)
}

/**
 * The keys that are derived from one session secret, which is never a key itself. Each use has a
 * label and a key.
 */
export class DerivedKeys {
  readonly id: Promise<string>
  readonly #material: Promise<CryptoKey>
  readonly #keys = new Map<string, Promise<CryptoKey>>()

  constructor(secret: string) {
    this.#material = crypto.subtle.importKey(
      'raw',
      new TextEncoder().encode(secret),
      'HKDF',
      false,
      ['deriveBits', 'deriveKey'],
    )
    this.id = this.#deriveId()
  }

  sealingKey(purpose: string) {
    return this.#derived(`seal ${purpose}`, { name: 'AES-GCM', length: 256 }, [
      'encrypt',
      'decrypt',
    ])
  }

  macKey(label: string) {
    return this.#derived(label, { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign', 'verify'])
  }

  async #deriveId() {
    const bits = await crypto.subtle.deriveBits(hkdf('id'), await this.#material, 48)
    return base64url.encode(new Uint8Array(bits))
  }

  #derived(label: string, type: AesKeyGenParams | HmacKeyGenParams, uses: KeyUsage[]) {
    const known = this.#keys.get(label)
    if (known) return known
    const key = this.#material.then((material) =>
      crypto.subtle.deriveKey(hkdf(label), material, type, false, uses),
    )
    this.#keys.set(label, key)
    return key
  }
}

function hkdf(label: string) {
  const info = new TextEncoder().encode(`svc web ${label}`)
  return { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
}

const remedy = 'create one with openssl rand -base64 32'

export const sessionSecret: Variable<string> = (given) => {
  if (given === undefined) return { problem: `is required; ${remedy}` }
  const problem = secretProblem(given)
  return problem === null ? { value: given } : { problem: `${problem}; ${remedy}` }
}

/**
 * Secrets that were in use before, separated by commas. What they have sealed can still be opened.
 */
export const previousSecrets: Variable<readonly string[]> = (given) => {
  const secrets = given?.split(',').map((each) => each.trim()) ?? []
  const problem = secrets.map(secretProblem).find((each) => each !== null)
  return problem === undefined ? { value: secrets } : { problem: `${problem}, each of them` }
}
