import { Type as t } from 'typebox'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createLogger } from '../observation/logger.ts'
import { connectEvents } from './connect-events.ts'
import { EventPayloadError } from './errors.ts'
import { defineEvent } from './event.ts'

let lines: Record<string, unknown>[]
let disconnect: () => Promise<void>

beforeEach(() => {
  lines = []
  const log = createLogger({ destination: { write: (line) => lines.push(JSON.parse(line)) } })
  disconnect = connectEvents({ log }).close
})
afterEach(async () => {
  await disconnect()
  vi.useRealTimers()
})

const shipped = () => defineEvent('order.shipped', t.Object({ orderId: t.String() }))
const order = { orderId: 'o1' }

describe('emit', () => {
  it('resolves after every async handler has settled (E-004)', async () => {
    const event = shipped()
    const done: string[] = []
    event.subscribe(async () => {
      await new Promise((resolve) => setTimeout(resolve, 30))
      done.push('slow')
    })
    event.subscribe(() => Promise.reject(new Error('fast')))
    await event.emit(order)
    expect(done).toEqual(['slow'])
  })

  it('awaits what is only like a promise, such as a query', async () => {
    const event = shipped()
    let ran = false
    const query = {
      // oxlint-disable-next-line unicorn/no-thenable -- that is the case here
      then(resolve: (value: unknown) => void) {
        ran = true
        resolve(1)
      },
    }
    event.subscribe(() => query)
    await event.emit(order)
    expect(ran).toBe(true)
  })

  it('runs every handler although one throws and one rejects (E-006)', async () => {
    const event = shipped()
    const handler = vi.fn()
    event.subscribe(() => {
      throw new Error('thrown')
    })
    event.subscribe(() => Promise.reject(new Error('rejected')))
    event.subscribe(handler)
    await expect(event.emit(order)).resolves.toBeUndefined()
    expect(handler).toHaveBeenCalledOnce()
  })

  it('logs what failed, with the event and without the payload (E-007)', async () => {
    const event = shipped()
    event.subscribe(() => {
      throw new Error('thrown')
    })
    event.subscribe(() => Promise.reject(new Error('rejected')))
    await event.emit({ orderId: 'private' })
    expect(lines).toMatchObject([
      { level: 'error', event: 'order.shipped', err: { message: 'thrown' } },
      { level: 'error', event: 'order.shipped', err: { message: 'rejected' } },
    ])
    expect(JSON.stringify(lines)).not.toContain('private')
  })

  it('goes on after 30 s when a handler never settles, and says so', async () => {
    vi.useFakeTimers()
    const event = shipped()
    const handler = vi.fn()
    event.subscribe(() => new Promise(() => {}))
    event.subscribe(handler)
    const emitted = event.emit(order)
    await vi.advanceTimersByTimeAsync(30_000)
    await emitted
    expect(handler).toHaveBeenCalledOnce()
    expect(lines).toMatchObject([{ event: 'order.shipped', level: 'error' }])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves no timer behind when handlers settle', async () => {
    vi.useFakeTimers()
    const event = shipped()
    event.subscribe(async () => {})
    await event.emit(order)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('refuses a payload that its schema does, and delivers nothing (E-007)', async () => {
    const event = shipped()
    const handler = vi.fn()
    event.subscribe(handler)
    const wrong = { orderId: 7 } as unknown as { orderId: string }
    await expect(event.emit(wrong)).rejects.toThrow(EventPayloadError)
    await expect(event.emit(wrong)).rejects.toMatchObject({
      event: 'order.shipped',
      fields: [{ path: 'payload.orderId' }],
    })
    expect(handler).not.toHaveBeenCalled()
  })

  it('delivers what the schema makes of the payload, also one that is not ours', async () => {
    const got: unknown[] = []
    const ours = shipped()
    ours.subscribe((payload) => got.push(payload))
    const more = { orderId: 'o1', secret: 'not declared' }
    await ours.emit(more)
    const foreign = defineEvent('a', z.object({ count: z.coerce.number<string>() }))
    foreign.subscribe((payload) => got.push(payload))
    await foreign.emit({ count: '7' })
    expect(got).toEqual([order, { count: 7 }])
    await expect(foreign.emit({ count: 'x' })).rejects.toThrow(EventPayloadError)
  })

  it('calls synchronous handlers without a promise for each', () => {
    const event = shipped()
    event.subscribe(() => 1)
    expect(event['~deliver'](order, () => {})).toBeUndefined()
  })

  describe('before a server runs', () => {
    it('delivers to the handlers of this process, and settles them', async () => {
      await disconnect()
      const complain = vi.spyOn(console, 'error').mockImplementation(() => {})
      const event = shipped()
      const handler = vi.fn(async () => {})
      event.subscribe(() => {
        throw new Error('thrown')
      })
      event.subscribe(handler)
      await event.emit(order)
      expect(handler).toHaveBeenCalledExactlyOnceWith(order)
      expect(complain).toHaveBeenCalledOnce()
    })
  })

  describe('while two servers run', () => {
    const connectSecond = () => {
      const said: unknown[] = []
      const log = createLogger({ destination: { write: (line) => said.push(line) } })
      return { said, ...connectEvents({ log }) }
    }
    const failing = () => {
      const event = shipped()
      event.subscribe(() => {
        throw new Error('thrown')
      })
      return event
    }

    it('goes to the one that it is part of', async () => {
      const event = failing()
      const second = connectSecond()
      await second.within(async () => {
        await new Promise((resolve) => setTimeout(resolve, 1))
        await event.emit(order)
      })
      expect([lines.length, second.said.length]).toEqual([0, 1])
      await second.close()
    })

    it('goes to the one that has a subscriber, where it is part of neither', async () => {
      const event = failing()
      const second = connectSecond()
      second.within(() => event.subscribe(() => {}))
      await event.emit(order)
      expect([lines.length, second.said.length]).toEqual([0, 1])
      await second.close()
    })

    it('is refused where either could be meant, and goes to the one that is left', async () => {
      const event = failing()
      const second = connectSecond()
      await expect(event.emit(order)).rejects.toThrow('2 servers run in this process')
      await second.close()
      await event.emit(order)
      expect([lines.length, second.said.length]).toEqual([1, 0])
    })
  })
})
