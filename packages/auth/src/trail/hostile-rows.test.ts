import type { Tx } from '@svc/core'
import { desc, eq, sql, TransactionRollbackError } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { sealRows } from '../audit/chain/seal-rows.ts'
import { auditEvents, auditSeals, auditStatements } from '../audit/schema.ts'
import { createTestKey, startTestAuth } from '../testing.ts'
import { trailOf } from './testing/trail.ts'

const auth = await startTestAuth()
const { db } = auth.auth
const trail = trailOf(auth)
const { verify, findingsAfter, seal } = trail
afterAll(() => auth.stop())

const root = await auth.signedInUser({ role: 'superadmin' })
await auth.call('logout', undefined, await auth.signIn(root))
auth.clock.advance('10m')
await seal()
const last = await db.$count(auditSeals)
const heads = await db.$count(auditStatements)

const run = (tx: Tx, text: string) => tx.execute(sql.raw(text))
const now = () => `'${auth.clock.now().toISOString()}'::timestamptz`

/** A row with these columns, and all others as the server writes them. */
function insert(tx: Tx, columns: Record<string, string>) {
  const row: Record<string, string> = { at: now(), act: `'login'`, outcome: `'done'`, ...columns }
  return run(
    tx,
    `insert into svc_auth.audit_events (${Object.keys(row).join()}) overriding system value
    values (${Object.values(row).join()})`,
  )
}

/** The next row of the server: it must get its place, whatever is beside it. */
async function sealAnother(tx: Tx) {
  await insert(tx, { target: `'another'` })
  while (await sealRows(tx, { now: auth.clock.now(), most: 100 }));
  const rows = await tx.select().from(auditEvents).where(eq(auditEvents.target, 'another'))
  expect(rows).toMatchObject([{ position: expect.any(Number), salt: expect.any(String) }])
  expect(rows[0]?.position).toBeGreaterThan(0)
}

async function exported(tx: Tx) {
  const lines: object[] = []
  for await (const line of trailOf(auth, { on: tx }).export()) lines.push(line)
  return lines
}

/** What is left of every row that is read. */
async function readAll(tx: Tx) {
  expect(await exported(tx)).toHaveLength(await tx.$count(auditEvents))
}

const hugeNumbers = (count: number) => `(
  select jsonb_build_object('of', jsonb_agg('1e131071'::jsonb)) from generate_series(1, ${count}))`

const times = [
  'infinity',
  '-infinity',
  '294276-12-31',
  '10000-01-01',
  '4713-01-01 BC',
  '0044-03-15',
]
const values: [string, Record<string, string>][] = [
  ...times.map((at): [string, Record<string, string>] => [`the time ${at}`, { at: `'${at}'` }]),
  ['a count that is never over', { at: `'infinity'`, outcome: `'refused'`, repeat_key: `'x'` }],
  ['details that are a list', { details: `'[1]'` }],
  ['details that are a word', { details: `'"x"'` }],
  ['details of more text than PostgreSQL has', { details: hugeNumbers(9000) }],
  ['details of numbers that fill the memory', { details: hugeNumbers(300) }],
  ['details of a million characters', { details: `jsonb_build_object('x', repeat('x', 1000000))` }],
  ['an address of a million characters', { address: `repeat('x', 1000000)` }],
  ['a signed request of a million characters', { proof: `repeat('x', 1000000)` }],
  ['an outcome of a million characters', { outcome: `repeat('x', 1000000)` }],
  ['a salt of a million characters', { salt: `repeat('x', 1000000)` }],
]

