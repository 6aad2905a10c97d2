import { type Db, t } from '@svc/core'
import { defineMail } from '@svc/notification'
import { describe, it } from 'vitest'
import { mailUser } from './notices.ts'

declare const db: Db
const shipped = defineMail('order-shipped', t.Object({ orderId: t.String() }), {
  en: ({ orderId }) => ({ subject: orderId, body: [] }),
})

describe('mailUser', () => {
  it('takes the data of its mail, and no other', () => {
    const mail = () => mailUser(db, shipped, { userId: 'u1', data: { orderId: 'o1' } })
    // @ts-expect-error: it is a text
    const wrong = () => mailUser(db, shipped, { userId: 'u1', data: { orderId: 1 } })
    void [mail, wrong]
  })
})
