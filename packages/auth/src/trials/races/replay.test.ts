import { setTimeout as wait } from 'node:timers/promises'
import { defineRouter, route } from '@svc/core'
import { directRequest, requestSigner } from '@svc/core/client'
import { redisProgram, startTestRedis } from '@svc/core/testing'
import { max, sql } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { orFew } from '../../../../../scripts/test/or-few.ts'
import { createAuthApi } from '../../auth-api.ts'
import { machineOf } from '../../machine-keys/testing/machines.ts'
import { signMessage } from '../../message-signatures/testing/test-message.ts'
import { readDpopProof } from '../../oauth2/dpop/dpop.ts'
import { proofAt } from '../../oauth2/dpop/testing/test-proof.ts'
import { agentServiceOf } from '../../oauth2/verify-access-token.ts'
import { forgetSpent } from '../../once/once.ts'
import { spent } from '../../once/schema.ts'
import { canonicalJson, proofSigner } from '../../proof/client.ts'
import { proofOf } from '../../proof/testing/test-proof.ts'
import { routeMap } from '../../route-map.generated.ts'
import type { TestKey } from '../../testing.ts'
import { type Race, startRace } from './race.ts'

const audience = 'https://api.example.com'
const second = 1000
const missing = redisProgram ? '' : ' (no redis-server on PATH)'

const router = defineRouter({
  notes: route
    .post('/notes')
    .skip(['auth'])
    .handler(({ raw }) => readDpopProof(agentServiceOf(raw.server), raw)),
})

let stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop()
  stops = []
})

interface Store {
  readonly race: Race
  /** Empties it, as a crash does. */
  readonly lose: () => Promise<unknown>
}

const start = (CACHE_URL: string) =>
  startRace({
    router,
    options: { machines: { messageSignatures: true } },
    env: { SVC_API_URL: audience, ...(CACHE_URL && { CACHE_URL }) },
  })

/** Two instances that keep what was spent in the same place. */
const stores: Record<string, () => Promise<Store>> = {
  'the database': async () => ({ race: await start(''), lose: async () => {} }),
  'a cache in the database': async () => {
    const race = await start('postgres:')
    // What is left of an unlogged table after a crash.
    const lose = () => race.auth.db.execute(sql`truncate svc_core.cache_entries`)
    return { race, lose }
  },
  Redis: async () => {
    const redis = await startTestRedis()
    stops.push(() => redis.stop())
    const lose = async () => {
      await redis.kill()
      await redis.restart()
    }
    return { race: await start(redis.url), lose }
  },
}
const names = Object.keys(stores).filter((name) => name !== 'Redis' || redisProgram)

async function open(name: string) {
  const store = await (stores[name] as () => Promise<Store>)()
  stops.push(() => store.race.stop())
  for (const { clock } of store.race.instances) clock.isVirtual = false
  // What is signed within a second of a cache's birth is not taken.
  if (store.race.auth.cache.shared) await wait(2_100)
  setClocks(store.race)
  return store
}

function setClocks({ instances }: Race) {
  for (const { clock } of instances) clock.set(new Date())
}

/** Sends one and the same request, to either instance. */
type Send = (at?: 0 | 1) => Promise<{ status: number; code: string; retryAfter: string | null }>

const sending =
  (race: Race, path: string, init: RequestInit): Send =>
  async (at = 0) => {
    const answer = await fetch(`${race.instances[at].url}${path}`, { method: 'POST', ...init })
    const body = await answer.json()
    const code = answer.ok ? '' : (body.__type ?? body.error?.code ?? body.error)
    return { status: answer.status, code, retryAfter: answer.headers.get('retry-after') }
  }

/** What is good for one time, signed now or so much later. */
const kinds = {
  'a request token': async (race: Race, later = 0, life = 60 * second) => {
    const { key } = await race.signedInUser()
    const nowMillis = race.clock.now().getTime() + later
    const { url: _, ...request } = directRequest('', { ...routeMap.issueOneTimeToken, input: {} })
    const url = `${audience}${routeMap.issueOneTimeToken.path}`
    const sign = requestSigner(key, { expiresAtMillis: nowMillis + life })
    const headers = await sign({ ...request, url, nowMillis })
    return sending(race, routeMap.issueOneTimeToken.path, { headers })
  },
  'a message signature': async (race: Race, later = 0) => {
    const { path, method } = routeMap.issueOneTimeToken
    const now = new Date(race.clock.now().getTime() + later)
    const machine = await machineOf(race, await race.signedInUser())
    const headers = await signMessage(machine, { url: `${audience}${path}`, method, now })
    return sending(race, path, {
      headers: { ...headers, 'x-forwarded-host': new URL(audience).host },
    })
  },
  'a proof of a device': async (race: Race, later = 0) => {
    const { userId: clientId, key } = await race.signedInUser()
    const path = '/_auth/mfa/status'
    const now = new Date(race.clock.now().getTime() + later)
    return sending(race, path, { headers: await proofOf({ key, clientId, path, now }), body: '{}' })
  },
  'a DPoP proof': async (race: Race, later = 0) => {
    const dpop = proofAt(new Date(race.clock.now().getTime() + later))
    return sending(race, '/notes', { headers: { dpop } })
  },
}
/** How it lives, and how the second of two is refused. */
const replayed = {
  'a request token': { seconds: 60, status: 401, code: 'RequestReplayedError' },
  'a message signature': { seconds: 300, status: 401, code: 'RequestReplayedError' },
  'a proof of a device': { seconds: 300, status: 401, code: 'PROOF_REPLAYED' },
  'a DPoP proof': { seconds: 300, status: 400, code: 'invalid_dpop_proof' },
} as const
const all = Object.keys(replayed) as (keyof typeof replayed)[]
const refusalOf = (kind: keyof typeof replayed) => {
  const { status, code } = replayed[kind]
  return { status, code }
}

