import { randomUUID } from 'node:crypto'
import type { Tx } from '@svc/core'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { sealRows } from '../audit/chain/seal-rows.ts'
import { auditEvents, auditSeals, auditStatements } from '../audit/schema.ts'
import { proofProfile } from '../proof/client.ts'
import { proofOf } from '../proof/testing/test-proof.ts'
import { createTestKey, startTestAuth } from '../testing.ts'
import { trailOf } from './testing/trail.ts'

const auth = await startTestAuth({
  env: { SVC_AUTH_AUDIT_RETENTION_DAYS: '365', SVC_AUTH_AUDIT_RETENTION: 'login=90,user=1825' },
})
const { db } = auth.auth
const trail = trailOf(auth)
const { verify, after, findingsAfter, retain } = trail

/** With a head for it. */
async function seal() {
  auth.clock.advance('5m')
  await trail.seal()
}

afterAll(() => auth.stop())

const root = await auth.signedInUser({ role: 'superadmin' })

const rows = () => db.select().from(auditEvents).orderBy(auditEvents.auditId)
const rowsOf = async (userId: string) =>
  (await rows()).filter(({ actor, target }) => actor === userId || target === userId)

const wrong = { currentPassword: 'not the password at all', newPassword: 'another horse battery' }

describe('svc audit verify --proofs', () => {
  it('checks each with the public key of the time, also one that was revoked since', async () => {
    const user = await auth.createUser()
    const [key, second, third] = [
      await auth.signIn(user),
      await auth.signIn(user),
      await auth.signIn(user),
    ]
    await auth.call('revokeKey', { keyId: second.keyId }, key)
    const path = '/_auth/keys/revoke'
    const body = `{"keyId":"${third.keyId}"}`
    const given = { key, clientId: user.userId, now: auth.clock.now(), path, body }
    const headers = await proofOf(given)
    expect((await auth.fetch(path, { method: 'POST', body, headers })).status).toBe(200)
    await auth.call('logout', undefined, key)
    await seal()
    expect((await auth.keysOf(user.userId)).map(({ state }) => state)).not.toContain('active')
    expect(await verify({ proofs: true })).toMatchObject({
      found: 0,
      proofs: { checked: 3, keyIsGone: 0 },
    })
  })

  it('finds a request that another key has signed', async () => {
    const revocations = (await rows()).filter(({ act, proof }) => act === 'key.revoked' && proof)
    const isOfProfile = ({ proof }: { proof: string | null }) => proof?.startsWith(proofProfile)
    const [row, ofProfile] = [
      revocations.find((each) => !isOfProfile(each)),
      revocations.find(isOfProfile),
    ]
    const insert = (keyId: unknown, proof: unknown) => sql`
      insert into svc_auth.audit_events (at, act, outcome, key_id, proof)
      values (${auth.clock.now()}, 'key.revoked', 'done', ${keyId}, ${proof})`
    const found = await findingsAfter(
      async (tx) => {
        await tx.execute(insert(root.key.keyId, row?.proof))
        await tx.execute(insert(row?.keyId, `${row?.proof?.slice(0, -6)}AAAAAA`))
        await tx.execute(insert(ofProfile?.keyId, `${ofProfile?.proof?.slice(0, -6)}000000`))
        await sealRows(tx, { now: auth.clock.now(), most: 10 })
      },
      { proofs: true },
    )
    expect(found.map(([what]) => what)).toEqual(['proof', 'proof', 'proof'])
  })

  it('finds a request that was put in the place of another, by the same key', async () => {
    const { findings } = await after(
      (tx) =>
        tx.execute(sql`update svc_auth.audit_events one set proof = other.proof
          from svc_auth.audit_events other
          where other.key_id = one.key_id and other.act = 'key.revoked' and one.act = 'key.logout'`),
      { proofs: true },
    )
    expect(findings).toMatchObject([{ what: 'edited', act: 'key.logout' }])
  })

  it('checks what a key has signed that was rotated since', async () => {
    const { checked = 0 } = (await verify({ proofs: true })).proofs ?? {}
    const user = await auth.signedInUser()
    const successor = await createTestKey()
    await auth.call('rotateKey', successor.registration, user.key)
    await seal()
    expect(await verify({ proofs: true })).toMatchObject({
      found: 0,
      proofs: { checked: checked + 1, keyIsGone: 0 },
    })
    const replace = sql`update svc_auth.device_keys set public_key = ${root.key.registration.publicKey}
      where key_id = ${user.key.keyId}`
    const { findings } = await after((tx) => tx.execute(replace), { proofs: true })
    expect(findings).toMatchObject([{ what: 'proof', act: 'key.rotated' }])
  })

  it('finds a public key that was replaced since', async () => {
    const { publicKey } = root.key.registration
    const [row] = (await rows()).filter(({ act, proof }) => act === 'key.revoked' && proof)
    const replace = sql`update svc_auth.device_keys set public_key = ${publicKey}
      where key_id = ${row?.keyId}`
    const found = await findingsAfter((tx) => tx.execute(replace), { proofs: true })
    expect(new Set(found.map(([what]) => what))).toEqual(new Set(['proof']))
  })
})

