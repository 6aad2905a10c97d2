import { parseJson } from '@svc/core/client'
import { compactVerify, decodeProtectedHeader, importJWK } from 'jose'
import type { BrowserKey } from '../session/bound-browser.ts'
import { algorithmOf } from './browser-key.ts'

/** What a browser has signed with the key that it keeps for a session. */
export interface BrowserProof {
  readonly key: BrowserKey
  /** What it was asked to sign. */
  readonly challenge: string
}

// With RSA of 4096 bits, and a challenge of ours, a proof has some 2,300.
const longest = 4096
const compact = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Chooses the key by the `jwk` of the header: the given one for a registration, the session's own for a refresh. */
type ChooseKey = (jwk: unknown) => BrowserKey | null

/** Reads a proof whose signature holds; null, whatever else is wrong with it. */
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
    // Who sends something broken is told no more than who sends something wrong.
    return null
  }
}
