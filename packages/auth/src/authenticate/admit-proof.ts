import { createHash, verify } from 'node:crypto'
import { defineMiddleware, type RawContext, readBody } from '@svc/core'
import { type Auth, authOf } from '../auth.ts'
import type { CallerRow } from '../caller/caller-row.ts'
import { noteSigner } from '../caller/request-origin.ts'
import { ProofError } from '../proof/errors.ts'
import { proofInput } from '../proof/proof-input.ts'
import { refuseSeen, spendNonce } from '../proof/proof-nonce.ts'
import { refuseOtherTime } from '../proof/proof-time.ts'
import { hasProof, type ReceivedProof, readProof } from '../proof/read-proof.ts'
import { isCanonical } from '../proof/strict-json.ts'
import { acceptCaller } from './accept-caller.ts'
import { admit } from './authenticate.ts'
import { nobodysKeys } from './signed-by.ts'

/** In the place of `authenticate` where the contract of devices says so: a signed token, or a proof. */
export const authenticateDevice = defineMiddleware('auth', async (raw, next) => {
  await (hasProof(raw) ? admitProof(raw) : admit(raw))
  await next()
})

/** Finds out which device has proved a request, or refuses it. The order is the protocol's: clients are told the first. */
async function admitProof(raw: RawContext) {
  const auth = authOf(raw.server)
  const proof = readProof(raw)
  const body = await readCanonicalBody(raw)
  // Read behind the body, whose end somebody might hold back until the key has ended.
  const found = await auth.callers(proof.keyId)
  const now = auth.clock.now()
  refuseEnded(found, now)
  refuseOtherTime(proof, now)
  await refuseSeen(auth, proof)
  const { row, input } = provenBy(found, { raw, auth, proof, body })
  await spendNonce(auth, proof)
  noteSigner(raw, { keyId: row.keyId, proof: `${input}\n${proof.signature}` })
  acceptCaller(raw, row)
  auth.keyUse.note(row, raw)
}

// No operation of the contract takes a quarter of it. Of the mebibyte that the server reads, a check would take its time.
const longestBody = 16_384
const json = /^application\/json(?:; *charset=utf-8)?$/i

/** The profile has bodies in one spelling only, and no query, which nobody would have signed. */
async function readCanonicalBody(raw: RawContext) {
  const { 'content-type': type = '', 'content-encoding': encoding } = raw.incoming.headers
  const isPlain = json.test(type) && encoding === undefined && !raw.req.target.includes('?')
  if (!isPlain) throw new ProofError('PROFILE_REJECTED')
  const body = await readBody(raw)
  if (body.length > longestBody || !isCanonical(body)) throw new ProofError('PROFILE_REJECTED')
  return body
}

/** Told without a signature: who has the id of a revoked key has it from the device that the key was of. */
function refuseEnded(row: CallerRow | null, now: Date) {
  const hasEnded = row?.state === 'revoked' || (row?.state === 'active' && row.keyExpiresAt <= now)
  if (hasEnded) throw new ProofError('SESSION_REVOKED')
}

interface Received {
  raw: RawContext
  auth: Auth
  proof: ReceivedProof
  body: Buffer
}

/** One refusal for a key that is unknown, waiting, of another owner or for RS256, and for another's signature. */
function provenBy(row: CallerRow | null, { raw, auth, proof, body }: Received) {
  const bodySha256 = createHash('sha256').update(body).digest('hex')
  const { method, target: path } = raw.req
  const input = proofInput({ ...proof, method, path, bodySha256 })
  const isOwn =
    row?.state === 'active' && row.algorithm === 'ES256' && row.userId === proof.clientId
  // As much work for a key that is not there as for one that is.
  const key = auth.publicKeys(isOwn ? row.publicKey : nobodysKeys.ES256)
  if (!isSignature(proof.signature, input, key) || !isOwn) throw new ProofError('PROOF_INVALID')
  return { row, input }
}

function isSignature(signature: string, input: string, key: ReturnType<Auth['publicKeys']>) {
  const ofP1363 = { key, dsaEncoding: 'ieee-p1363' as const }
  return verify('sha256', Buffer.from(input), ofP1363, Buffer.from(signature, 'hex'))
}
