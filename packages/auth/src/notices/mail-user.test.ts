import { defineRouter, defineServer, route, t } from '@svc/core'
import { createMailLifecycle, defineMail, paragraph } from '@svc/notification'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { authenticate } from '../authenticate/authenticate.ts'
import { getUserId } from '../caller/caller.ts'
import { createAuthLifecycle } from '../lifecycle.ts'
import { authRouter } from '../router.ts'
import { startTestAuth } from '../testing.ts'
import { mailUser } from './notices.ts'

const Order = t.Object({ orderId: t.String() })
const shipped = defineMail('order-shipped', Order, {
  en: ({ orderId }) => ({ subject: `Order ${orderId}`, body: [paragraph('On its way.')] }),
  ko: ({ orderId }) => ({ subject: `주문 ${orderId}`, body: [paragraph('발송되었습니다.')] }),
})

const router = defineRouter({
  ship: route
    .post('/ship')
    .input({ body: Order })
    .handler(async (c) => {
      const { body } = await c.data()
      const isMailed = await c.db.transaction((tx) =>
        mailUser(tx, shipped, { userId: getUserId(c), data: body }),
      )
      return { isMailed }
    }),
})

const auth = await startTestAuth({
  definition: defineServer()
    .routes(router.packages([authRouter]).use([authenticate]))
    .lifecycle(createAuthLifecycle({ templates: { 'new-device': null } }))
    .lifecycle(createMailLifecycle([shipped])),
})
afterAll(auth.stop)

type User = Awaited<ReturnType<typeof auth.signedInUser>>
const ship = ({ key }: User) =>
  auth.api<typeof router>({ sign: auth.signerOf(key) }).ship.call({ body: { orderId: 'o1' } })

const change = (userId: string, changes: Partial<typeof users.$inferInsert>) =>
  auth.auth.db.update(users).set(changes).where(eq(users.userId, userId))

describe('mailUser', () => {
  it('mails the address of the account, in its language', async () => {
    const user = await auth.signedInUser()
    await change(user.userId, { locale: 'ko-KR' })
    const sent = await auth.sentBy(() => ship(user), user.email, 'order-shipped')
    expect(sent).toMatchObject({ to: user.email, subject: '주문 o1' })
  })

  it('sends nothing to an address that the account has not proved, and says so', async () => {
    const user = await auth.signedInUser()
    await change(user.userId, { emailVerifiedAt: null })
    expect(await ship(user)).toEqual({ isMailed: false })
    expect(await auth.messagesTo(user.email)).toEqual([])
  })
})
