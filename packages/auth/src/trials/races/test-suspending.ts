import { defineRouter, route, t } from '@svc/core'
import { suspendUser } from '../../suspension/suspension.ts'

/** Suspending is for an application to offer, and is no operation of sign-in. */
export const router = defineRouter({
  suspend: route
    .post('/suspend')
    .skip(['auth'])
    .input({ body: t.Object({ userId: t.String() }) })
    .handler(async (c) => suspendUser((await c.data()).body.userId)),
})

/** Suspends an account, as a contestant. */
export const suspending =
  ({ userId }: { userId: string }) =>
  ({ url }: { url: string }) => ({
    method: 'POST',
    url: `${url}/suspend`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId }),
  })