async function exported(lines: AsyncIterable<object>) {
  const all: object[] = []
  for await (const line of lines) all.push(line)
  return all
}

describe('svc audit export', () => {
  it('has every row of a filter, the oldest first', async () => {
    const all = await exported(trail.export())
    expect(all).toHaveLength((await rows()).length)
    const actor = root.userId
    expect(await exported(trail.export({ actor, act: 'login' }))).toMatchObject([
      { act: 'login', actor, position: expect.any(Number), at: expect.any(String) },
    ])
    expect(await exported(trail.export({ actor: 'no id' }))).toEqual([])
    const from = auth.clock.now().toISOString()
    expect(await exported(trail.export({ from }))).toEqual([])
    expect(await exported(trail.export({ to: from }))).toEqual(all)
  })

  it('reads on where a step ends, within one moment too', async () => {
    await db.transaction(async (tx) => {
      await tx.execute(sql`
        insert into svc_auth.audit_events (at, act, outcome)
        select ${auth.clock.now()}, 'many', 'done' from generate_series(1, 2001)`)
      const { export: read } = trailOf(auth, { on: tx })
      expect(await exported(read({ act: 'many' }))).toHaveLength(2001)
      await tx.execute(sql`delete from svc_auth.audit_events where act = 'many'`)
    })
  })
})

