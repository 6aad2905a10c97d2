import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tx } from '@svc/core'
import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { recordAudit } from '../audit/audit.ts'
import { sealRows } from '../audit/chain/seal-rows.ts'
import { auditSeal } from '../audit/jobs.ts'
import { auditEvents, auditSeals } from '../audit/schema.ts'
import { createTestKey, startTestAuth } from '../testing.ts'
import { trailOf } from './testing/trail.ts'

const folder = await mkdtemp(join(tmpdir(), 'svc-heads-'))
const headsPath = join(folder, 'heads.jsonl')
const auth = await startTestAuth({ env: { SVC_AUTH_AUDIT_HEADS_PATH: headsPath } })
const { db } = auth.auth
const trail = trailOf(auth)
const { verify, after, findingsAfter, seal } = trail
afterAll(async () => {
  await auth.stop()
  await rm(folder, { recursive: true })
})

const root = await auth.signedInUser({ role: 'superadmin' })
const other = await auth.signedInUser()

async function refuse(email: string) {
  const { registration } = await createTestKey()
  const given = { email, password: 'not the password at all', ...registration }
  return auth.call('login', given)
}

const logOut = async () => auth.call('logout', undefined, await auth.signIn(other))

/** Rows with everything that a row can have, sealed and signed. */
async function someTrail() {
  await refuse(other.email)
  await logOut()
  const params = { userId: other.userId }
  await auth.call('updateUserRole', { role: 'admin' }, root.key, { params })
  await auth.call('updateUsername', { username: `u${randomUUID().slice(0, 8)}` }, other.key)
  auth.clock.advance('2h')
  await auth.proveRecent(root)
  await seal()
}
await someTrail()
const headsBefore = await heads()
auth.clock.advance('10m')
await logOut()
await seal()

async function heads() {
  return (await readFile(headsPath, 'utf8')).trim().split('\n')
}

// Two, or more where the job has come by meanwhile.
const headCount = (await heads()).length
const sealed = await db.select().from(auditSeals).orderBy(auditSeals.position)
const events = await db.select().from(auditEvents).orderBy(auditEvents.position)
/** The position of the first row of an act. */
const positionOf = (act: string) => events.find((each) => each.act === act)?.position ?? 0
const last = sealed.length

const run = (tx: Tx, text: string) => tx.execute(sql.raw(text))

/** The chain once more, with the code of the server, which an attacker has too. */
async function rewrite(tx: Tx) {
  await run(tx, `update svc_auth.audit_events set act = 'key.revoked' where position = 3`)
  await run(tx, 'update svc_auth.audit_events set position = null')
  await run(tx, 'delete from svc_auth.audit_seals')
  await sealRows(tx, { now: auth.clock.now(), most: 1000 })
}

