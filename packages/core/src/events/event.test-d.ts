import { Type as t } from 'typebox'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { defineChannel } from './channel.ts'
import { defineEvent } from './event.ts'

const started = defineEvent('server.started')
const shipped = defineEvent('order.shipped', t.Object({ orderId: t.String() }))
const counted = defineEvent('counted', z.object({ count: z.coerce.number<string>() }))

describe('an event without a payload', () => {
  it('is emitted without an argument (E-005)', () => {
    void started.emit()
    void started.emit(undefined, { now: true })
    // @ts-expect-error: it has no payload
    void started.emit({ orderId: 'o1' })
    // @ts-expect-error: not even a null
    void started.emit(null)
  })

  it('hands nothing to handlers', () => {
    started.subscribe((payload) => expectTypeOf(payload).toEqualTypeOf<undefined>())
  })
})

describe('an event with a payload', () => {
  it('takes what its schema takes', () => {
    void shipped.emit({ orderId: 'o1' })
    void shipped.emit({ orderId: 'o1' }, { now: true })
    // @ts-expect-error: the payload is missing
    void shipped.emit()
    // @ts-expect-error: of another type
    void shipped.emit({ orderId: 7 })
  })

  it('names its recipients by its payload', () => {
    const schema = t.Object({ userIds: t.Array(t.String()) })
    defineEvent('changed', schema, { recipients: ({ userIds }) => userIds })
    // @ts-expect-error: the payload has no such member
    defineEvent('changed', schema, { recipients: ({ userId }) => userId })
  })

  it('hands to handlers what its schema makes of it', () => {
    shipped.subscribe((payload) => expectTypeOf(payload).toEqualTypeOf<{ orderId: string }>())
    counted.subscribe((payload) => expectTypeOf(payload).toEqualTypeOf<{ count: number }>())
    void counted.emit({ count: '7' })
    // @ts-expect-error: that is what comes out of it
    void counted.emit({ count: 7 })
  })

  it('takes anything where its schema does', () => {
    const loose = defineEvent('loose', t.Unknown())
    void loose.emit({ text: 'a' })
    void loose.emit()
  })

  it('may be subscribed to by handlers that are async', () => {
    shipped.subscribe(async ({ orderId }) => orderId)
  })
})

describe('a channel', () => {
  const schema = t.Object({ text: t.String() })
  const changed = defineChannel('order.changed', schema)
  const said = defineChannel('room.said', schema, { presence: true, description: 'In a room.' })

  it('says what of its resource, and where it tells it, who follows that', () => {
    expectTypeOf(said.of('r1').emit).parameter(0).toEqualTypeOf<{ text: string }>()
    expectTypeOf(said.of('r1').present()).toEqualTypeOf<Promise<string[]>>()
    // @ts-expect-error: it does not know
    void changed.of('o1').present
  })
})
