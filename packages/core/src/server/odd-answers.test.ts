import { connect } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { BadRequestError, ConflictError, HttpError, route } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import type { HandlerContext } from '../routes/context.ts'
import { defineMiddleware } from '../routes/middleware.ts'
import { defineRouter, type Routes } from '../routes/router.ts'
import { startTestServer } from '../testing/test-server.ts'

class OddStatusError extends HttpError {
  readonly name = 'OddStatusError'
  readonly status = 7
}

const once = new Response('once')
const locked = new Response('locked')
locked.body?.getReader()
const circle: { self?: unknown } = {}
circle.self = circle

/** What must answer 500, and must not end the process: an unhandled rejection fails this file. */
const broken: Record<string, (c: HandlerContext) => unknown> = {
  'a header outside of latin1': (c) => {
    c.raw.header('x-name', '한글')
    return 1
  },
  'a header with a line break, beside a Response': (c) => {
    c.raw.header('x-name', 'a\r\nset-cookie: b=1')
    return new Response('hello')
  },
  'a header outside of latin1, and then a failure': (c) => {
    c.raw.header('x-name', '한글')
    throw new BadRequestError()
  },
  'a Response that is an error': () => Response.error(),
  'a Response whose body is read already': () => locked,
  'a bigint': () => 10n,
  'a circle': () => circle,
  'a status that is none': (c) => c.json(1, 1000),
  'an error with a bigint among its fields': () => {
    throw new ConflictError({ id: 10n } as object)
  },
  'an error with a circle among its fields': () => {
    throw new ConflictError({ circle } as object)
  },
  'an error whose status is none': () => {
    throw new OddStatusError()
  },
  'an error that cannot be looked at': () => {
    throw Object.defineProperty(new Error(), 'message', {
      get: () => {
        throw new Error('trap')
      },
    })
  },
  'a thrown null': () => {
    throw null
  },
  'a thrown promise': () => {
    throw Promise.resolve(1)
  },
}

const endless = () => new Response(new ReadableStream({ pull: (to) => to.enqueue(Buffer.of(1)) }))
let cancelled = 0
const watched = () =>
  new Response(
    new ReadableStream({
      cancel: () => {
        cancelled += 1
      },
    }),
  )

const answers = {
  once: route.get('/once').handler(() => once),
  query: route.get('/query').handler((): unknown => ({
    // Drizzle's queries are no instances of Promise.
    // oxlint-disable-next-line unicorn/no-thenable -- which is what this test is about
    then: (resolve: (rows: number[]) => void) => resolve([1, 2]),
    password: 'hunter2',
  })),
  half: route.get('/half').handler((c) => {
    c.raw.header('content-type', 'text/html')
    c.raw.header('content-length', '3')
    c.raw.header('cache-control', 'public, max-age=600')
    c.raw.header('etag', '"v1"')
    c.raw.header('set-cookie', 'a=1')
    throw new BadRequestError({ message: '<script>alert(1)</script>' })
  }),
  cased: route
    .get('/cased')
    .handler((c) => c.json(1, 200, { 'Content-Type': 'text/csv', 'Content-Length': '99' })),
  cookies: route.get('/cookies').handler((c) => {
    c.raw.header('set-cookie', 'a=1')
    return c.json(1, 200, { 'set-cookie': 'b=2' })
  }),
  varied: route.get('/varied').handler((c) => {
    c.raw.header('vary', 'Accept-Language')
    return 1
  }),
  variedResponse: route
    .get('/varied-response')
    .handler(() => new Response('1', { headers: { vary: 'Accept-Language' } })),
  long: route
    .get('/long')
    .handler(() => new Response('12345HTTP/1.1', { headers: { 'content-length': '5' } })),
  short: route
    .get('/short')
    .handler(() => new Response('1', { headers: { 'content-length': '5' } })),
  framed: route.get('/framed').handler(
    () =>
      new Response('12345', {
        headers: { 'content-length': '5', 'transfer-encoding': 'chunked', connection: 'upgrade' },
      }),
  ),
  endless: route.get('/endless').handler(endless),
  watched: route.get('/watched').handler(watched),
  fails: route.get('/fails').handler(
    () =>
      new Response(
        new ReadableStream({
          start: (to) => {
            to.enqueue(Buffer.from('some'))
            setTimeout(() => to.error(new Error('midway')), 20)
          },
        }),
      ),
  ),
  trickle: route.get('/trickle').handler(
    () =>
      new Response(
        new ReadableStream({
          async pull(to) {
            await new Promise((resolve) => setTimeout(resolve, 20))
            to.enqueue(Buffer.from('drop'))
          },
        }),
      ),
  ),
  unawaited: route
    .get('/unawaited')
    .use([
      defineMiddleware('hasty', (_c, next) => {
        void next()
      }),
    ])
    .handler(async () => {
      throw new BadRequestError()
    }),
  text: route
    .get('/text')
    .use([defineMiddleware('text', (() => 'text') as never)])
    .handler(() => 1),
}