describe('a row that the server can not have written', () => {
  it.each(values)('keeps no other from its seal, and is named: %s', async (_, columns) => {
    const found = await findingsAfter(async (tx) => {
      await insert(tx, columns)
      await sealAnother(tx)
      await readAll(tx)
    })
    expect(found).toEqual([['inserted', 0]])
  })

  it.each(values)('is found where a sealed row was made one: %s', async (_, columns) => {
    const edits = Object.entries(columns)
      .map(([name, value]) => `${name} = ${value}`)
      .join()
    const found = await findingsAfter(async (tx) => {
      await run(tx, `update svc_auth.audit_events set ${edits} where position = 1`)
      await sealAnother(tx)
      await readAll(tx)
    })
    expect(found).toEqual([['edited', 1]])
  })

  it('is found where a sealed row was made to wait for a seal', async () => {
    const found = await findingsAfter(async (tx) => {
      await run(tx, 'update svc_auth.audit_events set position = null where position = 1')
      await sealAnother(tx)
    })
    expect(found).toEqual([['moved', 1]])
  })

  it('has a time that is over when it is sealed', async () => {
    const later = `${now()} + interval '3 hours'`
    const insertedThere = async (tx: Tx) => {
      await insert(tx, { at: later })
      await sealAnother(tx)
    }
    expect(await findingsAfter(insertedThere)).toEqual([['inserted', last + 1]])
    const found = await findingsAfter(async (tx) => {
      await insertedThere(tx)
      const [end] = await tx.select().from(auditSeals).orderBy(desc(auditSeals.position)).limit(1)
      const { position = 0, digest = '' } = end ?? {}
      const at = auth.clock.now()
      const head = { kind: 'head', at: at.toISOString(), rowAt: at.toISOString() } as const
      const signed = trail.sign({ ...head, position, digest })
      await tx.insert(auditStatements).values({ kind: 'head', at, signed })
    })
    expect(found).toEqual([['inserted', last + 1]])
  })

  it('has no number that a double can not have', async () => {
    const found = await findingsAfter(async (tx) => {
      for (const id of ['9223372036854775807', '9223372036854775806', '-9223372036854775808']) {
        await insert(tx, { audit_id: id })
      }
      await sealAnother(tx)
      await readAll(tx)
    })
    expect(found).toEqual([])
  })

  it('hides no other behind ten thousand such numbers', async () => {
    const found = await findingsAfter(async (tx) => {
      await run(
        tx,
        `insert into svc_auth.audit_events (audit_id, at, act, outcome) overriding system value
        select 9223372036854775807 - n, ${now()}, 'many', 'done' from generate_series(1, 10000) n`,
      )
      await insert(tx, { audit_id: '9223372036854775807', position: '3' })
    })
    expect(found).toEqual([['inserted', 3]])
  })

  it('is one of hundreds at infinity, and all are exported', async () => {
    await db
      .transaction(async (tx) => {
        for (const at of ['-infinity', 'infinity']) {
          await run(
            tx,
            `insert into svc_auth.audit_events (at, act, outcome)
            select '${at}', 'many', 'done' from generate_series(1, 600)`,
          )
        }
        await readAll(tx)
        tx.rollback()
      })
      .catch((error: unknown) => expect(error).toBeInstanceOf(TransactionRollbackError))
  })

  it('hides none that waits', async () => {
    const found = await findingsAfter(async (tx) => {
      for (const at of [`'-infinity'`, `'infinity'`]) await insert(tx, { at })
    })
    expect(found).toEqual([['unsealed', undefined]])
  })
})

/** A seal that nothing explains. */
const strange = (positions: string, at = now()) => `
  insert into svc_auth.audit_seals (position, audit_id, at, act, personal, content, previous, digest)
  select position, -row_number() over (), ${at}, 'login', 'x', 'x', 'x', 'x'
  from (values ${positions}) as seal (position)`

describe('a seal that an attacker wrote', () => {
  it.each([
    ['at the last place', '(9223372036854775807)'],
    ['where doubles end', '(9007199254740992), (9007199254740993)'],
    ['at the last place that the sealer takes', `(${2 ** 52 - 1})`],
    ['at two of them', `(${2 ** 52 - 1}), (${2 ** 52 - 3})`],
    ['some places behind the end', `(${last + 9})`],
    ['before the first place', '(0), (-9223372036854775808)'],
  ])('keeps no row from its own, and is found: %s', async (_, positions) => {
    const found = await findingsAfter(async (tx) => {
      await run(tx, strange(positions))
      await insert(tx, { target: `'one'` })
      await sealAnother(tx)
      await sealAnother2(tx)
    })
    expect(found.length).toBeGreaterThan(0)
    expect(found.every(([what]) => ['removed', 'inserted'].includes(`${what}`))).toBe(true)
  })

  it('hides none behind hundreds that have the same double', async () => {
    const positions = Array.from({ length: 600 }, (_, at) => `(9223372036854775807 - ${at})`)
    expect(await findingsAfter((tx) => run(tx, strange(positions.join())))).toContainEqual([
      'removed',
      last + 1,
    ])
  })

  it('is of a row that was not there yet: others get their seals, and it is named', async () => {
    const found = await findingsAfter(async (tx) => {
      await run(
        tx,
        `insert into svc_auth.audit_seals (position, audit_id, at, act, personal, content, previous, digest)
        select -1, max(audit_id) + 100000, ${now()}, 'login', 'x', 'x', 'x', 'x' from svc_auth.audit_events`,
      )
      await run(
        tx,
        `insert into svc_auth.audit_events (audit_id, at, act, outcome) overriding system value
        select max(audit_id) + 100000, ${now()}, 'login', 'done' from svc_auth.audit_events`,
      )
      await sealAnother(tx)
    })
    expect(found).toEqual([['inserted', -1]])
  })
})

