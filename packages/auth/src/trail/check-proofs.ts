import { verify } from 'node:crypto'
import type { Db, TrailFinding } from '@svc/core'
import type { WrittenRow } from '../audit/audit.ts'
import { createPublicKeyCache, parseRequestJwt, verifySignature } from '../crypto/crypto.ts'
import { findPublicKeys } from '../keys/keys.ts'
import { isProofOfMessage, readProofOfMessage } from '../message-signatures/message-signatures.ts'
import { proofProfile } from '../proof/client.ts'

type PublicKeys = Awaited<ReturnType<typeof findPublicKeys>>
type DeviceKey = PublicKeys extends Map<string, infer Key> ? Key : never

/** Looks at the signed requests of rows, with the public keys that signed them, revoked ones too. */
export function proofChecks(db: Db) {
  const counts = { checked: 0, keyIsGone: 0 }
  const parsed = createPublicKeyCache()
  async function check(rows: readonly WrittenRow[]): Promise<TrailFinding[]> {
    const proven = rows.flatMap((row) => {
      const { proof, keyId } = row
      return proof === null || keyId === null ? [] : [{ row, proof, keyId }]
    })
    const keys = await findPublicKeys(db, [...new Set(proven.map(({ keyId }) => keyId))])
    return proven.flatMap(({ row, proof, keyId }) => {
      const key = keys.get(keyId)
      counts[key ? 'checked' : 'keyIsGone'] += 1
      return !key || isProvenBy(proof, key, parsed) ? [] : [findingOf(row)]
    })
  }
  return { counts, check }
}

function findingOf({ auditId, act, keyId }: WrittenRow): TrailFinding {
  const text = `has a request that the key ${keyId} has not signed`
  return { what: 'proof', auditId, act, text }
}

function isProvenBy(proof: string, key: DeviceKey, parsed: Parsed) {
  try {
    return isBy(proof, key, parsed)
  } catch {
    // What an attacker has put in the place of a public key may be none.
    return false
  }
}

function isBy(proof: string, key: DeviceKey, parsed: Parsed) {
  if (proof.startsWith(`${proofProfile}\n`)) return isProfileBy(proof, key, parsed)
  const signed = isProofOfMessage(proof)
    ? readProofOfMessage(proof)
    : parseRequestJwt(`Bearer ${proof}`)
  if (!signed || signed.keyId !== key.keyId) return false
  return verifySignature(signed, { key: parsed(key.publicKey), algorithm: key.algorithm })
}

type Parsed = ReturnType<typeof createPublicKeyCache>

/** `clientProofV1`: what was signed, and the signature in the last line. */
function isProfileBy(proof: string, { keyId, publicKey }: DeviceKey, parsed: Parsed) {
  const lines = proof.split('\n')
  const signature = Buffer.from(lines.pop() ?? '', 'hex')
  // Profile, method, path, client, key.
  if (lines[4] !== keyId) return false
  const key = { key: parsed(publicKey), dsaEncoding: 'ieee-p1363' as const }
  return verify('sha256', Buffer.from(lines.join('\n')), key, signature)
}
