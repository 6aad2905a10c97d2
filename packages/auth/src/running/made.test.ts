import { route, t } from '@svc/core/contract'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { findGeneration } from '../accounts/accounts.ts'
import { auditEvents } from '../audit/schema.ts'
import type { MadeEnd } from '../capability/capability.ts'
import { defineCapability } from '../capability/capability.ts'
import { allow, defineContract } from '../capability/contract.ts'
import { checkNewKey } from '../keys/keys.ts'
import { signOutEveryone } from '../sign-out/sign-out.ts'
import { createTestKey, startTestAuth } from '../testing.ts'
import { waysAt } from './ways-at.ts'

interface Thing {
  id: string
  userId: string
  maker: string
}

/** A capability of an application, whose things a key lets in and that end with it. */
function capabilityOf(name: 'cards' | 'badges') {
  const things: Thing[] = []
  const asked: MadeEnd[] = []
  const operation = `make_${name}` as const
  const contract = defineContract(name, {
    operations: {
      [operation]: allow.bearer('owner only')(
        route.post(`/_auth/${name}`).input({ body: t.Object({ id: t.String() }) }),
      ),
    },
  })
  const act = `${name}.ended` as const
  const capability = defineCapability(contract, {
    audit: [act],
    handlers: {
      [operation]: ({ caller, body: { id } }: { caller: Caller; body: { id: string } }) => {
        things.push({ id, userId: caller.userId, maker: caller.keyId })
      },
    },
    account: {
      endEveryone: async () => ({ [name]: things.length }),
      made: {
        find: async (_db, { userId }) =>
          things
            .filter((each) => each.userId === userId)
            .map(({ id, maker }) => ({
              item: { kind: `${name}/thing` as const, id, name: `One of ${name}` },
              maker,
              isPending: false,
            })),
        async handOn(_tx, { from, to }) {
          for (const each of things) if (each.maker === from) each.maker = to
        },
        async end(tx, ending, { audit }) {
          asked.push(ending)
          for (const target of ending.ids) {
            await audit(tx, act, { actor: ending.userId, target, at: ending.now })
          }
          const ended = things.filter(({ id }) => ending.ids.includes(id))
          things.splice(0, Infinity, ...things.filter((each) => !ended.includes(each)))
          return ended.map(({ id }) => id)
        },
      },
    },
  })
  return { capability, things, asked }
}

interface Caller {
  userId: string
  keyId: string
}

const cards = capabilityOf('cards')
const badges = capabilityOf('badges')
const auth = await startTestAuth({
  options: { capabilities: [cards.capability, badges.capability] },
})
afterAll(() => auth.stop())

type Key = Awaited<ReturnType<typeof auth.signIn>>

async function make(name: 'cards' | 'badges', id: string, key: Key) {
  const url = `${auth.url}/_auth/${name}`
  const body = JSON.stringify({ id })
  const signed = await auth.signerOf(key)({ method: 'POST', url, body })
  const headers = { ...signed, 'content-type': 'application/json' }
  expect((await fetch(url, { method: 'POST', headers, body })).ok).toBe(true)
}

const letInBy = async (key: Key, as: Key) => {
  const { body } = await auth.call('listKeys', {}, as)
  return body.keys.find(({ keyId }: Key) => keyId === key.keyId)?.letIn
}

const shown = (name: string, id: string) => ({ kind: `${name}/thing`, id, name: `One of ${name}` })

describe('a device that is signed in with something that another has made', () => {
  it('ends with that device, and does not before', async () => {
    const user = await auth.signedInUser()
    const [owner, key] = [await auth.signIn(user), await createTestKey()]
    const { userId } = user
    const now = auth.clock.now()
    const letIn = await auth.auth.db.transaction(async (tx) => {
      const account = await findGeneration(tx, userId)
      const ways = waysAt(auth.auth, 'signInByCard')
      return ways.completeSignIn(tx, {
        userId,
        generation: account?.generation ?? 0,
        key: checkNewKey(key.registration),
        origin: {
          address: null,
          userAgent: null,
          requestId: 'test',
          keyId: null,
          proof: null,
          knownBrowser: null,
        },
        provider: 'card',
        letInBy: user.key.keyId,
        now,
      })
    })
    expect(letIn).toMatchObject({ mfaRequired: false })
    const session = async () => (await auth.call('getAuthSession', undefined, key)).status
    expect(await session()).toBe(200)
    expect((await auth.call('revokeKey', { keyId: user.key.keyId }, owner)).status).toBe(200)
    expect(await session()).toBe(401)
  })
})

describe('what a key has let in of a further capability', () => {
  it('is listed with the key, is handed on, and ends with it at the capability that found it', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signIn(user)
    const same = crypto.randomUUID()
    await make('cards', same, user.key)
    await make('badges', same, other)
    expect(await letInBy(user.key, other)).toEqual([shown('cards', same)])
    expect(await letInBy(other, other)).toEqual([shown('badges', same)])

    const { status, body } = await auth.call('revokeKey', { keyId: user.key.keyId }, other)
    expect([status, body.ended]).toEqual([200, [shown('cards', same)]])
    expect(cards.things).toEqual([])
    // It has the same id, and was let in by the key that stays.
    expect(badges.things).toHaveLength(1)
    expect(badges.asked).toEqual([])
    expect(cards.asked).toMatchObject([{ userId: user.userId, ids: [same] }])
    const trail = await auth.auth.db.select().from(auditEvents).where(eq(auditEvents.target, same))
    expect(trail.map(({ act }) => act)).toEqual(['cards.ended'])
  })

  it('stays if the owner keeps what the key has let in', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signIn(user)
    await make('cards', 'kept', user.key)
    const body = { keyId: user.key.keyId, keepMade: true }
    expect((await auth.call('revokeKey', body, other)).status).toBe(200)
    expect(cards.things.map(({ id }) => id)).toContain('kept')
  })
})

it('is counted, by its own name, when everyone is signed out', async () => {
  const user = await auth.signedInUser()
  await make('badges', 'counted', user.key)
  const signedOut = await auth.within(() => signOutEveryone())
  expect(signedOut).toMatchObject({ badges: badges.things.length, cards: cards.things.length })
  expect(badges.things.length).toBeGreaterThan(0)
})
