import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApplication, orders, type TestApplication } from '../testing/application.ts'

const streaming = `import { defineEvent, defineEventRouter, defineServer, t } from '@svc/core'

const orderShipped = defineEvent('order.shipped', t.Object({ orderId: t.String() }))
export default defineServer().events(defineEventRouter({ orderShipped }))
`

let application: TestApplication
beforeAll(async () => {
  application = await createApplication({ ...orders, 'streaming.ts': streaming })
})
afterAll(() => application.remove())

const asyncapi = ['asyncapi', '--server', 'streaming.ts']

describe('svc asyncapi', () => {
  it("prints an AsyncAPI 3.0 document with the title and version of the application's package.json", async () => {
    const { code, stdout, stderr } = await application.svc(asyncapi)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const document = JSON.parse(stdout)
    expect(document.asyncapi).toBe('3.0.0')
    expect(document.info).toEqual({ title: 'orders', version: '1.2.0' })
    expect(document.channels.stream.address).toBe('/events/stream')
    expect(document.components.messages.orderShipped.title).toBe('order.shipped')
  })

  it('has the address at which clients find the API', async () => {
    const env = {
      NEXT_PUBLIC_SVC_API_URL: 'https://api.example.com',
      SVC_API_URL: 'http://api:8790',
    }
    const { stdout } = await application.svc(asyncapi, { env })
    expect(JSON.parse(stdout).servers).toEqual({
      http: { host: 'api.example.com', protocol: 'https' },
    })
  })

  it('writes the same to a file, seen from where it is called', async () => {
    await application.write('docs/notes.txt', '')
    const { stdout } = await application.svc(asyncapi)
    const written = await application.svc(
      ['asyncapi', '--server', '../streaming.ts', '--out', 'events.json'],
      { from: 'docs' },
    )
    expect(written).toEqual({ code: 0, stdout: 'wrote docs/events.json\n', stderr: '' })
    expect(await application.read('docs/events.json')).toBe(stdout)
  })

  it('says that an application streams nothing', async () => {
    expect(await application.svc(['asyncapi'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'This application streams nothing: serve an event router with .events(…) or .websockets(…).\n',
    })
  })
})