/** One of each kind, taken once. */
function spendAll(race: Race, laterMillis = 0) {
  const spendOne = async (kind: keyof typeof replayed) => {
    const send = await kinds[kind](race, laterMillis)
    expect(await send(0), kind).toMatchObject({ status: 200 })
    expect(await send(1), kind).toMatchObject(refusalOf(kind))
    return [kind, send] as const
  }
  return Promise.all(all.map(spendOne))
}

describe(`what was spent, between instances whose clocks are 120 s apart (decisions 16)${missing}`, () => {
  it.each(orFew(names))('is not taken again by the one that is behind, with %s', async (name) => {
    const { race } = await open(name)
    const [ahead, behind] = race.instances
    behind.clock.set(new Date(ahead.clock.now().getTime() - 120 * second))
    const send = await kinds['a request token'](race, 0, 2 * second)
    expect(await send(0)).toMatchObject({ status: 200 })
    await wait(2_100)
    for (const { clock } of race.instances) clock.advance('96s')
    await forgetSpent(race.auth.db, ahead.clock.now())

    expect(await send(1)).toMatchObject(refusalOf('a request token'))
  })

  it('is not forgotten for all by an instance that is far ahead', async () => {
    const { race } = await open('the database')
    const sends = await spendAll(race)
    await forgetSpent(race.auth.db, new Date(Date.now() + 24 * 3600 * second))

    for (const [kind, send] of sends) expect(await send(1), kind).toMatchObject(refusalOf(kind))
  })

  it.each(orFew(names.toReversed()))(
    'is kept for a quarter of an hour longer than it lives, with %s',
    async (name) => {
      const { race } = await open(name)
      const { db, cache } = race.auth
      const spend = vi.spyOn(cache, 'spend')
      for (const kind of all) {
        const send = await kinds[kind](race)
        await db.delete(spent)
        spend.mockClear()
        expect(await send(), kind).toMatchObject({ status: 200 })
        // A cache that is as young as this one is not believed alone.
        const [row] = await db.select({ until: max(spent.until) }).from(spent)
        const kept = [(row?.until?.getTime() ?? 0) - race.clock.now().getTime()]
        for (const [, { ttlMillis }] of spend.mock.calls) kept.push(ttlMillis)

        expect(kept, kind).toHaveLength(cache.shared ? 2 : 1)
        const least = (replayed[kind].seconds + 15 * 60 - 1) * second
        for (const millis of kept) expect(millis, kind).toBeGreaterThan(least)
      }
    },
  )
})

async function answered(send: Send) {
  for (let tries = 0; tries < 80; tries++) {
    const answer = await send()
    if (answer.status !== 503) return answer
    await wait(100)
  }
  return null
}

/**
 * Spends what is signed 4 s later than it is, for a proof of a device is taken up to 5 s ahead, and
 * loses the cache. On a busy machine that may take so long that the new cache is younger than what
 * was signed: then it begins again.
 */
async function spendAhead(
  race: Race,
  lose: () => Promise<unknown>,
  tries = 5,
): ReturnType<typeof spendAll> {
  setClocks(race)
  const began = performance.now()
  const sends = await spendAll(race, 4 * second)
  await lose()
  const isSoon = performance.now() - began < 2 * second
  return isSoon || tries === 1 ? sends : spendAhead(race, lose, tries - 1)
}

/** What they sign at first is of the second of the loss. */
async function clientsGetThrough(race: Race) {
  setClocks(race)
  for (const [at, signerOf] of [
    [0, (key: TestKey, _: string) => requestSigner(key, { audience })],
    [1, (key: TestKey, clientId: string) => proofSigner(key, { clientId })],
  ] as const) {
    const { key, userId } = await race.signedInUser()
    const sign = signerOf(key, userId)
    const { url: baseUrl } = race.instances[at]
    const api = createAuthApi({ baseUrl, sign, writeBody: canonicalJson })
    expect((await api.listKeys.call({ body: {} })).keys).toHaveLength(1)
  }
}

describe(`what was spent before its cache was lost (decisions 16)${missing}`, () => {
  const caches = names.filter((name) => name !== 'the database')

  it.each(orFew(caches))(
    'is never taken again, and is to be signed again, with %s',
    async (name) => {
      const { race, lose } = await open(name)
      const sends = await spendAll(race)
      await lose()
      for (const [kind, send] of sends) {
        const signAgain = { status: 503, code: 'ServiceUnavailableError', retryAfter: '0' }
        for (const at of [1, 0] as const) {
          const asked = async () => expect(await send(at), kind).toEqual(signAgain)
          await vi.waitFor(asked, { timeout: 8000, interval: 100 })
        }
      }
      await clientsGetThrough(race)
      await wait(2_100)
      setClocks(race)
      await spendAll(race)
    },
  )

  it.each(orFew(caches.toReversed()))(
    'is known by the database where the clock of its client was ahead, with %s',
    async (name) => {
      const { race, lose } = await open(name)
      const sends = await spendAhead(race, lose)
      for (const [kind, send] of sends) {
        // The first answer of a cache that is there again.
        expect(await answered(() => send(1)), kind).toMatchObject(refusalOf(kind))
      }
      await wait(2_100)
      setClocks(race)
      for (const [kind, send] of sends) expect(await send(0), kind).toMatchObject(refusalOf(kind))
    },
  )
})
