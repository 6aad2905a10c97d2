import { afterAll, describe, expect, it } from 'vitest'
import { startTestWeb } from '../test-browser.ts'
import { testOperations } from '../test-operations.ts'

const { router, routeMap } = testOperations({ look: () => ({ body: {} }) })
const web = await startTestWeb({ router, routeMap })
afterAll(web.api.stop)

async function send(body: BodyInit, headers: Record<string, string> = {}) {
  const request = new Request('http://web.test/api/rpc/look', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  const begun = performance.now()
  const answer = await web.proxy.POST(request)
  return { status: answer.status, body: await answer.json(), millis: performance.now() - begun }
}

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

/** An input of 1 MB that is this deep in many places. */
function deepIn(part: string, levels: number) {
  const count = Math.floor(1_000_000 / (2 * levels + 10))
  const members = Array.from({ length: count }, (_, index) => `"a${index}":${nested(levels)}`)
  return `{"${part}":{${members.join()}}}`
}

describe('an input of 1 MB', () => {
  // The time to serialize it grows with the square of the depth. For seconds, no other request is
  // answered.
  it.each(['body', 'query', 'headers', 'params'])(
    'that is deep in its %s is refused before it costs seconds',
    async (part) => {
      const { status, body, millis } = await send(deepIn(part, 3000))
      expect(status).toBe(400)
      expect(body.error.message).toBe('The input is nested too deep.')
      expect(millis).toBeLessThan(1500)
    },
  )

  it('may be as deep as the API takes a body, and no deeper', async () => {
    expect((await send(`{"body":${nested(64)}}`)).status).toBe(200)
    expect((await send(`{"body":${nested(65)}}`)).status).toBe(400)
  })

  it('that is packed is not unpacked', async () => {
    const packed = new Blob([`{"body":"${'x'.repeat(50_000_000)}"}`]).stream()
    const body = await new Response(packed.pipeThrough(new CompressionStream('gzip'))).bytes()
    const { status } = await send(body, { 'content-encoding': 'gzip' })
    expect(status).toBe(400)
  })
})