describe('a purge', () => {
  it('takes personal fields and their salt, and the chain still holds (A-136)', async () => {
    const user = await auth.signedInUser()
    const { registration } = await createTestKey()
    await auth.call('login', { ...user, password: 'wrong', ...registration })
    await auth.call('updateUsername', { username: 'ada.the.first' }, user.key)
    await auth.call('changePassword', wrong, user.key)
    auth.clock.advance('2h')
    await seal()
    const before = await rowsOf(user.userId)
    expect(before.every(({ salt, position }) => salt && position)).toBe(true)
    await auth.purge(user)
    const blank = { salt: null, address: null, proof: null, repeatKey: null }
    const purged = (await rowsOf(user.userId)).filter(({ act }) => act !== 'deletion.completed')
    for (const row of purged) expect(row).toMatchObject(blank)
    await seal()
    // The request for the deletion was purged before the sealer came by.
    expect(await verify({ proofs: true })).toMatchObject({
      found: 0,
      unsealed: 0,
      purged: before.length,
    })
  })

  it('is no excuse: an account that is there has its personal fields', async () => {
    const [row] = (await rowsOf(root.userId)).filter(({ position }) => position !== null)
    const position = row?.position
    const blank = sql`update svc_auth.audit_events set address = null, proof = null, salt = null
      where position = ${position}`
    const { findings } = await after((tx) => tx.execute(blank))
    expect(findings).toMatchObject([
      { what: 'edited', position, text: expect.stringContaining('no account that it is of') },
    ])
  })

  it('is no excuse for an id that never was an account', async () => {
    const found = await findingsAfter(async (tx) => {
      await tx.execute(sql`insert into svc_auth.audit_events (at, act, outcome, target, address)
        values (${auth.clock.now()}, 'order', 'done', ${randomUUID()}, '192.0.2.1')`)
      await sealRows(tx, { now: auth.clock.now(), most: 10 })
      await tx.execute(sql`update svc_auth.audit_events set address = null, salt = null
        where act = 'order'`)
    })
    expect(found.map(([what]) => what)).toEqual(['edited'])
  })

  it('that has left no row of the account is known by its own row', async () => {
    const user = await auth.signedInUser()
    await seal()
    await auth.purge(user)
    await seal()
    const forget = (tx: Tx) =>
      tx.execute(sql`delete from svc_auth.users where user_id = ${user.userId}`)
    expect(await findingsAfter(forget)).toEqual([])
    const found = await findingsAfter(async (tx) => {
      await forget(tx)
      await tx.execute(sql`update svc_auth.audit_events set target = null
        where act = 'deletion.completed' and target = ${user.userId}`)
    })
    expect(new Set(found.map(([what]) => what))).toEqual(new Set(['edited']))
    expect(found.length).toBeGreaterThan(1)
    const pastToo = await findingsAfter(async (tx) => {
      await forget(tx)
      await tx.execute(sql`delete from svc_auth.audit_events
        where act = 'deletion.completed' and target = ${user.userId}`)
      const [at, before] = [auth.clock.now(), '9999-01-01T00:00:00.000Z']
      const rules = [{ acts: 'deletion', before }]
      const signed = trail.sign({ kind: 'cut', at: at.toISOString(), rules })
      await tx.insert(auditStatements).values({ kind: 'cut', at, signed })
    })
    expect(pastToo).toEqual([])
  })

  it('does not let an act of the account be edited', async () => {
    const edit = sql`update svc_auth.audit_events set outcome = 'done'
      where salt is null and outcome = 'refused' and act = 'password.changed'`
    expect((await findingsAfter((tx) => tx.execute(edit))).map(([what]) => what)).toEqual([
      'edited',
    ])
  })
})

describe('retention', () => {
  const countOf = async (act: string) => (await rows()).filter((row) => row.act === act).length

  it('keeps each kind for its own days, and the chain still holds', async () => {
    const { userId } = await auth.createUser()
    await auth.proveRecent(root)
    await auth.call('updateUserRole', { role: 'admin' }, root.key, { params: { userId } })
    await auth.call('logout', undefined, await auth.signIn(await auth.createUser()))
    await seal()
    auth.clock.advance('91d')
    await retain()
    expect(await countOf('login')).toBe(0)
    expect(await countOf('key.logout')).toBe(2)
    auth.clock.advance('275d')
    await retain()
    expect(await countOf('key.logout')).toBe(0)
    expect(await countOf('user.role_changed')).toBe(1)
    const report = await verify()
    expect(report).toMatchObject({ found: 0, rows: 1 })
    expect(report.retained).toBeGreaterThan(0)
  })

  it('is told from an attacker, who removes what is not old enough', async () => {
    const remove = sql`delete from svc_auth.audit_events where act = 'user.role_changed'`
    const { findings } = await after((tx) => tx.execute(remove))
    expect(findings).toMatchObject([{ what: 'removed', act: 'user.role_changed' }])
  })

  it('is told from an attacker by what the server has signed', async () => {
    const remove = sql`delete from svc_auth.audit_statements where kind = 'cut'`
    const found = await findingsAfter((tx) => tx.execute(remove))
    expect(new Set(found.map(([what]) => what))).toEqual(new Set(['removed']))
  })

  it('lets go of seals at the beginning, and signs where the chain begins since', async () => {
    const [first] = await db.select().from(auditSeals).orderBy(auditSeals.position)
    expect(first).toMatchObject({ act: 'user.role_changed' })
    const begins = (await db.select().from(auditStatements)).filter(({ kind }) => kind === 'begin')
    expect(begins).toHaveLength(1)
    const remove = sql`delete from svc_auth.audit_statements where kind = 'begin'`
    expect(await findingsAfter((tx) => tx.execute(remove))).toEqual([['removed', 1]])
    const further = sql`delete from svc_auth.audit_seals where position = ${first?.position}`
    expect(await findingsAfter((tx) => tx.execute(further))).toEqual([
      ['removed', first?.position],
      ['inserted', first?.position],
    ])
  })

  it('does not sign away what an attacker has removed', async () => {
    await auth.signIn(await auth.createUser())
    await seal()
    const removed = sql`delete from svc_auth.audit_events where act = 'user.role_changed'`
    await db.execute(removed)
    auth.clock.advance('91d')
    await retain()
    expect((await verify()).findings).toMatchObject([{ what: 'removed', act: 'user.role_changed' }])
  })
})

