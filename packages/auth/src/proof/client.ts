import type { RequestToSign, SigningKey, SignRequest } from '@svc/core/client'
import { HttpError } from '@svc/core/contract'

/** For `proofSigner`: whose key signs, and the nonce of the proof. */
export interface ProofSigningOptions {
  /** The owner of the key: the `userId` that a sign-in has returned. */
  clientId: string
  /**
   * The value that makes the proof valid only once: 16 to 128 printable characters. Random unless
   * set.
   */
  nonce?: string
}

/**
 * Signs each request as `clientProofV1` requires. Give it to `createApi` as `sign`, with
 * `canonicalJson` as `writeBody`. Only operations for which the contract allows a proof accept it.
 */
export function proofSigner(key: SigningKey, options: ProofSigningOptions): SignRequest {
  if (key.algorithm !== 'ES256') throw new TypeError('Only an ES256 key signs proofs.')
  return (request) => signProof(key, request, options)
}

async function signProof(
  { keyId, privateKey }: SigningKey,
  { method, url, body = '', nowMillis = Date.now() }: RequestToSign,
  { clientId, nonce = randomNonce() }: ProofSigningOptions,
): Promise<Record<string, string>> {
  if (body instanceof Blob) throw new TypeError('A proof signs JSON, and this body is none.')
  const issuedAtMillis = Math.floor(nowMillis)
  const bodySha256 = await sha256(body)
  const fields = { method, path: pathOf(url), clientId, keyId, nonce, issuedAtMillis, bodySha256 }
  const parameters = { name: 'ECDSA', hash: 'SHA-256' }
  const signature = await crypto.subtle.sign(parameters, privateKey, utf8(proofInput(fields)))
  return {
    'x-svc-auth-profile': proofProfile,
    'x-svc-client-id': clientId,
    'x-svc-key-id': keyId,
    'x-svc-nonce': nonce,
    'x-svc-issued-at': String(issuedAtMillis),
    'x-svc-proof': hex(signature),
    'x-svc-client-contract-version': mobileContractVersion,
  }
}

function pathOf(text: string) {
  // A page's own address completes a relative one, as it does for fetch.
  const { pathname, search } = new URL(text, globalThis.location?.href)
  if (search !== '') throw new TypeError('A proof signs no query: send what it says in the body.')
  return pathname
}

async function sha256(body: string | Uint8Array<ArrayBuffer>) {
  if (body.length === 0) return null
  const bytes = typeof body === 'string' ? utf8(body) : body
  return hex(await crypto.subtle.digest('SHA-256', bytes))
}

const randomNonce = () => hex(crypto.getRandomValues(new Uint8Array(16)).buffer)

const utf8 = (text: string) => new TextEncoder().encode(text)

function hex(bytes: ArrayBuffer) {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export const proofProfile = 'clientProofV1'

/** The fields of a request that a device signs. */
interface ProofFields {
  readonly method: string
  /** The path of the request line, without a query, because a query would not be signed. */
  readonly path: string
  /** The user id of the key's owner. */
  readonly clientId: string
  readonly keyId: string
  readonly nonce: string
  readonly issuedAtMillis: number
  /** In lower-case hex, of the bytes as they are sent; null if there are none. */
  readonly bodySha256: string | null
}

const ofNoBody = '0'.repeat(64)

/** The text whose UTF-8 bytes a device signs. */
export function proofInput(fields: ProofFields): string {
  const { method, path, clientId, keyId, nonce, issuedAtMillis, bodySha256 } = fields
  const moment = String(issuedAtMillis)
  const lines = [method, path, clientId, keyId, nonce, moment, bodySha256 ?? ofNoBody]
  // A line feed would split a field in two, so that two requests could have one input.
  if (lines.some((line) => /\p{Cc}/u.test(line))) {
    throw new TypeError('No field of a proof has a control character.')
  }
  return [proofProfile, ...lines].join('\n')
}

// The deepest body that the server reads.
const deepest = 64

/**
 * The only spelling of a value in a body that a device signs: no white space, keys
 * ascending by their UTF-8 bytes, and numbers as integers of 64 bits. As in `JSON.stringify`, an
 * undefined member is left out.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0)
}

function write(value: unknown, depth: number): string {
  if (typeof value === 'string') return writeText(value)
  if (typeof value === 'bigint' || typeof value === 'number') return writeInteger(value)
  if (typeof value === 'boolean' || value === null) return String(value)
  if (typeof value !== 'object') throw new TypeError(`Canonical JSON has no ${typeof value}.`)
  if (depth === deepest) throw new TypeError(`The value is nested more than ${deepest} deep.`)
  return Array.isArray(value) ? writeItems(value, depth + 1) : writeMembers(value, depth + 1)
}

/**
 * For a string, `JSON.stringify` writes what RFC 8785 requires: `\u00xx` in lower case, and the
 * rest unchanged.
 */
function writeText(text: string) {
  if (!text.isWellFormed()) throw new TypeError('The value has half of a surrogate pair in it.')
  return JSON.stringify(text)
}

function writeInteger(value: bigint | number) {
  const isExact =
    typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value)
  if (!isExact) {
    throw new TypeError('Canonical JSON has integers of 64 bits: above 2^53 as a bigint.')
  }
  return String(value)
}

function writeItems(items: readonly unknown[], depth: number) {
  return `[${items.map((item) => write(item, depth)).join(',')}]`
}

function writeMembers(value: object, depth: number) {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError('Canonical JSON has plain objects only.')
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([one], [other]) => compareAsUtf8(one, other))
    .map(([name, member]) => `${writeText(name)}:${write(member, depth)}`)
  return `{${members.join(',')}}`
}

/**
 * By UTF-8 bytes, which is the order of code points. JavaScript compares UTF-16, where a surrogate
 * is less than U+E000.
 */
function compareAsUtf8(one: string, other: string) {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at++) {
    const difference = rank(one.charCodeAt(at)) - rank(other.charCodeAt(at))
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

/** Sorts the surrogates, which stand for characters above U+FFFF, after all other units. */
function rank(unit: number) {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

/**
 * The version of the contract for clients on devices. `svc contract check` says when to raise it.
 */
export const mobileContractVersion = '0.13.0'

const refusals = {
  PROOF_INVALID: [
    401,
    'No active key of this client signed this request. Check the client id and the key.',
  ],
  PROOF_REPLAYED: [401, 'The nonce was used before. Sign the request again with a new one.'],
  PROOF_EXPIRED: [
    401,
    'The proof is too old, or its time is in the future. Sign it again with the time of the server.',
  ],
  SESSION_REVOKED: [401, 'The key was revoked or has expired. Sign in again.'],
  PROFILE_REJECTED: [
    400,
    'The operation does not accept a proof of this form. Send the request as the contract describes it.',
  ],
  CONTRACT_UNSUPPORTED: [409, 'The server has another version of the contract. Update the app.'],
} as const

/** Why the server did not accept a proof: the `name` of a `ProofError`. */
export type ProofErrorCode = keyof typeof refusals

/** Why a proof was not accepted. It says no more than its code. */
export class ProofError extends HttpError {
  readonly name: ProofErrorCode
  readonly status: number

  constructor(code: ProofErrorCode) {
    const [status, message] = refusals[code]
    super({ message })
    this.name = code
    this.status = status
  }

  override get authScheme() {
    return 'ClientProofV1'
  }

  /** The body for clients of the profile. */
  override wireBody(requestId: string) {
    return { error: { code: this.name, message: this.message, requestId } }
  }
}
