export const proofProfile = 'clientProofV1'

/** What a device says of a request, and signs. */
export interface ProofFields {
  readonly method: string
  /** The request line's, without a query: what is signed has none. */
  readonly path: string
  /** The user id of the key's owner. */
  readonly clientId: string
  readonly keyId: string
  readonly nonce: string
  readonly issuedAtMillis: number
  /** In lower-case hex, of the bytes as they are sent; null where there are none. */
  readonly bodySha256: string | null
}

const ofNoBody = '0'.repeat(64)

/** The text whose UTF-8 bytes a device signs. */
export function proofInput(fields: ProofFields): string {
  const { method, path, clientId, keyId, nonce, issuedAtMillis, bodySha256 } = fields
  const moment = String(issuedAtMillis)
  const lines = [method, path, clientId, keyId, nonce, moment, bodySha256 ?? ofNoBody]
  // A line feed in one field would make two of it, and let two requests have one input.
  if (lines.some((line) => /\p{Cc}/u.test(line))) {
    throw new TypeError('No field of a proof has a control character.')
  }
  return [proofProfile, ...lines].join('\n')
}
