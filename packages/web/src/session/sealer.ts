import type { PortableKey } from '@svc/auth'
import { base64url, CompactEncrypt, compactDecrypt } from 'jose'
import type { WebSession } from './web-session.ts'

/** What is sealed, by what for. Each purpose has a key of its own, so that no text passes for another's. */
export interface Contents {
  session: WebSession
  'mfa pending': PortableKey
  'oauth pending': PortableKey
  'signup setup': SetupSecret
  'password reset setup': SetupSecret
}

interface SetupSecret {
  setupSecret: string
}

export type Purpose = keyof Contents

interface Sealed<For extends Purpose> {
  content: Contents[For]
  expiresAtMillis: number
}

// Nothing else is even tried: neither a foreign algorithm nor a compressed text.
const accepted = {
  keyManagementAlgorithms: ['dir'],
  contentEncryptionAlgorithms: ['A256GCM'],
  maxDecompressedLength: 0,
}

// Base64url with zeros in the bits that nothing is in: without that, one text could be written in many ways.
const part = '(?:[\\w-]{4})*(?:[\\w-][AQgw]|[\\w-]{2}[AEIMQUYcgkosw048])?'

/** What `dir` makes: there is no encrypted key between the first two dots. */
const sealedForm = new RegExp(`^${part}\\.\\.${part}\\.${part}\\.${part}$`)

/** Browsers drop a cookie over 4,096 bytes, name and attributes included, and say nothing. */
const longestText = 3800

/** Seals what a browser keeps for us without reading it: JWEs under keys that are derived from the session secret. */
export class Sealer {
  readonly #current: Secret
  readonly #byId: Promise<Map<string, Secret>>

  /** The first secret seals; the others, which were in use before, still open. */
  constructor(current: string, previous: readonly string[] = []) {
    const secrets = [current, ...previous].map((secret) => new Secret(secret))
    this.#current = secrets[0] as Secret
    this.#byId = Promise.all(
      // The first of two equal ones wins in a Map that is filled from the end.
      secrets.toReversed().map(async (secret) => [await secret.id, secret] as const),
    ).then((entries) => new Map(entries))
  }

  async seal<For extends Purpose>(purpose: For, content: Contents[For], expiresAtMillis: number) {
    const sealed: Sealed<For> = { content, expiresAtMillis }
    const text = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(sealed)))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: await this.#current.id })
      .encrypt(await this.#current.keyFor(purpose))
    if (text.length > longestText) {
      throw new RangeError(`A cookie of ${text.length} bytes would be dropped by browsers.`)
    }
    return text
  }

  /** What is in it and until when; null for whatever we have not sealed for this purpose, or what has expired. */
  async open<For extends Purpose>(
    purpose: For,
    text: string,
    nowMillis: number,
  ): Promise<Sealed<For> | null> {
    if (text.length > longestText || !sealedForm.test(text)) return null
    try {
      const { plaintext } = await compactDecrypt(
        text,
        async ({ kid = '' }: { kid?: string }) => {
          const secret = (await this.#byId).get(kid)
          if (!secret) throw new Error('No secret of this id.')
          return secret.keyFor(purpose)
        },
        accepted,
      )
      // Only who has the secret could have written it, so that its form need not be checked.
      const sealed: Sealed<For> = JSON.parse(new TextDecoder().decode(plaintext))
      return sealed.expiresAtMillis > nowMillis ? sealed : null
    } catch {
      // Whatever is wrong with it, nobody is signed in by it.
      return null
    }
  }

  /** A key for checks that are not encryption. */
  macKey(label: string) {
    return this.#current.macKey(label)
  }
}

/** One session secret. It is never a key itself: every use has a key that is derived from it under a label. */
class Secret {
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

  keyFor(purpose: Purpose) {
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
