import { defineRouter, route, type Tx } from '@svc/core'
import { afterAll, describe, expect, it } from 'vitest'
import { optionalAuth } from '../authenticate/authenticate.ts'
import { defineCapability } from '../capability/capability.ts'
import { defineContract } from '../capability/contract.ts'
import { startTestAuth } from '../testing.ts'
import { type AppEntry, recordAct } from './audit.ts'
import { auditEvents } from './schema.ts'

const orders = defineCapability(defineContract('orders', { operations: {} }), {
  audit: ['order.refunded', 'order.refused'],
  handlers: {},
})

// Types are those of the application, which has none of these: record-act.test-d.ts.
const record = (tx: Tx, entry: object) => recordAct(tx, entry as AppEntry)

const refund = route.post('/refund').handler((c) =>
  c.db.transaction(async (tx) => {
    await record(tx, { act: 'order.refunded', target: 'order-1', details: { items: 2 }, c })
    return {}
  }),
)
const refuse = route
  .post('/refuse')
  .use([optionalAuth])
  .handler((c) =>
    c.db.transaction(async (tx) => {
      const act = 'order.refused'
      await record(tx, { act, target: 'order-1', outcome: 'refused', c })
      return {}
    }),
  )
const auth = await startTestAuth({
  options: { capabilities: [orders] },
  router: defineRouter({ refund, refuse }),
})
const { db } = auth.auth
afterAll(() => auth.stop())

const rows = () => db.select().from(auditEvents).orderBy(auditEvents.auditId)

describe('recordAct', () => {
  it('writes who signed the request, from where, and the request that proves it', async () => {
    const { key, userId } = await auth.signedInUser()
    const answer = await auth.signedFetch(key)('/refund', { method: 'POST' })
    expect(answer.status).toBe(200)
    expect((await rows()).at(-1)).toMatchObject({
      act: 'order.refunded',
      outcome: 'done',
      actor: userId,
      target: 'order-1',
      details: { items: 2 },
      keyId: key.keyId,
      address: '127.0.0.1',
      requestId: answer.headers.get('x-request-id'),
      proof: expect.stringMatching(/^ey/),
      at: auth.clock.now(),
    })
  })

  it('counts repeated refusals of unsigned requests in one row an hour (decisions 16)', async () => {
    for (let tries = 0; tries < 3; tries++) await auth.fetch('/refuse', { method: 'POST' })
    const refused = (await rows()).filter(({ act }) => act === 'order.refused')
    expect(refused).toMatchObject([{ times: 3, actor: null, target: 'order-1' }])
  })

  it('goes with its transaction', async () => {
    const before = await rows()
    const failing = auth.within(() =>
      db.transaction(async (tx) => {
        await record(tx, { act: 'order.refunded', actor: null })
        throw new Error('rolled back')
      }),
    )
    await expect(failing).rejects.toThrow('rolled back')
    expect(await rows()).toEqual(before)
  })

  it.each(['order.paid', 'login', 'key.revoked'])(
    'refuses %s, which no capability of the application declares',
    async (act) => {
      const writing = auth.within(() => db.transaction((tx) => record(tx, { act })))
      await expect(writing).rejects.toThrow(`declares the act "${act}"`)
    },
  )

  it('refuses details that are too large for the trail', async () => {
    const writing = (length: number) =>
      auth.within(() =>
        db.transaction((tx) =>
          record(tx, { act: 'order.refunded', details: { note: 'x'.repeat(length) } }),
        ),
      )
    await writing(15_000)
    await expect(writing(16_000)).rejects.toThrow('more than 16,000 characters')
  })
})

describe('listAuditEvents', () => {
  it('takes a target', async () => {
    const root = await auth.signedInUser({ role: 'superadmin' })
    const list = async (query: object) =>
      (await auth.call('listAuditEvents', undefined, root.key, { query: { ...query } })).body
    const { data } = await list({ target: 'order-1' })
    expect(data.map(({ act }: { act: string }) => act)).toEqual(['order.refused', 'order.refunded'])
    expect((await list({ target: 'order-1', act: 'order.refused' })).data).toHaveLength(1)
    expect((await list({ target: 'order-2' })).data).toEqual([])
  })
})