describe('svc audit verify', () => {
  it('finds nothing in a trail that is as it was written', async () => {
    expect(await verify({ proofs: true })).toMatchObject({
      findings: [],
      found: 0,
      rows: last,
      sealed: last,
      unsealed: 0,
      heads: headCount,
      otherKeys: 0,
    })
  })

  const changes: [string, string, string][] = [
    ['at', 'key.logout', `at + interval '1 millisecond'`],
    ['actor', 'key.logout', 'gen_random_uuid()'],
    ['key_id', 'key.logout', `'another'`],
    ['act', 'key.logout', `'key.revoked'`],
    ['target', 'login', `'another'`],
    ['outcome', 'key.logout', `'refused'`],
    ['details', 'user.role_changed', `jsonb_set(details, '{to}', '"user"')`],
    ['details', 'username.changed', `'{"username": "another"}'`],
    ['address', 'login', `'192.0.2.1'`],
    ['request_id', 'login', `'another'`],
    ['proof', 'user.role_changed', `proof || 'x'`],
    ['proof', 'user.role_changed', 'null'],
    ['times', 'login', 'times + 1'],
    ['last_at', 'login', 'at'],
    ['salt', 'login', `'another'`],
  ]
  it.each(changes)('finds a row whose %s was edited, of %s', async (column, act, value) => {
    const position = positionOf(act)
    const edit = `update svc_auth.audit_events set ${column} = ${value} where position = ${position}`
    expect(await findingsAfter((tx) => run(tx, edit))).toEqual([['edited', position]])
  })

  it('finds an edit whose seal was made to fit', async () => {
    const found = await findingsAfter(async (tx) => {
      await run(tx, `update svc_auth.audit_events set act = 'x' where position = 3`)
      await run(tx, `update svc_auth.audit_seals set act = 'x' where position = 3`)
    })
    expect(found).toEqual([['edited', 3]])
  })

  it('finds a removed row, and says which', async () => {
    const { findings } = await after((tx) =>
      run(tx, 'delete from svc_auth.audit_events where position = 3'),
    )
    const [row] = events.filter(({ position }) => position === 3)
    expect(findings).toMatchObject([
      { what: 'removed', position: 3, auditId: String(row?.auditId), act: row?.act },
    ])
  })

  it('finds a removed row whose seal was removed too', async () => {
    const found = await findingsAfter(async (tx) => {
      await run(tx, 'delete from svc_auth.audit_events where position in (3, 4)')
      await run(tx, 'delete from svc_auth.audit_seals where position in (3, 4)')
    })
    expect(found).toEqual([['removed', 3]])
  })

  it('finds the beginning cut off', async () => {
    const found = await findingsAfter(async (tx) => {
      await run(tx, 'delete from svc_auth.audit_events where position < 3')
      await run(tx, 'delete from svc_auth.audit_seals where position < 3')
    })
    expect(found).toEqual([['removed', 1]])
  })

  const swapped = (table: string, columns: string) => `
    update svc_auth.${table} one set (${columns}) = (select ${columns
      .split(', ')
      .map((name) => `other.${name}`)
      .join(', ')}
      from svc_auth.${table} other where other.position = 5 - one.position)
    where position in (2, 3)`

  it('finds rows that have changed their places', async () => {
    const found = await findingsAfter(async (tx) => {
      await run(tx, swapped('audit_events', 'at, act, actor, target, key_id, request_id'))
    })
    expect(found).toEqual([
      ['edited', 2],
      ['edited', 3],
    ])
  })

  it('finds rows that have changed their places together with their seals', async () => {
    const found = await findingsAfter(async (tx) => {
      for (const table of ['audit_events', 'audit_seals']) {
        for (const [from, to] of [
          [2, -2],
          [3, 2],
          [-2, 3],
        ]) {
          await run(tx, `update svc_auth.${table} set position = ${to} where position = ${from}`)
        }
      }
    })
    expect(found).toEqual([
      ['moved', 2],
      ['moved', 3],
    ])
  })

  const insert = (position: string, at: string) => `
    insert into svc_auth.audit_events (at, act, outcome, position)
    values (${at}, 'login', 'done', ${position})`

  it('finds a row that was put in between with the position of another', async () => {
    expect(await findingsAfter((tx) => run(tx, insert('3', 'now()')))).toEqual([['inserted', 3]])
  })

  it('finds a row that was put in behind ten thousand others', async () => {
    const found = await findingsAfter(async (tx) => {
      await run(
        tx,
        `insert into svc_auth.audit_events (at, act, outcome)
        select '${auth.clock.now().toISOString()}', 'many', 'done' from generate_series(1, 10000)`,
      )
      await run(tx, insert('3', 'now()'))
    })
    expect(found).toEqual([['inserted', 3]])
  })

  it('goes on where a row has a time that no Date can have', async () => {
    const { findings } = await after((tx) => run(tx, insert('3', `'infinity'`)))
    expect(findings).toMatchObject([{ what: 'inserted', position: 3, at: 'Infinity' }])
  })

  it('finds a row that was put in later with an earlier time', async () => {
    const at = `'${events[0]?.at.toISOString()}'`
    const found = await findingsAfter(async (tx) => {
      await run(tx, insert('null', at))
      await sealRows(tx, { now: auth.clock.now(), most: 10 })
    })
    expect(found).toEqual([
      ['inserted', last + 1],
      ['unsigned', last + 1],
    ])
  })

  const cutOff = async (tx: Tx) => {
    for (const table of ['audit_events', 'audit_seals']) {
      await run(tx, `delete from svc_auth.${table} where position > ${last - 1}`)
    }
  }

  it('finds the tail cut off, by the heads in the database', async () => {
    expect(await findingsAfter(cutOff)).toEqual([['removed', last]])
  })

  it('finds the tail cut off with its heads, by heads that were kept elsewhere alone', async () => {
    const clean = async (tx: Tx) => {
      await cutOff(tx)
      await run(
        tx,
        `delete from svc_auth.audit_statements where kind = 'head'
        and statement_id = (select max(statement_id) from svc_auth.audit_statements)`,
      )
    }
    expect(await findingsAfter(clean)).toEqual([])
    expect(await findingsAfter(clean, { heads: await heads() })).toEqual([['removed', last]])
    expect(await findingsAfter(clean, { heads: headsBefore })).toEqual([])
  })

  it('finds a chain that was written once more, by its signed heads', async () => {
    const found = await findingsAfter(rewrite)
    expect(new Set(found.map(([what]) => what))).toEqual(new Set(['rewritten']))
  })

  it('finds a chain that was written once more and is not signed', async () => {
    const found = await findingsAfter(async (tx) => {
      await rewrite(tx)
      await run(tx, 'delete from svc_auth.audit_statements')
    })
    expect(found).toEqual([['unsigned', 1]])
  })

  it('finds a statement that its key has not signed', async () => {
    const found = await findingsAfter((tx) =>
      run(
        tx,
        `update svc_auth.audit_statements set signed = regexp_replace(signed, '^([^.]*\\.)[^.]*', '\\1e30')`,
      ),
    )
    const forged = Array.from({ length: headCount }, () => 'forged')
    expect(found.map(([what]) => what)).toEqual([...forged, 'unsigned'])
  })

  it('finds rows that nothing has sealed for hours', async () => {
    const at = `'${auth.clock.now().toISOString()}'::timestamptz - interval '121 minutes'`
    const found = await findingsAfter((tx) => run(tx, insert('null', at)))
    expect(found).toEqual([['unsealed', undefined]])
  })

  it('refuses without a key, and takes one from elsewhere', async () => {
    const keyless = trailOf(auth, { secret: '' })
    await expect(keyless.verify()).rejects.toThrow('SVC_AUTH_VERIFICATION_TOKEN_SECRET')
    const stranger = trailOf(auth, { secret: 'another secret that is long enough for it' })
    expect(await stranger.verify()).toMatchObject({ otherKeys: headCount, heads: 0 })
    for (const checked of [{ keys: [trail.publicKey()] }, { heads: await heads() }]) {
      expect(await keyless.verify(checked)).toMatchObject({
        found: 0,
        heads: headCount,
        otherKeys: 0,
      })
    }
  })
})

