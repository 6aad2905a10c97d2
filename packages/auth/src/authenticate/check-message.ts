import type { RawContext } from '@svc/core'
import { RequestBindingError } from '../caller/errors.ts'
import { isDigestOfBody, type MessageSignature } from '../message-signatures/message-signatures.ts'
import { checkLife, isTokenId, longestLifeSeconds, type SpendableToken } from './check-claims.ts'

/**
 * Checks that a message signature is for this request, once it holds. Method, target and origin
 * are in what was signed, so it is enough that it covers them. It is bound also where tokens need
 * not be.
 */
export async function checkMessage(
  message: MessageSignature,
  raw: RawContext,
  now: Date,
): Promise<SpendableToken> {
  const { created, expires, nonce, covers } = message
  const longestSeconds = longestLifeSeconds.strict
  const life = checkLife([created, expires ?? Number(created) + longestSeconds], {
    now,
    longestSeconds,
    claims: ['created', 'expires'],
  })
  if (!coversEnough(covers, raw)) throw new RequestBindingError({ claim: 'components' })
  if (covers.has('content-digest') && !(await isDigestOfBody(raw))) {
    throw new RequestBindingError({ claim: 'content-digest' })
  }
  if (!isTokenId(nonce)) throw new RequestBindingError({ claim: 'nonce' })
  return { jti: nonce, ...life }
}

const byTarget = ['@method', '@target-uri']
const byParts = ['@method', '@authority', '@path', '@query']

/**
 * The trail keeps what was signed, so nothing is covered that may be a secret, such as a cookie or
 * the key of a gateway.
 */
const allowed = new Set([
  ...byTarget,
  ...byParts,
  '@scheme',
  '@request-target',
  'accept',
  'accept-language',
  'content-digest',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'host',
  'idempotency-key',
  'user-agent',
])

function coversEnough(covers: ReadonlySet<string>, raw: RawContext) {
  const isBound = [byTarget, byParts].some((names) => names.every((name) => covers.has(name)))
  const isWhole = neededOfBody(raw).every((name) => covers.has(name))
  return isBound && isWhole && [...covers].every((name) => allowed.has(name))
}

/** A body of no bytes is none, unless only its end shows that. */
function neededOfBody({ incoming: { headers } }: RawContext) {
  const hasBody =
    headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
  if (!hasBody) return []
  return headers['content-type'] === undefined
    ? ['content-digest']
    : ['content-digest', 'content-type']
}
