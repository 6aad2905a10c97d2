import { expect, it } from 'vitest'
import { frame, opens, startScriptedServer, testClients, until } from './test-sse-client.ts'

const script = await startScriptedServer()
const { clientOf } = testClients(script.host)

it('a client follows channels by name, and hands over what is said of their resources', async () => {
  script.steps = [
    opens(
      frame('orderChanged:o:1', { status: 'paid' }, 'id: e-1\n') +
        frame('orderChanged:toString', { status: 'odd' }, 'id: e-2\n') +
        frame('toString:o1', { status: 'odd' }, 'id: e-3\n') +
        frame('orderChanged:o2', { status: 'sent' }, 'id: e-4\n'),
    ),
  ]
  const heard: unknown[] = []
  const hear = (resource: string) => (data: unknown) => heard.push([resource, data])
  clientOf().subscribe({
    handlers: {},
    channels: { orderChanged: { 'o:1': hear('o:1'), o2: hear('o2') } },
  })
  await until(() =>
    expect(heard).toEqual([
      ['o:1', { status: 'paid' }],
      ['o2', { status: 'sent' }],
    ]),
  )
  expect(script.requests[0]?.url).toContain('events=orderChanged%3Ao%3A1,orderChanged%3Ao2')
})
