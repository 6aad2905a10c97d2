import { Type as t } from 'typebox'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { defineEvent } from '../events/event.ts'
import { defineJob, defineJobRouter } from './jobs.ts'

const Order = t.Object({ orderId: t.String() })
const shipped = defineEvent('order.shipped', t.Object({ orderId: t.String(), owner: t.String() }))
const noted = defineEvent('noted', t.Object({ text: t.String() }))
const started = defineEvent('server.started')

describe('a handler', () => {
  it('gets what the schema makes of the input', () => {
    const ours = defineJob('a')
      .input(Order)
      .handler((input) => expectTypeOf(input).toEqualTypeOf<{ orderId: string }>())
    const foreign = defineJob('b')
      .input(z.object({ count: z.coerce.number<string>() }))
      .handler((input) => expectTypeOf(input).toEqualTypeOf<{ count: number }>())
    void ours.enqueue({ orderId: 'o1' })
    void foreign.enqueue({ count: '7' })
    // @ts-expect-error: that is what comes out of it
    void foreign.enqueue({ count: 7 })
    // @ts-expect-error: the input is missing
    void ours.enqueue()
  })

  it('gets the payload of the event', () => {
    const job = defineJob('a')
      .on(shipped)
      .handler((input) => expectTypeOf(input).toEqualTypeOf<{ orderId: string; owner: string }>())
    void job.enqueue({ orderId: 'o1', owner: 'u1' })
    defineJob('b')
      .on(started)
      .handler((input) => expectTypeOf(input).toEqualTypeOf<undefined>())
  })

  it('gets no input where none is declared', () => {
    const job = defineJob('a').handler((input) => expectTypeOf(input).toEqualTypeOf<undefined>())
    void job.enqueue()
    void job.enqueue(undefined, { startAfter: new Date() })
    // @ts-expect-error: there is none
    void job.enqueue({ orderId: 'o1' })
  })

  it('gets no input on a scheduled run', () => {
    defineJob('a')
      .cron('0 6 * * *')
      .handler((input) => expectTypeOf(input).toEqualTypeOf<undefined>())
    defineJob('b')
      .input(Order)
      .cron('0 6 * * *', { timezone: 'Asia/Seoul' })
      .handler((input) => expectTypeOf(input).toEqualTypeOf<{ orderId: string } | undefined>())
    defineJob('c')
      .cron('0 6 * * *')
      .on(noted)
      .handler((input) => expectTypeOf(input).toEqualTypeOf<{ text: string } | undefined>())
  })
})

describe('on', () => {
  it('takes events whose payload the declared input takes', () => {
    defineJob('a')
      .input(Order)
      .on(shipped)
      .handler((input) => expectTypeOf(input).toEqualTypeOf<{ orderId: string }>())
    // @ts-expect-error: there is no orderId in it
    defineJob('b').input(Order).on(noted)
    // @ts-expect-error: nor here
    defineJob('c').on(shipped).on(noted)
  })
})

describe('a router', () => {
  it('keeps the type of each job', () => {
    const router = defineJobRouter({
      ship: defineJob('a')
        .input(Order)
        .handler(() => {}),
    })
    expectTypeOf<(typeof router.ship)['enqueue']>()
      .parameter(0)
      .toEqualTypeOf<{ orderId: string }>()
  })
})
