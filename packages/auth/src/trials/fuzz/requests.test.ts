import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'drizzle-orm'
import { array, asyncProperty, check, type IAsyncProperty, type Parameters } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operationsOf } from '../../auth-contract.ts'
import { authContracts } from '../../contracts.ts'
import { machineOf } from '../../machine-keys/testing/machines.ts'
import { testAgents } from '../../oauth2/testing/test-agent.ts'
import { testRelyingParty } from '../../oauth2/testing/test-openid.ts'
import { routeMap } from '../../route-map.generated.ts'
import { sessionOf } from '../../support/testing/support.ts'
import { done } from '../../test-answers.ts'
import { requests } from '../../test-env.ts'
import { startTestAuth, type TestAuth, type TestUser } from '../../testing.ts'
import { keysOfTheInactive } from '../keys-of-the-inactive.ts'
import { createAnswerCounts } from './answer-counts.ts'
import { application, env, readDocument } from './application.ts'
import { faultsOf, leaks } from './judge.ts'
import { liveRequests, streamToken } from './live/live.ts'
import type { Live } from './live/stage.ts'
import { bytes, framesAfter } from './malformed.ts'
import { withQuickPeople } from './people.ts'
import { type Plan, plans } from './plans.ts'
import { type Callers, type Prepared, prepare } from './prepare.ts'
import { asCurl, closeConnections, send, sendBytes } from './send.ts'

const document = readDocument()
const table = createAnswerCounts()
const strays: unknown[] = []
const stray = (error: unknown) => void strays.push(error)
// Some hundreds a second on a quiet machine; a busy one has far longer.
const options = { timeout: Math.max(180_000, requests * 20) }
let auth: TestAuth
let callers: Callers
let root: TestUser
let live: Partial<Record<string, () => Promise<Live>>>

beforeAll(async () => {
  process.on('unhandledRejection', stray)
  process.on('uncaughtException', stray)
  auth = await withQuickPeople(await startTestAuth({ definition: application, env }))
  root = await auth.signedInUser({ role: 'superadmin' })
  const agents = testAgents(auth)
  const tokens = await agents.tokens(await auth.signedInUser(), await agents.register())
  const keyOf = async (role: string) => (await auth.signedInUser({ role })).key
  callers = {
    root,
    user: someone(() => keyOf('user')),
    admin: someone(() => keyOf('admin')),
    machine: someone(() => machineOf(auth, root, { permissions: ['user:read'] })),
    support: someone(supportKey),
    device: someone(() => auth.signedInUser()),
    agentToken: tokens.access_token,
    userinfoToken: (await testRelyingParty(auth).signIn(await auth.signedInUser())).access_token,
  }
  live = liveRequests(auth, root)
})
afterAll(async () => {
  closeConnections()
  await auth.stop()
  process.off('unhandledRejection', stray)
  process.off('uncaughtException', stray)
  // Where it is asked for, and not in the midst of all other tests.
  if (requests > 2000) console.log(table.text())
})

/** Of a session that root has opened, with the code of an owner. */
async function supportKey() {
  const { userId, key } = await auth.signedInUser()
  const { code } = await done(auth.call('createSupportCode', {}, key))
  return sessionOf(auth, root, { userId, code })
}

/** Somebody new now and then: what is done to them may end their key. */
function someone<Person>(make: () => Promise<Person>) {
  let asked = 0
  let person: Promise<Person> | undefined
  return () => {
    if (asked++ % 8 === 0) person = make()
    return person as Promise<Person>
  }
}

