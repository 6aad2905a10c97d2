import type { IncomingMessage } from 'node:http'
import { hashBody, type RawContext } from '@svc/core'
import { type InnerList, isInnerList, parseList } from 'structured-headers'
import { type KeyAlgorithm, keyIdPattern } from '../crypto/contract.ts'
import type { Signed } from '../crypto/crypto.ts'
import { bytesOf, readDictionary, textOf } from './fields.ts'
import { coveredBy, lastLine, type ReceivedMessage, signatureBase } from './signature-base.ts'

/** A message signature (RFC 9421) as it was sent: well formed, and not yet verified. */
export interface MessageSignature extends Signed {
  readonly keyId: string
  /** The names of what is covered. */
  readonly covers: ReadonlySet<string>
  readonly created: unknown
  readonly expires: unknown
  readonly nonce: unknown
}

/** Says that a signature is for this server. Gateways may add others, which are not read. */
const tag = 'svc'

/**
 * The signature of a request that is tagged as ours. Undefined if there is none, and null for any
 * fault, because the response must not tell which.
 */
export function findMessageSignature(raw: RawContext): MessageSignature | null | undefined {
  if (raw.incoming.headers['signature-input'] === undefined) return undefined
  return readMessageSignature({
    method: raw.req.method,
    target: raw.req.target,
    origin: calledOrigin(raw),
    fields: fieldsOf(raw.incoming),
  })
}

/** Of some headers, Node gives a handler the first line alone: with two lines, it would read something else than was signed. */
function fieldsOf({ headers, headersDistinct }: IncomingMessage) {
  const given = Object.entries(headersDistinct)
  return Object.fromEntries(given.filter(([name, lines]) => lines?.join(', ') === headers[name]))
}

/**
 * The origin that the client has called is not in the request. It is one of this server's own: the
 * one that a proxy or `Host` names, and otherwise the first one that is configured. So an attacker
 * who sends another name gets nothing but a signature that doesn't match.
 */
function calledOrigin({ incoming: { headersDistinct }, server }: RawContext) {
  const [forwarded = ''] = headersDistinct['x-forwarded-host']?.[0]?.split(',', 1) ?? []
  const names = [forwarded.trim(), headersDistinct.host?.[0] ?? '']
  const origins = [...server.ownOrigins]
  const isNamed = (origin: string) => {
    const { protocol, host } = new URL(origin)
    return names.some((name) => URL.parse(`${protocol}//${name}`)?.host === host)
  }
  return origins.find(isNamed) ?? origins[0] ?? ''
}

/** The same for what a request consists of. */
export function readMessageSignature(
  message: ReceivedMessage,
): MessageSignature | null | undefined {
  const inputs = readDictionary(message.fields['signature-input'])
  if (!inputs) return null
  const [ours, ...more] = [...inputs].filter(([, input]) => textOf(input[1], 'tag') === tag)
  if (!ours) return undefined
  const [label, input] = ours
  const signatures = readDictionary(message.fields.signature)
  const isLabelled =
    signatures?.size === inputs.size && [...inputs.keys()].every((name) => signatures.has(name))
  // Of two, the check of one would say nothing of the other.
  if (!isLabelled || more.length > 0 || !isInnerList(input)) return null
  const signature = bytesOf(signatures.get(label))
  return signature && readInput(message, input, signature)
}

const parameters = new Set(['created', 'expires', 'nonce', 'alg', 'keyid', 'tag'])

function readInput(message: ReceivedMessage, input: InnerList, signature: Buffer) {
  const [, given] = input
  const keyId = textOf(given, 'keyid') ?? ''
  const algorithm = algorithmOf(signature)
  const isKnown = [...given.keys()].every((name) => parameters.has(name))
  if (!isKnown || !keyIdPattern.test(keyId) || !algorithm) return null
  if (given.has('alg') && given.get('alg') !== registered[algorithm]) return null
  const signed = signatureBase(message, input)
  if (signed === null) return null
  return {
    algorithm,
    signed,
    signature,
    keyId,
    covers: new Set(coveredBy(input)),
    created: given.get('created'),
    expires: given.get('expires'),
    nonce: given.get('nonce'),
  }
}

/** The names of our algorithms in the registry of RFC 9421. */
const registered: Record<KeyAlgorithm, string> = {
  ES256: 'ecdsa-p256-sha256',
  RS256: 'rsa-v1_5-sha256',
}

/** The stored key decides. Its algorithm must be this one, the only one with such a signature. */
function algorithmOf({ length }: Buffer): KeyAlgorithm | null {
  if (length === 64) return 'ES256'
  return length >= 256 && length <= 512 ? 'RS256' : null
}

/**
 * Whether the body is the one that `Content-Digest` (RFC 9530) names. Other digests than that by
 * SHA-256 may be there too, and are not read.
 */
export async function isDigestOfBody(raw: RawContext) {
  const digests = readDictionary(raw.incoming.headersDistinct['content-digest'])
  return bytesOf(digests?.get('sha-256'))?.equals(await hashBody(raw)) === true
}

/** The first line of what the trail keeps, which no token begins with. */
const kept = 'rfc9421'

/** What proves to others, later, that the key has signed the request. */
export function proofOfMessage({ signed, signature }: MessageSignature) {
  return [kept, signed, signature.toString('base64')].join('\n')
}

export const isProofOfMessage = (proof: string) => proof.startsWith(`${kept}\n`)

/** Reads it again. Null if it is not what this server has written. */
export function readProofOfMessage(proof: string): (Signed & { keyId: string }) | null {
  const [, ...lines] = proof.split('\n')
  const signature = Buffer.from(lines.pop() ?? '', 'base64')
  const algorithm = algorithmOf(signature)
  const last = lines.at(-1) ?? ''
  const [input] = last.startsWith(lastLine) ? parseList(last.slice(lastLine.length)) : []
  const keyId = input && textOf(input[1], 'keyid')
  if (!algorithm || typeof keyId !== 'string') return null
  return { keyId, algorithm, signed: lines.join('\n'), signature }
}
