import type { RequestToSign, SigningKey, SignRequest } from '@svc/core/client'
import { mobileContractVersion } from './contract-version.ts'
import { proofInput, proofProfile } from './proof-input.ts'

export interface ProofSigningOptions {
  /** Whose key it is: the `userId` that a sign-in has answered. */
  clientId: string
  /** What makes the proof good for one use: 16 to 128 printable characters. Random unless set. */
  nonce?: string
}

/**
 * Signs each request as `clientProofV1` asks for: what `createApi` takes as `sign`, with `canonicalJson` as `writeBody`.
 * Only operations that the contract has with a proof take it.
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
