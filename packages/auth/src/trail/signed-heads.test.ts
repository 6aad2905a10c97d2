import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { auditSeals, auditStatements } from '../audit/schema.ts'
import { startTestAuth } from '../testing.ts'
import { trailOf } from './testing/trail.ts'

const auth = await startTestAuth()
const { db } = auth.auth
const trail = trailOf(auth)
const stranger = trailOf(auth, { secret: 'another secret that is long enough for it' })
const { verify, after } = trail
afterAll(() => auth.stop())

await auth.signedInUser()
await trail.seal()
// From here on, a chain without a head is unsigned.
auth.clock.advance('3h')

const head = (await db.select().from(auditStatements))[0]?.signed ?? ''
const { position = 0, digest = '' } = (await db.select().from(auditSeals))[0] ?? {}
const [header = '', payload = '', signature = ''] = head.split('.')

type Part = Record<string, unknown>
const read = (part: string): Part => JSON.parse(Buffer.from(part, 'base64url').toString())
const written = (part: Part) => Buffer.from(JSON.stringify(part)).toString('base64url')
const withHeader = (change: Part) => [written({ ...read(header), ...change }), payload, signature]
const withPayload = (change: Part) => [header, written({ ...read(payload), ...change }), signature]
const at = auth.clock.now().toISOString()
const byStranger = stranger.sign({ kind: 'head', at, rowAt: at, position, digest }).split('.')

const afterHead = (parts: readonly string[]) =>
  after((tx) =>
    tx
      .update(auditStatements)
      .set({ signed: parts.join('.') })
      .where(eq(auditStatements.kind, 'head')),
  )

describe('a head', () => {
  it('is signed with Ed25519, and names its key and its place', async () => {
    const { kid } = trail.publicKey() as { kid: string }
    expect(read(header)).toEqual({ alg: 'EdDSA', typ: 'svc-audit+jwt', kid })
    expect(read(payload)).toMatchObject({ kind: 'head', position, digest })
    expect(await verify()).toMatchObject({ found: 0, heads: 1 })
  })

  const changed: [string, string[]][] = [
    ['another position', withPayload({ position: position + 1 })],
    ['another digest', withPayload({ digest: 'x' })],
    ['another time', withPayload({ at: '2000-01-01T00:00:00.000Z' })],
    ['another kind', withPayload({ kind: 'begin' })],
    ['the signature of another key', [header, payload, byStranger[2] ?? '']],
    ['what another key has signed, and the id of this one', [header, ...byStranger.slice(1)]],
    ['another signature', [header, payload, `${signature.slice(0, -4)}AAAA`]],
    ['no signature', [header, payload, '']],
    ['no signature and no algorithm', [...withHeader({ alg: 'none' }).slice(0, 2), '']],
    ['another algorithm', withHeader({ alg: 'HS256' })],
    ['another type', withHeader({ typ: 'JWT' })],
    ['a fourth part', [header, payload, signature, '']],
  ]
  it.each(changed)('is forged with %s, and covers nothing', async (_, parts) => {
    const { findings, heads, otherKeys } = await afterHead(parts)
    expect(findings.map(({ what }) => what)).toEqual(['forged', 'unsigned'])
    expect({ heads, otherKeys }).toEqual({ heads: 0, otherKeys: 0 })
  })

  it.each([
    ['that names the key of another', withHeader({ kid: read(byStranger[0] ?? '')['kid'] })],
    ['of another key', byStranger],
  ])('%s covers nothing without that key', async (_, parts) => {
    const { findings, heads, otherKeys } = await afterHead(parts)
    expect(findings.map(({ what }) => what)).toEqual(['unsigned'])
    expect({ heads, otherKeys }).toEqual({ heads: 0, otherKeys: 1 })
  })

  it('with the id of another key is forged for who has that key', async () => {
    const kid = read(byStranger[0] ?? '')['kid']
    const parts = withHeader({ kid })
    const { findings } = await after(
      (tx) => tx.update(auditStatements).set({ signed: parts.join('.') }),
      { keys: [stranger.publicKey()] },
    )
    expect(findings.map(({ what }) => what)).toEqual(['forged', 'unsigned'])
  })

  it('is compared with the chain, also where it was kept elsewhere', async () => {
    const signed = trail.sign({ kind: 'head', at, rowAt: at, position, digest: 'another' })
    const line = JSON.stringify({ signed, key: trail.publicKey() })
    const { findings } = await verify({ heads: [line] })
    expect(findings).toMatchObject([{ what: 'rewritten', position }])
  })
})
