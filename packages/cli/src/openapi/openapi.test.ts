import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApplication, orders, type TestApplication } from '../testing/application.ts'

/** Those of the framework come after the application's. */
const ownPaths = [
  '/health',
  '/_core/health',
  '/_core/health/live',
  '/_core/health/ready',
  '/_core/time',
]

let application: TestApplication
beforeAll(async () => {
  application = await createApplication(orders)
})
afterAll(() => application.remove())

describe('svc openapi', () => {
  it("prints an OpenAPI 3.1 document with the title and version of the application's package.json", async () => {
    const { code, stdout, stderr } = await application.svc(['openapi'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const document = JSON.parse(stdout)
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(document.info).toEqual({ title: 'orders', version: '1.2.0' })
    expect(Object.keys(document.paths)).toEqual(['/orders', '/orders/{orderId}', ...ownPaths])
    expect(document.paths['/orders/{orderId}'].get.operationId).toBe('getOrder')
  })

  it('has the routes of mounted packages', async () => {
    await application.write(
      'mounted.ts',
      `import { defineRouter, defineServer, route } from '@svc/core'

const login = route.post('/_auth/login').handler(() => ({}))
const packages = [defineRouter({ login }, { owns: '/_auth/' })]
export default defineServer().routes(defineRouter({}).packages(packages))
`,
    )
    const { stdout } = await application.svc(['openapi', '--server', 'mounted.ts'])
    expect(Object.keys(JSON.parse(stdout).paths)).toEqual(['/_auth/login', ...ownPaths])
  })

  it('writes the same to a file, seen from where it is called', async () => {
    await application.write('docs/notes.txt', '')
    const { stdout } = await application.svc(['openapi'])
    const written = await application.svc(['openapi', '--out', 'api.json'], { from: 'docs' })
    expect(written).toEqual({ code: 0, stdout: 'wrote docs/api.json\n', stderr: '' })
    expect(await application.read('docs/api.json')).toBe(stdout)
  })

  it('says in one line where it cannot be written', async () => {
    await application.write('written/api.json', '')
    const refusalOf = async (out: string) => {
      const { code, stdout, stderr } = await application.svc(['openapi', '--out', out])
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      return stderr.replaceAll(application.root, '<root>')
    }
    expect(await refusalOf('none/api.json')).toBe(
      'Nothing was written: there is no folder <root>/none.\n',
    )
    expect(await refusalOf('written')).toBe(
      'Nothing was written: <root>/written is a folder, but --out needs a file.\n',
    )
    expect(await refusalOf('written/api.json/more.json')).toBe(
      'Nothing was written: <root>/written/api.json is not a folder.\n',
    )
  })

  it('says which route cannot be served', async () => {
    await application.write(
      'unbound.ts',
      `import { defineRouter, defineServer, route } from '@svc/core'

export default defineServer().routes(defineRouter({ getOrder: route.get('/orders') }))
`,
    )
    expect(await application.svc(['openapi', '--server', 'unbound.ts'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Route "getOrder" (GET /orders) has no handler: bind one with .handler(…).\n',
    })
  })
})
