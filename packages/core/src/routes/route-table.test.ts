import { describe, expect, it } from 'vitest'
import { t } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { startTestServer } from '../testing/test-server.ts'
import { route } from './route.ts'
import { defineRouter, type Router, type Routes } from './router.ts'

const answers = (path: string) => route.get(path).handler(() => 1)
const start = (router: Router) => startTestServer(defineServer().routes(router))
const boot = (routes: Routes) => start(defineRouter(routes))

describe('boot', () => {
  for (const prefix of ['/_core/', '/_auth/', '/_ops/']) {
    it(`refuses an application route under ${prefix}, naming it (R-021, R-029)`, async () => {
      await expect(boot({ mine: answers(`${prefix}mine`) })).rejects.toThrow(
        `Route "mine" (GET ${prefix}mine) is under ${prefix}, which is reserved`,
      )
    })
  }

  it('refuses a reserved prefix without anything behind it (R-029)', async () => {
    await expect(boot({ mine: answers('/_auth') })).rejects.toThrow('which is reserved')
  })

  it('refuses a package’s route outside of the prefix the package owns', async () => {
    const stray = defineRouter({ stray: answers('/stray') }, { owns: '/_auth/' })

    await expect(start(defineRouter({}).packages([stray]))).rejects.toThrow(
      'Route "stray" (GET /stray) is mounted by a package that owns /_auth/ only.',
    )
  })

  it('refuses two routes of one name over packages', async () => {
    const other = defineRouter({ same: answers('/two') })

    await expect(start(defineRouter({ same: answers('/one') }).packages([other]))).rejects.toThrow(
      'Two routes are named "same": GET /one and GET /two.',
    )
  })

  it('refuses two routes that match the same requests', async () => {
    await expect(
      boot({ byId: answers('/orders/:id'), byOrderId: answers('/orders/:orderId') }),
    ).rejects.toThrow('Routes "byId" and "byOrderId" are both GET /orders/:orderId.')
  })

  it('refuses a route without a handler', async () => {
    await expect(boot({ contract: route.get('/contract') })).rejects.toThrow(
      'Route "contract" (GET /contract) has no handler',
    )
  })

  it('refuses a parameter that the path does not have', async () => {
    const typo = route
      .get('/orders/:orderId')
      .input({ params: t.Object({ orderID: t.String() }) })
      .handler(() => 1)

    await expect(boot({ typo })).rejects.toThrow('takes the parameter "orderID"')
  })

  for (const path of ['orders', '/orders/', '/orders//new', '/orders/*', '/:id{[0-9]+}', '/:id?']) {
    it(`refuses the path ${path}`, async () => {
      await expect(boot({ odd: answers(path) })).rejects.toThrow('has a path that is not made of')
    })
  }
})
