import { t } from '@svc/core'
import { describe, expectTypeOf, it } from 'vitest'
import { paragraph } from '../templates/mail-page.ts'
import { defineMail } from './mail.ts'

const to = 'ada@example.com'
const body = [paragraph('Hello')]

describe('the words of a mail', () => {
  it('get what the schema makes of the data', () => {
    defineMail('a', t.Object({ orderId: t.String() }), {
      en: (data) => {
        expectTypeOf(data).toEqualTypeOf<{ orderId: string }>()
        return { subject: data.orderId, body }
      },
      ko: ({ orderId }) => ({ subject: orderId, text: orderId }),
    })
  })

  it('are in English at least', () => {
    // @ts-expect-error: what a reader of another language gets
    defineMail('a', t.Object({}), { ko: () => ({ subject: '', body }) })
  })

  it('have a subject', () => {
    // @ts-expect-error: a mail without one
    defineMail('a', t.Object({}), { en: () => ({ body }) })
  })
})

describe('send', () => {
  const shipped = defineMail('shipped', t.Object({ orderId: t.String() }), {
    en: ({ orderId }) => ({ subject: orderId, body }),
  })

  it('takes the data of its mail, and no other', () => {
    void shipped.send({ to, data: { orderId: 'o1' }, locale: 'ko', channel: 'mail' })
    // @ts-expect-error: it is a text
    void shipped.send({ to, data: { orderId: 1 } })
    // @ts-expect-error: it is missing
    void shipped.send({ to, data: {} })
    // @ts-expect-error: all of it is
    void shipped.send({ to })
    // @ts-expect-error: it is a text here too
    void shipped.sendNow({ to, data: { orderId: 1 } })
  })
})
