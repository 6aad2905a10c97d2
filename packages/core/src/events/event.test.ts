import { readFile } from 'node:fs/promises'
import { Type as t } from 'typebox'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../observation/logger.ts'
import { connectEvents } from './connect-events.ts'
import { defineEvent, EventDefinition } from './event.ts'

let disconnect: () => Promise<void>

beforeEach(() => {
  disconnect = connectEvents({ log: createLogger({ level: 'silent' }) }).close
})
afterEach(() => disconnect())

const shipped = () => defineEvent('order.shipped', t.Object({ orderId: t.String() }))
const order = { orderId: 'o1' }

describe('defineEvent', () => {
  it('has a name, and a payload only where there is a schema (E-001)', async () => {
    const got: unknown[] = []
    const started = defineEvent('server.started')
    started.subscribe((payload) => got.push(payload))
    await started.emit()
    const event = shipped()
    event.subscribe((payload) => got.push(payload))
    await event.emit(order)
    expect([started.name, event.name]).toEqual(['server.started', 'order.shipped'])
    expect(got).toEqual([undefined, order])
  })

  it('marks the members that applications leave alone as internal (E-009)', async () => {
    const source = await readFile(new URL('event.ts', import.meta.url), 'utf8')
    const members = [...source.matchAll(/^ {2}(?:declare )?(?:readonly )?'(~\w+)'/gm)]
    expect(members.map(([, name]) => name)).toEqual(expect.arrayContaining(['~payload', '~jobs']))
    for (const { index } of members) {
      const comment = source.slice(0, index).trimEnd().split('\n').at(-1)
      expect(comment).toContain('@internal')
    }
  })

  it('has define, subscribe, emit and nothing else that is not marked as internal (E-008)', () => {
    const members = Object.getOwnPropertyNames(EventDefinition.prototype)
    expect(members.filter((name) => !name.startsWith('~')).toSorted()).toEqual([
      'constructor',
      'emit',
      'subscribe',
      'unsubscribeAll',
      'useCache',
    ])
    expect(Object.keys(shipped()).filter((name) => !name.startsWith('~'))).toEqual([
      'name',
      'schema',
    ])
  })
})

describe('subscribe', () => {
  it('delivers until the function it answers is called (E-002)', async () => {
    const event = shipped()
    const handler = vi.fn()
    const other = vi.fn()
    const unsubscribe = event.subscribe(handler)
    event.subscribe(other)
    await event.emit(order)
    unsubscribe()
    unsubscribe()
    await event.emit(order)
    expect(handler).toHaveBeenCalledExactlyOnceWith(order)
    expect(other).toHaveBeenCalledTimes(2)
  })

  it('delivers twice to a handler that subscribed twice', async () => {
    const event = shipped()
    const handler = vi.fn()
    const unsubscribe = event.subscribe(handler)
    event.subscribe(handler)
    unsubscribe()
    await event.emit(order)
    expect(handler).toHaveBeenCalledTimes(1)
  })

  it('counts from the next emission on when it happens in a handler', async () => {
    const event = shipped()
    const late = vi.fn()
    event.subscribe(() => event.subscribe(late))
    await event.emit(order)
    expect(late).not.toHaveBeenCalled()
    await event.emit(order)
    expect(late).toHaveBeenCalledTimes(1)
  })

  it('ends at once when another handler ends it (E-002)', async () => {
    const event = shipped()
    const handler = vi.fn()
    event.subscribe(() => unsubscribe())
    const unsubscribe = event.subscribe(handler)
    await event.emit(order)
    expect(handler).not.toHaveBeenCalled()
  })
})

describe('unsubscribeAll', () => {
  it('drops every handler (E-003)', async () => {
    const event = shipped()
    const handler = vi.fn()
    event.subscribe(handler)
    event.subscribe(handler)
    event.unsubscribeAll()
    await event.emit(order)
    expect(handler).not.toHaveBeenCalled()
  })
})