/** Once more, since what one run does may stand in the way of the next. */
async function sealAnother2(tx: Tx) {
  await insert(tx, { target: `'more'` })
  expect(await sealRows(tx, { now: auth.clock.now(), most: 100 })).toBe(1)
}

describe('a statement that an attacker wrote', () => {
  it('is named, and hides none', async () => {
    const found = await trail.after(async (tx) => {
      await run(
        tx,
        `insert into svc_auth.audit_statements (statement_id, kind, at, signed) overriding system value
        values (9223372036854775807, 'head', 'infinity', repeat('x', 1000000))`,
      )
    })
    expect(found).toMatchObject({
      heads,
      findings: [
        {
          what: 'forged',
          text: 'statement 9223372036854775807 about the trail has a wrong signature',
        },
      ],
    })
  })
})

describe('a public key that an attacker has replaced', () => {
  it.each([`'no key'`, `repeat('A', 1000000)`])('is found: %s', async (value) => {
    const found = await findingsAfter(
      (tx) => run(tx, `update svc_auth.device_keys set public_key = ${value}`),
      { proofs: true },
    )
    expect(found).toEqual([['proof', undefined]])
  })
})

describe('a count that has no next number', () => {
  it('keeps no refusal from being written', async () => {
    const { userId, email } = await auth.createUser()
    const refuse = async () => {
      const { registration } = await createTestKey()
      const given = { email, password: 'not the password at all', ...registration }
      return (await auth.call('login', given)).status
    }
    expect(await refuse()).toBe(401)
    const counts = eq(auditEvents.target, userId)
    await db
      .update(auditEvents)
      .set({ times: 2 ** 31 - 1 })
      .where(counts)
    expect(await refuse()).toBe(401)
    expect(await db.select().from(auditEvents).where(counts)).toMatchObject([
      { times: 2 ** 31 - 1, lastAt: auth.clock.now() },
    ])
    await db.delete(auditEvents).where(counts)
  })
})

/** The last: from here on, the database is an attacker's. */
describe('with a row at infinity', () => {
  it('the server seals, signs and lists, and a check names the row', async () => {
    await db.transaction(async (tx) => {
      for (const at of ['infinity', '-infinity']) {
        await insert(tx, { at: `'${at}'`, target: `'endless'` })
      }
      await run(tx, strange(`(${last + 1})`, `'infinity'`))
    })
    auth.clock.advance('10m')
    await seal()
    await auth.call('logout', undefined, await auth.signIn(root))
    auth.clock.advance('10m')
    await seal()
    expect(await verify()).toMatchObject({ unsealed: 0, heads: heads + 2 })
    const named = (await verify()).findings.filter(({ position }) => position === 0)
    const inserted = { what: 'inserted', auditId: expect.any(String) }
    expect(named).toMatchObject([
      { ...inserted, at: 'Infinity' },
      { ...inserted, at: '-Infinity' },
    ])
    const query = { target: 'endless' }
    const { status, body } = await auth.call('listAuditEvents', undefined, root.key, { query })
    expect({ status, data: body.data }).toMatchObject({
      status: 200,
      data: [{ at: 'Infinity' }, { at: '-Infinity' }],
    })
    await trail.retain()
    expect(auth.logged.filter(({ level }) => level === 'error')).toEqual([])
  })
})
