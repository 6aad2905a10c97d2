import { describe, expect, it } from 'vitest'
import { useApplication } from './test-openapi.ts'

const test = useApplication()

/** Those of the framework come after the application's. */
const ownPaths = [
  '/health',
  '/_core/health',
  '/_core/health/live',
  '/_core/health/ready',
  '/_core/time',
]

describe('svc openapi', () => {
  it("prints an OpenAPI 3.1 document with the title and version of the application's package.json", async () => {
    const { code, stdout, stderr } = await test.application.svc(['openapi'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const document = JSON.parse(stdout)
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(document.info).toEqual({ title: 'orders', version: '1.2.0' })
    expect(Object.keys(document.paths)).toEqual(['/orders', '/orders/{orderId}', ...ownPaths])
    expect(document.paths['/orders/{orderId}'].get.operationId).toBe('getOrder')
  })

  it('has the routes of mounted packages', async () => {
    await test.application.write(
      'mounted.ts',
      `import { defineRouter, defineServer, route } from '@svc/core'

const login = route.post('/_auth/login').handler(() => ({}))
const packages = [defineRouter({ login }, { owns: '/_auth/' })]
export default defineServer().routes(defineRouter({}).packages(packages))
`,
    )
    const { stdout } = await test.application.svc(['openapi', '--server', 'mounted.ts'])
    expect(Object.keys(JSON.parse(stdout).paths)).toEqual(['/_auth/login', ...ownPaths])
  })
})
