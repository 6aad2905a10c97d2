import { defineRouter, route, t } from '@svc/core'
import { afterAll, describe, expect, it } from 'vitest'
import { getUserRole } from './roles/user-permissions.ts'
import { suspendUser } from './suspension/suspend-user.ts'
import { startTestAuth } from './testing.ts'

const userId = { params: t.Object({ userId: t.String() }) }
const router = defineRouter({
  roleOf: route
    .get('/role/:userId')
    .input(userId)
    .skip(['auth'])
    .handler(async (c) => ({ role: await getUserRole((await c.data()).params.userId) })),
  suspend: route
    .post('/suspend/:userId')
    .input(userId)
    .skip(['auth'])
    .handler(async (c) => {
      await suspendUser((await c.data()).params.userId)
      return {}
    }),
})

const first = await startTestAuth({ router })
const second = await startTestAuth({ router })
afterAll(() => Promise.all([first.stop(), second.stop()]))

describe('two applications in one process', () => {
  it.each([
    ['the one that started first', first, second],
    ['the one that started last', second, first],
  ])(
    'do not meet: a function that takes an id alone asks %s, whose request it is',
    async (_, own, other) => {
      const user = await own.signedInUser()
      const read = await own.server.fetch(`/role/${user.userId}`)
      expect(await read.json()).toEqual({ role: 'user' })
      const elsewhere = await other.server.fetch(`/role/${user.userId}`)
      expect(await elsewhere.json()).toEqual({ role: null })

      expect((await own.server.fetch(`/suspend/${user.userId}`, { method: 'POST' })).status).toBe(
        200,
      )
      expect((await own.call('listKeys', {}, user.key)).status).toBe(401)
    },
  )
})
