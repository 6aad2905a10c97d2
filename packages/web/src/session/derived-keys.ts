import { base64url } from 'jose'

/** What is derived from one session secret, which is never a key itself: a key for each use, under a label. */
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
