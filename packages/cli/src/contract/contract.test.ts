import { type DeviceContract, defineRouter, defineServer, route, t } from '@svc/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Application } from '../application/application.ts'
import { createApplication, orders, type TestApplication } from '../testing/application.ts'
import { contractOf } from './contract.ts'

/** A server with one operation in its contract, which answers these members. */
const server = (...members: string[]) => `
import { defineRouter, defineServer, route, t } from '@svc/core'

const members = Object.fromEntries(${JSON.stringify(members)}.map((name) => [name, t.String()]))
const listOrders = route
  .get('/orders')
  .answer(t.Object(members))
  .inContract('orders.list', { proof: false })
  .handler(() => ({}))
const shop = defineRouter({ listOrders }, { contract: { name: 'shop', version: '0.1.0' } })
export default defineServer().routes(defineRouter({}).packages([shop]))
`

let application: TestApplication
beforeAll(async () => {
  application = await createApplication({
    ...orders,
    'server.ts': server('sku', 'price'),
    'less.ts': server('sku'),
  })
})
afterAll(() => application.remove())

describe('svc contract', () => {
  it('prints the contract, and writes the same to a file that it can be checked against', async () => {
    const [printed, written] = await Promise.all([
      application.svc(['contract']),
      application.svc(['contract', '--out', 'contract.json']),
    ])
    expect(written).toEqual({ code: 0, stdout: 'wrote contract.json\n', stderr: '' })
    expect(await application.read('contract.json')).toBe(printed.stdout)
    expect(JSON.parse(printed.stdout)).toMatchObject({
      contract: 'shop',
      contractVersion: '0.1.0',
      operations: [{ name: 'core.time' }, { name: 'orders.list', operationId: 'listOrders' }],
    })

    await application.write('api/notes.txt', '')
    const [same, less] = await Promise.all([
      application.svc(['contract', 'check']),
      application.svc(
        ['contract', 'check', '--against', '../contract.json', '--server', '../less.ts'],
        { from: 'api' },
      ),
    ])
    expect(same).toEqual({
      code: 0,
      stdout: 'contract.json is the contract of the application: shop 0.1.0.\n',
      stderr: '',
    })
    expect({ code: less.code, stderr: less.stderr }).toEqual({ code: 1, stderr: '' })
    expect(less.stdout).toMatchInlineSnapshot(`
      "✗ orders.list: answer 200.price is gone

      Clients built from contract.json break. Revert the change, or raise the version of the
      contract in its router from 0.1.0 to 0.2.0 and commit it: npx @svc/cli contract --out contract.json
      "
    `)
  })
})

describe('the contract of an application', () => {
  const mark = (name: string) =>
    route
      .get(`/${name}`)
      .answer(t.Object({}))
      .inContract(name, { proof: false })
      .handler(() => ({}))
  const router = (name: string, contract?: DeviceContract) =>
    defineRouter({ [name]: mark(name) }, contract ? { contract } : {})
  const shop = router('shop', { name: 'shop', version: '1.0.0' })
  const till = router('till', { name: 'till', version: '2.0.0' })
  const contractOfPackages = (name: string | undefined, ...packages: (typeof shop)[]) => {
    const definition = defineServer().routes(defineRouter({}).packages(packages))
    return contractOf({ definition } as Application, name ? { contract: name } : {})
  }

  it('is the only one, or the one that is named', () => {
    expect(contractOfPackages(undefined, shop)).toMatchObject({ contract: 'shop' })
    expect(contractOfPackages('till', shop, till)).toMatchObject({ contract: 'till' })
  })

  it('is asked for where there are several, another, or none', () => {
    expect(() => contractOfPackages(undefined, shop, till)).toThrow(
      'There are several contracts (shop, till): choose one with --contract.',
    )
    expect(() => contractOfPackages('tlil', shop, till)).toThrow(
      'There is no contract "tlil". There is shop, till.',
    )
    expect(() => contractOfPackages(undefined)).toThrow('Mark operations with .inContract(…)')
  })
})