async function ask(plan: Plan) {
  const prepared = await prepare(auth, callers, { plan, live: live[plan.name] })
  const answered = await send(auth.url, prepared).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${asCurl(auth.url, prepared)}`)
  })
  table.count(plan.name, answered.status)
  const operation = operationAt(plan, prepared.method)
  const faults = faultsOf(prepared, answered, document.get(operation))
  if (plan.caller === 'support' && answered.status < 400 && isOfOwners(operation)) {
    faults.push('an operator did what is the owner’s alone')
  }
  if (faults.length > 0) throw new Error(told(prepared, faults, answered.text))
}

const operations = operationsOf(authContracts)

/** What is public asks nobody who they are. */
function isOfOwners(name: string) {
  const { access = 'public', support } = operations[name] ?? {}
  return support === 'owner only' && access !== 'public' && access !== 'setup'
}

/** With another method it may be another operation that answers. */
function operationAt({ name, method, path }: Plan, asked: string) {
  const isAsked = (each: { method: string; path: string }) =>
    each.path === path && each.method === asked
  const [operation] = Object.entries(routeMap).find(([, each]) => isAsked(each)) ?? []
  return operation ?? (asked === method ? name : '')
}

const told = (prepared: Prepared, faults: string[], text: string) =>
  [`${prepared.name}: ${faults.join('; ')}`, text.slice(0, 500), asCurl(auth.url, prepared)].join(
    '\n',
  )

/** Of what failed it tells the error and the seed: the values may be too deep to be written out. */
async function holds<Values>(property: IAsyncProperty<Values>, parameters: Parameters<Values>) {
  const { failed, seed, errorInstance } = await check(property, parameters)
  if (failed)
    throw new Error(`With the seed ${seed}: ${String(errorInstance)}`, { cause: errorInstance })
}

/** In bytes, without what could be freed. */
function heapUsed() {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

describe('any request', () => {
  it('every operation answers in words that are documented', options, async () => {
    const batches = array(plans, { minLength: 1, maxLength: 63, size: 'max' })
    let before = 0
    let batchesSent = 0
    const property = asyncProperty(batches, async (batch) => {
      auth.clock.advance(100)
      await Promise.all(batch.map(ask))
      // Of this test, and not of what it tests.
      auth.logged.length = 0
      if (++batchesSent === 8) before = heapUsed()
    })
    // With what has to be there first, a batch is some 48 of them. A failure names its one request: nothing is smaller.
    await holds(property, { numRuns: Math.ceil(requests / 48), endOnFailure: true })
    expect(table.share()).toBeGreaterThan(0.15)
    expect(table.neverDone()).toEqual([])
    expect(heapUsed() - before).toBeLessThan(150e6)
  })

  it('bytes that are no request end the connection, and nothing else', options, async () => {
    const batches = array(bytes, { minLength: 1, maxLength: 31, size: 'max' })
    const property = asyncProperty(batches, async (batch) => {
      const answers = await Promise.all(batch.map((each) => sendBytes(auth.url, each)))
      for (const answer of answers) {
        expect(answer).toMatch(/^$|^HTTP\/1\.1 (101|2\d\d|4\d\d|503) /)
        expect(answer).not.toMatch(leaks)
      }
    })
    await holds(property, { numRuns: Math.ceil(requests / 320) })
  })

  it('a socket takes any bytes for frames, and ends', options, async () => {
    for (let sent = 0; sent < requests / 160; sent++) {
      const property = asyncProperty(framesAfter(await streamToken(auth)), async (request) => {
        expect(await sendBytes(auth.url, request, 'kept open')).toMatch(/^HTTP\/1\.1 (101|4\d\d) /)
      })
      await holds(property, { numRuns: 1 })
    }
  })
})

describe('after all of that', () => {
  it('nothing was thrown and not caught, and the server is well', async () => {
    expect(strays).toEqual([])
    expect((await auth.fetch('/_core/health')).status).toBe(200)
    expect((await auth.call('getAuthSession', undefined, root.key)).status).toBe(200)
  })

  it('no account that is not active has a key, and no account has made itself superadmin', async () => {
    const { db } = auth.auth
    expect(await keysOfTheInactive(db)).toEqual([])
    // The only superadmin that there was may have made others, by a change of role or at once.
    const withoutRoot = await db.execute(sql`
      select user_id, (
        select json_agg(json_build_array(act, actor, details) order by at)
        from svc_auth.audit_events where target = user_id::text or actor = user_id
      ) as acts
      from (
        select user_id, role from svc_auth.users union all select user_id, role from svc_auth.account_roles
      ) held where role = 'superadmin' and user_id <> ${root.userId} and not exists (
        select from svc_auth.audit_events
        where act in ('user.role_changed', 'user.created')
          and actor = ${root.userId} and target = user_id::text)`)
    expect(withoutRoot.rows).toEqual([])
    const { roles } = (await auth.call('listRoles', undefined, root.key)).body
    const builtin = roles.filter(({ isBuiltin }: { isBuiltin: boolean }) => isBuiltin)
    const ranks = builtin.map(({ name, priority }: Record<string, unknown>) => [name, priority])
    expect(ranks).toEqual([
      ['superadmin', 100],
      ['admin', 80],
      ['user', 10],
    ])
  })
})