const failing = Object.fromEntries(
  Object.values(broken).map((handler, index) => [
    `broken${index}`,
    route.get(`/broken/${index}`).handler(handler),
  ]),
)
const routes: Routes = { ...answers, ...failing }
const server = await startTestServer(
  defineServer().routes(defineRouter(routes)).origins('https://app.test'),
)
afterAll(server.stop)

describe('an answer that cannot be written is a 500', () => {
  Object.keys(broken).forEach((what, index) => {
    it(what, async () => {
      const answer = await server.fetch(`/broken/${index}`)

      expect([answer.status, answer.statusText]).toEqual([500, 'Internal Server Error'])
      expect(await answer.json()).toMatchObject({ __type: 'Error' })
      expect(answer.headers.get('x-name')).toBeNull()
    })
  })

  it('a Response that is returned for the second time', async () => {
    expect((await server.fetch('/once')).status).toBe(200)
    expect((await server.fetch('/once')).status).toBe(500)
  })

  it('a middleware’s answer that is none', async () => {
    expect((await server.fetch('/text')).status).toBe(500)
  })
})

describe('an answer', () => {
  it('waits for a query that is a promise by its `then` only', async () => {
    expect(await (await server.fetch('/query')).json()).toEqual([1, 2])
  })

  it('to a failure describes the failure, not what the handler had begun', async () => {
    const answer = await server.fetch('/half')

    expect(await answer.json()).toMatchObject({ __type: 'BadRequestError' })
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('etag')).toBeNull()
    expect(answer.headers.getSetCookie()).toEqual(['a=1'])
  })

  it('has each header once, however its name is written', async () => {
    const text = await raw('GET /cased HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')

    expect(text.match(/^content-type: .*$/gim)).toEqual(['content-type: text/csv'])
    expect(text.match(/^content-length: .*$/gim)).toEqual(['content-length: 1'])
  })

  it('keeps the cookies of middleware beside those of the handler', async () => {
    const answer = await server.fetch('/cookies')

    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  it('still varies by origin when it varies by something else too', async () => {
    for (const path of ['/varied', '/varied-response']) {
      const answer = await server.fetch(path)
      expect(answer.headers.get('vary')).toBe('Origin, Accept-Language')
    }
  })

  it('is awaited for a middleware that does not await next', async () => {
    expect((await server.fetch('/unawaited')).status).toBe(400)
  })
})

describe('a Response', () => {
  it('longer or shorter than it says ends the connection: the next answer would not be where it is', async () => {
    for (const path of ['/long', '/short']) {
      const text = await raw(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
      expect(text).not.toContain('12345HTTP')
    }
  })

  it('leaves without the headers that frame a message', async () => {
    const text = await raw('GET /framed HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')

    expect(text).not.toMatch(/^transfer-encoding|upgrade/im)
    expect(text).toMatch(/\r\n\r\n12345$/)
  })

  it('is not read for HEAD', async () => {
    expect((await server.fetch('/endless', { method: 'HEAD' })).status).toBe(200)
    await server.fetch('/watched', { method: 'HEAD' })
    expect(cancelled).toBe(1)
  })

  it('that fails midway is cut off, not completed', async () => {
    const answer = await server.fetch('/fails')

    await expect(answer.text()).rejects.toThrow()
    const requestId = answer.headers.get('x-request-id')
    expect(server.logged.find((entry) => entry.requestId === requestId)).toMatchObject({
      msg: 'an answer was cut off',
      err: { message: 'midway' },
    })
  })

  it('whose reader leaves is no failure', async () => {
    const answer = await server.fetch('/trickle')
    const before = server.logged.length
    await answer.body?.cancel()
    await new Promise((resolve) => setTimeout(resolve, 100))

    expect(server.logged.length).toBe(before)
  })

  it('to a request whose body is unread ends the connection', async () => {
    const text = await raw('GET /once HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n')

    expect(text).toMatch(/^connection: close/im)
  })

  it('is cut off, not written into, when the next request is not HTTP', async () => {
    const text = await raw('GET /trickle HTTP/1.1\r\nhost: x\r\n\r\n', 'NONSENSE\r\n\r\n')

    expect(text).toContain('drop')
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
  })
})

/** Sends the first part, and each other one 100 ms later; resolves when the server has closed. */
function raw(...parts: string[]) {
  const { hostname, port } = new URL(server.url)
  return new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      parts.forEach((part, index) => setTimeout(() => socket.write(part), index * 100))
    })
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text)).on('error', reject)
  })
}
