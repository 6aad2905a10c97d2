import { clientAddress, type RawContext } from '@svc/core'
import { displayText } from '../keys/display-text.ts'

/** Where a request came from. It is kept and shown; nothing is decided by it but the limits of an address. */
export interface RequestOrigin {
  readonly address: string | null
  readonly userAgent: string | null
  readonly requestId: string
  /** The key that signed it, when one did. */
  readonly keyId: string | null
  /** The signed token of a request that changes something: spent by now, and kept as a proof of who asked. */
  readonly proof: string | null
}

/** What calls itself `unknown` says as much as what says nothing. */
function userAgentOf(raw: RawContext) {
  const text = displayText(raw.req.header('user-agent'), 512)
  return text === 'unknown' ? null : text
}

interface Signer {
  keyId: string
  proof: string | null
}

const signer = 'svc.signer'

export function noteSigner(raw: RawContext, signed: Signer) {
  raw.set(signer, signed)
}

export function requestOrigin(raw: RawContext): RequestOrigin {
  const { keyId = null, proof = null } = raw.get<Signer>(signer) ?? {}
  return {
    address: clientAddress(raw),
    userAgent: userAgentOf(raw),
    requestId: raw.requestId,
    keyId,
    proof,
  }
}