describe('the sealer', () => {
  it('leaves heads in the log and in the file, some minutes apart', async () => {
    const before = (await heads()).length
    await logOut()
    await seal()
    expect(await heads()).toHaveLength(before)
    auth.clock.advance('5m')
    await seal()
    await seal()
    expect(await heads()).toHaveLength(before + 1)
    const logged = auth.logged.filter(({ msg }) => msg === 'audit trail: head')
    expect(logged.map(({ signed }) => signed)).toEqual(
      (await heads()).map((line) => JSON.parse(line).signed),
    )
  })

  it('runs as a job', async () => {
    await logOut()
    await auth.within(() => auditSeal.enqueue())
    await expect.poll(async () => (await verify()).unsealed, { timeout: 10_000 }).toBe(0)
  })

  it('takes no lock that sign-ins share: they go on while its transaction is open', async () => {
    await logOut()
    await refuse(other.email)
    await db.transaction(async (tx) => {
      expect(await sealRows(tx, { now: auth.clock.now(), most: 100 })).toBeGreaterThan(0)
      await logOut()
      expect((await refuse(other.email)).status).toBe(401)
      expect((await refuse(`${randomUUID()}@example.com`)).status).toBe(401)
      expect(
        await db.transaction((second) => sealRows(second, { now: auth.clock.now(), most: 9 })),
      ).toBeNull()
    })
    await seal()
    expect(await verify()).toMatchObject({ found: 0 })
  })

  it('gives a row that commits later a later place, also with an earlier number', async () => {
    const record = (tx: Tx, target: string) =>
      recordAudit(tx, { act: 'key.logout', target, at: auth.clock.now() })
    await db.transaction(async (tx) => {
      await record(tx, 'first')
      await db.transaction((second) => record(second, 'second'))
      await seal()
    })
    await seal()
    const rows = await db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.act, 'key.logout'))
      .orderBy(auditEvents.position)
    expect(rows.slice(-2).map(({ target }) => target)).toEqual(['second', 'first'])
    expect(rows.at(-1)?.auditId).toBeLessThan(rows.at(-2)?.auditId ?? 0)
    expect(await verify()).toMatchObject({ found: 0 })
  })

  it('seals what counts repeats when its hour is over, and counts in another row from then on', async () => {
    const { userId, email } = await auth.createUser()
    const rowsOf = () =>
      db
        .select()
        .from(auditEvents)
        .where(eq(auditEvents.target, userId))
        .orderBy(auditEvents.auditId)
    await refuse(email)
    await refuse(email)
    await seal()
    expect(await rowsOf()).toMatchObject([{ times: 2, position: null }])
    const then = auth.clock.now()
    auth.clock.advance('66m')
    await seal()
    expect(await rowsOf()).toMatchObject([{ times: 2, position: expect.any(Number) }])
    // As an instance would that was held up for all this time.
    const since = auth.clock.now()
    auth.clock.set(then)
    await refuse(email)
    auth.clock.set(since)
    expect(await rowsOf()).toMatchObject([{ times: 2 }, { times: 1, position: null }])
    expect(await verify()).toMatchObject({ found: 0 })
  })

  it('signs nothing when the chain is not the one that it has signed, heads or none', async () => {
    const before = (await heads()).length
    await db.transaction(async (tx) => {
      await rewrite(tx)
      await run(tx, 'delete from svc_auth.audit_statements')
    })
    auth.clock.advance('10m')
    await logOut()
    await seal()
    expect(await heads()).toHaveLength(before)
    expect(auth.logged.filter(({ level }) => level === 'error')).toMatchObject([
      { msg: 'audit trail: the chain is not the one that was signed' },
    ])
  })
})
