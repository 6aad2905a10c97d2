import { Type as t } from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectEvents } from '../events/connect-events.ts'
import { EventPayloadError } from '../events/errors.ts'
import { defineEvent } from '../events/event.ts'
import { JobInputError } from './errors.ts'
import { defineJob } from './jobs.ts'
import { useTestJobs } from './test-jobs.ts'

const jobs = useTestJobs()
const shipped = defineEvent('order.shipped', t.Object({ orderId: t.String() }))
const ran = vi.fn()
const shipMail = defineJob('ship-mail')
  .on(shipped)
  .handler((input) => ran('mail', input))
const shipStock = defineJob('ship-stock')
  .on(shipped)
  .handler((input) => ran('stock', input))
const router = { shipMail, shipStock }
const order = { orderId: 'o1' }

let disconnect: () => Promise<void>
beforeAll(() => {
  disconnect = connectEvents({ log: jobs.log, database: jobs.database }).close
})
beforeEach(() => ran.mockClear())
afterAll(() => disconnect())

const rows = async () => [...(await jobs.rows('ship-mail')), ...(await jobs.rows('ship-stock'))]
const newRows = async (run: () => Promise<unknown>) => {
  const before = new Set((await rows()).map(({ id }) => id))
  await run()
  return (await rows()).filter(({ id }) => !before.has(id))
}

describe('on', () => {
  it('gives the payload to the queue of every job that is on the event (E-010, E-011)', async () => {
    await jobs.start(router)
    const written = await newRows(() => shipped.emit(order))
    expect(written.map(({ data }) => data)).toEqual([{ input: order }, { input: order }])
    await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(2))
    expect(ran).toHaveBeenCalledWith('mail', order)
    expect(ran).toHaveBeenCalledWith('stock', order)
  })

  it('writes one row a job however many instances there are (E-012)', async () => {
    await jobs.start(router)
    await jobs.start(router)
    expect(await newRows(() => shipped.emit(order))).toHaveLength(2)
    await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(2))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(ran).toHaveBeenCalledTimes(2)
  })

  it('ends for the event when the server stops', async () => {
    const { stop } = await jobs.start(router)
    const other = await jobs.start(router)
    await stop()
    expect(await newRows(() => shipped.emit(order))).toHaveLength(2)
    await other.stop()
    expect(await newRows(() => shipped.emit(order))).toEqual([])
  })

  it('hands nothing on from an event without a payload', async () => {
    const started = defineEvent('server.started')
    const greet = defineJob('greet')
      .on(started)
      .handler((input) => ran('greet', input))
    await jobs.start({ greet })
    await started.emit()
    await vi.waitFor(() => expect(ran).toHaveBeenCalledExactlyOnceWith('greet', undefined))
  })

  it('writes nothing for a payload that the event refuses', async () => {
    await jobs.start(router)
    const wrong = { orderId: 7 } as unknown as typeof order
    const written = await newRows(() =>
      expect(shipped.emit(wrong)).rejects.toThrow(EventPayloadError),
    )
    expect(written).toEqual([])
  })

  it('writes the rows of all jobs or of none', async () => {
    const short = defineJob('short')
      .input(t.Object({ orderId: t.String({ maxLength: 5 }) }))
      .on(shipped)
      .handler((input) => ran('short', input))
    const heard = vi.fn()
    const unsubscribe = shipped.subscribe(heard)
    await jobs.start({ ...router, short })
    const long = { orderId: 'longer' }
    const written = await newRows(() => expect(shipped.emit(long)).rejects.toThrow(JobInputError))
    expect(written).toEqual([])
    expect(heard).not.toHaveBeenCalled()
    expect(await newRows(() => shipped.emit(order))).toHaveLength(2)
    expect(heard).toHaveBeenCalledExactlyOnceWith(order)
    unsubscribe()
  })
})

describe('an emission in a transaction', () => {
  it('writes its jobs with the commit', async () => {
    await jobs.start(router)
    const written = await newRows(() =>
      jobs.database.db.transaction(async () => {
        expect(await newRows(() => shipped.emit(order))).toEqual([])
      }),
    )
    expect(written).toHaveLength(2)
    await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(2), 500)
  })

  it('leaves no job behind when it is rolled back', async () => {
    await jobs.start(router)
    const undone = () =>
      jobs.database.db.transaction(async () => {
        await shipped.emit(order)
        throw new Error('undo')
      })
    expect(await newRows(() => expect(undone()).rejects.toThrow('undo'))).toEqual([])
  })

  it('keeps its jobs when it is not to wait, even if the transaction is rolled back', async () => {
    await jobs.start(router)
    const undone = () =>
      jobs.database.db.transaction(async () => {
        expect(await newRows(() => shipped.emit(order, { now: true }))).toHaveLength(2)
        throw new Error('undo')
      })
    expect(await newRows(() => expect(undone()).rejects.toThrow('undo'))).toHaveLength(2)
  })
})
