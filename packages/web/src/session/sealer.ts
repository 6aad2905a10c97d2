import type { PortableKey } from '@svc/auth'
import { base64url, compactDecrypt } from 'jose'
import { DerivedKeys } from './derived-keys.ts'
import type { WebSession } from './web-session.ts'

/** What is sealed, by what for. Each purpose has a key of its own, so that no text passes for another's. */
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
  /** What the API finishes it with, until then. */
  challenge: string
  expiresAtMillis: number
}

/** The accounts that have signed in in this browser, the last one first, each with its token from the API. */
export type KnownAccounts = readonly { readonly userId: string; readonly token: string }[]

interface OpenedSetup {
  setupSecret: string
  /** Whose setup it is, and where they go then: a page that is loaded again says so again. */
  email: string
  returnPath: string
}

export type Purpose = keyof Contents

export interface Sealed<For extends Purpose> {
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
  readonly #current: DerivedKeys
  readonly #byId: Promise<Map<string, DerivedKeys>>

  /** The first secret seals; the others, which were in use before, still open. */
  constructor(current: string, previous: readonly string[] = []) {
    const all = [current, ...previous].map((secret) => new DerivedKeys(secret))
    this.#current = all[0] as DerivedKeys
    this.#byId = Promise.all(
      // The first of two equal ones wins in a Map that is filled from the end.
      all.toReversed().map(async (keys) => [await keys.id, keys] as const),
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
          const keys = (await this.#byId).get(kid)
          if (!keys) throw new Error('No secret of this id.')
          return keys.sealingKey(purpose)
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

const tagBytes = 16

/** RFC 7516, 5.1, for the one form there is: jose would bring 6 kB of other algorithms. */
async function compactJwe(text: string, { kid, key }: { kid: string; key: CryptoKey }) {
  const header = base64url.encode(JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid }))
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const additionalData = new TextEncoder().encode(header)
  const algorithm = { name: 'AES-GCM', iv, additionalData, tagLength: 8 * tagBytes }
  const bytes = new TextEncoder().encode(text)
  // The tag comes behind the text.
  const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, bytes))
  const parts = [iv, sealed.subarray(0, -tagBytes), sealed.subarray(-tagBytes)]
  return `${header}..${parts.map((each) => base64url.encode(each)).join('.')}`
}
