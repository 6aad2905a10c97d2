import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import type { Db } from '@svc/core'
import { desc, eq, sql } from 'drizzle-orm'
import { deriveKey } from '../../crypto/crypto.ts'
import { isObject } from '../../is-object.ts'
import { auditStatements, type StatementKind } from '../schema.ts'
import { firstPrevious } from './digests.ts'
import type { RetentionRule } from './retention-rules.ts'

export interface Place {
  readonly position: number
  readonly digest: string
}

/** What the server says of the trail, and signs. */
export type Statement =
  /** `rowAt` is the time of the row at its place: retention lets go of it only when that is past. */
  | ({ readonly kind: 'head'; readonly at: string; readonly rowAt: string } & Place)
  /** `before` is the youngest time up to which retention has let go of rows. */
  | ({ readonly kind: 'begin'; readonly at: string; readonly before: string } & Place)
  | { readonly kind: 'cut'; readonly at: string; readonly rules: readonly RetentionRule[] }

export type Head = Extract<Statement, { kind: 'head' }>
/** The same place may have heads of several times. */
export const byPlace = (one: Head, other: Head) =>
  one.position - other.position || Date.parse(one.at) - Date.parse(other.at)

export type Begin = Extract<Statement, { kind: 'begin' }>

/** The key that signs the trail, and the public half with the id by which statements name it. */
export interface TrailKey {
  readonly privateKey: KeyObject
  readonly publicKey: PublicTrailKey
}

export interface PublicTrailKey {
  readonly keyId: string
  readonly key: KeyObject
}

// What stands before the 32 bytes of a private key of Ed25519 in PKCS #8 (RFC 8410, section 7).
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The same on all instances, and in the command: it follows from the secret that all of them have. */
export function trailKey(secret: string): TrailKey {
  const seed = deriveKey(secret, 'audit trail')
  const key = Buffer.concat([pkcs8Prefix, seed])
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: named(createPublicKey(privateKey)) }
}

/** Throws where it is no public key of Ed25519. */
export function readTrailKey(jwk: Readonly<Record<string, unknown>>): PublicTrailKey {
  // A private key among the public ones would be taken for one.
  if (jwk.kty !== 'OKP' || jwk.crv !== 'Ed25519' || 'd' in jwk) {
    throw new Error('This is no public key of Ed25519.')
  }
  return named(createPublicKey({ key: jwk, format: 'jwk' }))
}

export function jwkOf({ keyId, key }: PublicTrailKey) {
  return { ...key.export({ format: 'jwk' }), kid: keyId, alg: 'EdDSA', use: 'sig' }
}

/** By its own thumbprint (RFC 7638), so that no two keys share an id. */
function named(key: KeyObject): PublicTrailKey {
  const { crv, kty, x } = key.export({ format: 'jwk' })
  const keyId = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url')
  return { keyId, key }
}

const type = 'svc-audit+jwt'

/** A JWS in its compact form (RFC 7515). */
export function signStatement(statement: Statement, { privateKey, publicKey }: TrailKey) {
  const header = { alg: 'EdDSA', typ: type, kid: publicKey.keyId }
  const signed = [header, statement].map(encode).join('.')
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** What one of these keys has signed: `unknown` is of another key, `false` is of none. */
export function readStatement(
  text: string,
  keys: readonly PublicTrailKey[],
): Statement | 'unknown' | 'false' {
  const [head = '', payload = '', signature = '', more] = text.split('.')
  const header = decode(head)
  if (!header || header.alg !== 'EdDSA' || header.typ !== type || more !== undefined) return 'false'
  const known = keys.find(({ keyId }) => keyId === header.kid)
  if (!known) return 'unknown'
  const bytes = Buffer.from(`${head}.${payload}`)
  if (!verify(null, bytes, known.key, Buffer.from(signature, 'base64url'))) return 'false'
  // What the key has signed is what `signStatement` was given.
  return (decode(payload) as Statement | null) ?? 'false'
}

/** Of which place a statement says something: unproven. */
export function placeOf(text: string) {
  const position = decode(text.split('.')[1] ?? '')?.position
  return typeof position === 'number' ? position : null
}

function decode(part: string) {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** None that the server signs is longer. One that an attacker has made longer is cut, or it would take all memory. */
export const signedText = sql<string>`left(${auditStatements.signed}, 262144)`

export async function keepStatement(db: Db, statement: Statement, signed: string) {
  const { kind, at } = statement
  await db.insert(auditStatements).values({ kind, at: new Date(at), signed })
}

export async function lastStatement(db: Db, kind: StatementKind) {
  const [last] = await db
    .select({ signed: signedText })
    .from(auditStatements)
    .where(eq(auditStatements.kind, kind))
    .orderBy(desc(auditStatements.at), desc(auditStatements.statementId))
    .limit(1)
  return last?.signed ?? null
}

/** Where the chain begins. Null where another key has signed it: what this one signs would hide what happened before. */
export async function beginOf(
  db: Db,
  key: TrailKey,
): Promise<(Place & Partial<Pick<Begin, 'before'>>) | null> {
  const signed = await lastStatement(db, 'begin')
  if (signed === null) return { position: 0, digest: firstPrevious }
  const begin = readStatement(signed, [key.publicKey])
  return typeof begin === 'object' && begin.kind === 'begin' ? begin : null
}
