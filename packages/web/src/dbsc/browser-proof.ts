import { parseJson } from '@svc/core/proxy'
import { base64url, compactVerify, decodeProtectedHeader, importJWK } from 'jose'
import type { BrowserKey, Contents } from '../session/session.ts'
import type { WebAuth } from '../web-auth.ts'

/** What a browser has signed with its key for a session. */
export interface BrowserProof {
  readonly key: BrowserKey
  /** The challenge that it was asked to sign. */
  readonly challenge: string
}

// With RSA of 4096 bits, and a challenge of ours, a proof has some 2,300.
const longest = 4096
const compact = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Chooses the key by the `jwk` of the header: the given one for a registration, the session's own for a refresh. */
type ChooseKey = (jwk: unknown) => BrowserKey | null

/** Reads a proof whose signature holds. Null for any other. */
export async function readProof(token: string, chooseKey: ChooseKey): Promise<BrowserProof | null> {
  if (token.length > longest || !compact.test(token)) return null
  try {
    const { typ, alg, jwk } = decodeProtectedHeader(token)
    const key = chooseKey(jwk)
    if (!key || typ !== 'dbsc+jwt' || alg !== algorithmOf(key)) return null
    const { payload } = await compactVerify(token, await importJWK({ ...key }, alg), {
      algorithms: [alg],
    })
    const claims = parseJson(payload)
    const challenge = (claims as { jti?: unknown } | null)?.jti // may be any JSON
    return typeof challenge === 'string' ? { key, challenge } : null
  } catch {
    // A broken proof gets the same answer as a wrong one.
    return null
  }
}

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']
// 32 bytes, and 256 to 512 of them: a modulus of 2048 to 4096 bits.
const coordinate = /^[\w-]{43}$/
const modulus = /^[\w-]{342,683}$/
// 65537. With e = 1, any text would be a valid signature.
const exponent = 'AQAB'

/**
 * The public key of a JWK, without its other members. Null unless it is of one of the two
 * registered kinds.
 */
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

/** The one algorithm that a key signs with. The token doesn't choose it. */
const algorithmOf = ({ kty }: BrowserKey) => (kty === 'EC' ? 'ES256' : 'RS256')

/** The longest life of a request: for so long, the API remembers the id of a spent challenge. */
const lifeMillis = 300_000

/**
 * What a browser is to sign. It is sealed, so no instance has to remember the challenges that it
 * has sent.
 */
export function mintChallenge({ sealer }: WebAuth, content: Contents['session challenge']) {
  return sealer.seal('session challenge', content, Date.now() + lifeMillis)
}

/** A challenge of ours that has not expired and is for this step and session. */
export async function openChallenge(
  { sealer }: WebAuth,
  text: string,
  expected: Contents['session challenge'],
) {
  const challenge = await sealer.open('session challenge', text, Date.now())
  const { step, keyId } = challenge?.content ?? {}
  if (!challenge || step !== expected.step || keyId !== expected.keyId) return null
  const { expiresAtMillis } = challenge
  return { expiresAtMillis, issuedAtMillis: expiresAtMillis - lifeMillis }
}

/** The id of a challenge for the API's replay protection. */
export async function idOfChallenge(text: string) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return base64url.encode(new Uint8Array(digest))
}