describe('the last head', () => {
  it('may be of a seal that retention let go, when none could be signed since', async () => {
    const at = await startTestAuth({ env: { SVC_AUTH_AUDIT_RETENTION_DAYS: '1' } })
    const own = trailOf(at)
    await at.signedInUser()
    await own.seal()
    at.clock.advance('2d')
    await at.signedInUser()
    await at.auth.db.transaction((tx) => sealRows(tx, { now: at.clock.now(), most: 10 }))
    await own.retain()
    expect(await own.verify()).toMatchObject({
      found: 0,
      rows: 1,
      sealed: 1,
      retained: 0,
      heads: 1,
    })
    await own.seal()
    expect(await own.verify()).toMatchObject({ found: 0, heads: 2 })
    await at.stop()
  })
})

describe('SVC_AUTH_AUDIT_RETENTION', () => {
  it('goes by the longest name, and a name ends at a dot', async () => {
    const SVC_AUTH_AUDIT_RETENTION = 'kept=20,kept.short=5,kept.short.long=30'
    const at = await startTestAuth({
      env: { SVC_AUTH_AUDIT_RETENTION_DAYS: '10', SVC_AUTH_AUDIT_RETENTION },
    })
    const own = trailOf(at)
    const acts = ['kept', 'kept.x', 'keptother', 'kept.short', 'kept.short.x', 'kept.short.long']
    for (const act of acts) {
      await at.auth.db.insert(auditEvents).values({ at: at.clock.now(), act, outcome: 'done' })
    }
    await own.seal()
    const left: Record<number, string[]> = {}
    for (let day = 0; day <= 30; day += 5) {
      at.clock.set(new Date(at.clock.now().getTime() + 5 * 86_400_000 + (day === 0 ? 1 : 0)))
      await own.retain()
      const those = await at.auth.db.select().from(auditEvents).orderBy(auditEvents.auditId)
      left[day + 5] = those.map(({ act }) => act)
      expect(await own.verify()).toMatchObject({ found: 0 })
    }
    const three = ['kept', 'kept.x', 'kept.short.long']
    expect(left).toMatchObject({
      5: ['kept', 'kept.x', 'keptother', 'kept.short.long'],
      10: three,
      15: three,
      20: ['kept.short.long'],
      25: ['kept.short.long'],
      30: [],
    })
    await at.stop()
  })

  it.each(['login', 'login=0', 'login=1,login=2', 'lo gin=3', 'login=90;role=1'])(
    'refuses %s',
    async (SVC_AUTH_AUDIT_RETENTION) => {
      await expect(startTestAuth({ env: { SVC_AUTH_AUDIT_RETENTION } })).rejects.toThrow(
        'SVC_AUTH_AUDIT_RETENTION must be a list such as login=90,role=1825',
      )
    },
  )
})
