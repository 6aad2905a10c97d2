import type { BrowserKey } from '../session/bound-browser.ts'

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']
// 32 bytes, and 256 to 512 of them: a modulus of 2048 to 4096 bits.
const coordinate = /^[\w-]{43}$/
const modulus = /^[\w-]{342,683}$/
// 65537. A key with e = 1 would verify what anybody has written.
const exponent = 'AQAB'

/** The public key of a JWK, without whatever else it holds; null for any other than the two kinds that are registered. */
export function readBrowserKey(jwk: unknown): BrowserKey | null {
  if (typeof jwk !== 'object' || jwk === null) return null
  const members = new Map<string, unknown>(Object.entries(jwk))
  if (privateMembers.some((name) => members.has(name))) return null
  const text = (name: string) => textOf(members.get(name))
  if (text('kty') === 'EC') {
    const [x, y] = [text('x'), text('y')]
    const fits = text('crv') === 'P-256' && coordinate.test(x) && coordinate.test(y)
    return fits ? { kty: 'EC', crv: 'P-256', x, y } : null
  }
  const [n, e] = [text('n'), text('e')]
  return text('kty') === 'RSA' && modulus.test(n) && e === exponent ? { kty: 'RSA', n, e } : null
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** The one algorithm that a key signs with, whatever a token says. */
export const algorithmOf = ({ kty }: BrowserKey) => (kty === 'EC' ? 'ES256' : 'RS256')
