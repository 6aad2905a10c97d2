import { defineMiddleware, type RawContext } from '@svc/core'
import type { Needs } from '../auth.ts'
import { keyIdPattern } from '../crypto/contract.ts'
import { displayText } from '../display-text.ts'
import { cacheKeyOf, isSpent, spendId } from '../once/once.ts'
import { mobileContractVersion, ProofError, proofProfile } from './client.ts'

export { isCanonical } from './strict-json.ts'

/** What the headers of a request claim. Nothing of it is verified yet. */
export interface ReceivedProof {
  readonly clientId: string
  readonly keyId: string
  readonly nonce: string
  readonly issuedAtMillis: number
  /** r‖s in hex. */
  readonly signature: string
}

const printable = /^[!-~]{1,64}$/
const nonces = /^[!-~]{16,128}$/
// One spelling for each time, and exact as a number.
const moments = /^(?:0|[1-9]\d{0,14})$/
const signatures = /^[\da-f]{128}$/

/** Whether a request claims to be proved by a device. */
export function hasProof({ incoming }: RawContext) {
  return incoming.headers['x-svc-auth-profile'] !== undefined
}

/** Reads the headers of a proof: each must be there once, in its only form. */
export function readProof(raw: RawContext): ReceivedProof {
  const { authorization } = raw.incoming.headers
  // Two credentials could be of two callers.
  if (authorization !== undefined) throw new ProofError('PROFILE_REJECTED')
  const profile = header(raw, 'x-svc-auth-profile', printable)
  const proof = {
    clientId: header(raw, 'x-svc-client-id', printable),
    keyId: header(raw, 'x-svc-key-id', keyIdPattern),
    nonce: header(raw, 'x-svc-nonce', nonces),
    issuedAtMillis: Number(header(raw, 'x-svc-issued-at', moments)),
    signature: header(raw, 'x-svc-proof', signatures),
  }
  if (profile !== proofProfile) throw new ProofError('PROFILE_REJECTED')
  return proof
}

function header({ incoming }: RawContext, name: string, form: RegExp) {
  const [value, second] = incoming.headersDistinct[name] ?? []
  const isGiven = value !== undefined && second === undefined && form.test(value)
  if (!isGiven) throw new ProofError('PROOF_INVALID')
  return value
}

type Issued = Pick<ReceivedProof, 'issuedAtMillis'>

/** How long a proof is accepted, and how far it may be ahead of the server's time. */
export const proofWindow = { backMillis: 300_000, aheadMillis: 5_000 } as const

/** When the proof is no longer accepted. */
const lastsUntil = ({ issuedAtMillis }: Issued) => issuedAtMillis + proofWindow.backMillis

export function refuseOtherTime(proof: Issued, now: Date) {
  const isEarly = proof.issuedAtMillis > now.getTime() + proofWindow.aheadMillis
  if (isEarly || lastsUntil(proof) <= now.getTime()) throw new ProofError('PROOF_EXPIRED')
}

type Used = Pick<ReceivedProof, 'clientId' | 'nonce'>

/** Refuses a spent nonce before the costly check of its signature. Only `spendNonce` decides. */
export async function refuseSeen({ cache, db }: Needs<'cache' | 'db'>, used: Used) {
  const isSeen = cache.shared
    ? (await cache.get(cacheKeyOf(idOf(used)))) !== null
    : await isSpent(db, idOf(used))
  if (isSeen) throw new ProofError('PROOF_REPLAYED')
}

/** A client's nonce is accepted only once, over all instances. */
export async function spendNonce(auth: Needs<'cache' | 'clock' | 'db'>, proof: ReceivedProof) {
  const issuedAt = new Date(proof.issuedAtMillis)
  const expiresAt = new Date(lastsUntil(proof))
  const isFirst = await spendId(auth, { id: idOf(proof), issuedAt, expiresAt })
  if (!isFirst) throw new ProofError('PROOF_REPLAYED')
}

const idOf = ({ clientId, nonce }: Used) => `proof:${clientId}:${nonce}`

const [major = 0, minor = 0] = mobileContractVersion.split('.').map(Number)
const range = `>=${major}.${minor}.0 <${major}.${minor + 1}.0`

/**
 * For every operation of the contract of devices. The response names the version of the contract.
 * An app that was built against another is refused with that first, even at sign-in. Until 1.0.0,
 * each minor version may break the one before.
 */
export const deviceContract = defineMiddleware('device-contract', (c, next) => {
  c.header('x-svc-server-contract-version', mobileContractVersion)
  c.header('x-svc-supported-contract-range', range)
  logClient(c)
  refuseOtherContract(c)
  return next()
})

/** An app's name for itself decides nothing. */
function logClient({ req, requestId, server }: RawContext) {
  const clientKind = displayText(req.header('x-svc-client-kind'), 64)
  const clientVersion = displayText(req.header('x-svc-client-version'), 64)
  if (clientKind ?? clientVersion) {
    server.log.debug({ requestId, clientKind, clientVersion }, 'an app called')
  }
}

function refuseOtherContract(c: RawContext) {
  const version = c.req.header('x-svc-client-contract-version')
  if (version === undefined) return
  const [, ...parts] = /^(\d{1,5})\.(\d{1,5})\.\d{1,5}$/.exec(version) ?? []
  if (Number(parts[0]) !== major || Number(parts[1]) !== minor) {
    throw new ProofError('CONTRACT_UNSUPPORTED')
  }
}
