import { route, t } from '@svc/core/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { allow } from '../capability/access.ts'
import type { MadeEnd } from '../capability/account-parts.ts'
import { defineCapability } from '../capability/capability.ts'
import { defineContract } from '../capability/contract.ts'
import { startTestAuth } from '../testing.ts'

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
      [operation]: allow.bearer(
        route.post(`/_auth/${name}`).input({ body: t.Object({ id: t.String() }) }),
      ),
    },
  })
  const capability = defineCapability(contract, {
    handlers: {
      [operation]: ({ caller, body: { id } }: { caller: Caller; body: { id: string } }) => {
        things.push({ id, userId: caller.userId, maker: caller.keyId })
      },
    },
    account: {
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
        async end(_tx, ending) {
          asked.push(ending)
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
