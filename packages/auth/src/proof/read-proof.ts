import type { RawContext } from '@svc/core'
import { keyIdPattern } from '../crypto/key-id.ts'
import { ProofError } from './errors.ts'
import { proofProfile } from './proof-input.ts'

/** What the headers of a request claim. Nothing of it is believed yet. */
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
// One spelling for each moment, and exact as a number.
const moments = /^(?:0|[1-9]\d{0,14})$/
const signatures = /^[\da-f]{128}$/

/** Whether a request says that a device has proved it. */
export function hasProof({ incoming }: RawContext) {
  return incoming.headers['x-svc-auth-profile'] !== undefined
}

/** Reads the headers of a proof: each is there once, and in its one form. */
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
