/**
 * What no framework can beat on this stack: a request JWT checked by hand against a key row that is read every time.
 * Reads of one turn of the event loop share a statement; parsed keys are kept.
 */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Pool } from 'pg'
import { answer, listen } from './answer.ts'

interface KeyRow {
  key_id: string
  user_id: string
  public_key: string
  algorithm: string
  expires_at: Date
  revoked_at: Date | null
}

type Waiting = (row: KeyRow | undefined) => void

const pool = new Pool({ connectionString: process.env.DATABASE_URL })
await pool.query(`create table keys (
  key_id text primary key, user_id text not null, public_key text not null, algorithm text not null,
  expires_at timestamptz not null, revoked_at timestamptz)`)

let turn = new Map<string, Waiting[]>()

async function readTurn() {
  const waiting = turn
  turn = new Map()
  const ids = [...waiting.keys()]
  const { rows } = await (ids.length === 1
    ? pool.query({ name: 'one', text: 'select * from keys where key_id = $1', values: ids })
    : pool.query({
        name: 'many',
        text: 'select * from keys where key_id = any($1)',
        values: [ids],
      }))
  const found = new Map((rows as KeyRow[]).map((row) => [row.key_id, row]))
  for (const [id, resolves] of waiting) for (const resolve of resolves) resolve(found.get(id))
}

function readKey(keyId: string) {
  return new Promise<KeyRow | undefined>((resolve) => {
    if (turn.size === 0) setImmediate(() => void readTurn())
    const same = turn.get(keyId)
    if (same) same.push(resolve)
    else turn.set(keyId, [resolve])
  })
}

const parsed = new Map<string, KeyObject>()

function publicKey(text: string) {
  const key =
    parsed.get(text) ??
    createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
  parsed.set(text, key)
  return key
}

const nothing = createHash('sha256').update('').digest('base64url')
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())

function isForThis(request: IncomingMessage, claims: Record<string, unknown>) {
  const now = Date.now() / 1000
  const { iat, exp, aud, htm, htu, bh, jti } = claims
  return (
    Number(iat) <= now + 30 &&
    Number(exp) > now &&
    Number(exp) - Number(iat) <= 300 &&
    aud === `http://${request.headers.host}` &&
    htm === request.method &&
    htu === request.url &&
    bh === nothing &&
    typeof jti === 'string' &&
    jti.length >= 16
  )
}

async function callerOf(request: IncomingMessage) {
  const [header = '', payload = '', signature = ''] =
    request.headers.authorization?.slice('Bearer '.length).split('.') ?? []
  const { alg, typ, kid } = decode(header)
  if (typ !== 'svc-req+jwt') return null
  const row = await readKey(kid)
  if (!row || row.algorithm !== alg || row.revoked_at || row.expires_at <= new Date()) return null
  const key = { key: publicKey(row.public_key), dsaEncoding: 'ieee-p1363' } as const
  const signed = Buffer.from(`${header}.${payload}`, 'latin1')
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) return null
  return isForThis(request, decode(payload)) ? row.user_id : null
}

async function tellCaller(request: IncomingMessage, response: ServerResponse) {
  const userId = await callerOf(request).catch(() => null)
  if (userId === null) answer(response, 401, { error: 'nobody' })
  else answer(response, 200, { userId })
}

listen(createServer((request, response) => void tellCaller(request, response)))
