import { text } from 'node:stream/consumers'
import { bytesBody, defineRouter, multipartBody, route, routeMapOf, streamBody } from '@svc/core'
import { createApi } from '@svc/core/client'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { getUserId } from '../../caller/caller.ts'
import { startTestAuth } from '../../testing.ts'

const handled: string[] = []
const bound = { maxBytes: 1_000_000 }
const router = defineRouter({
  bytes: route
    .post('/bytes')
    .input({ body: bytesBody(bound) })
    .handler(async (c) => {
      const { body } = await c.data()
      handled.push(body.bytes.toString())
      return { userId: getUserId(c), size: body.bytes.length }
    }),
  stream: route
    .post('/stream')
    .input({ body: streamBody(bound) })
    .handler(async (c) => {
      const { body } = await c.data()
      handled.push(await text(body.stream()))
      return { userId: getUserId(c), size: body.size }
    }),
  form: route
    .post('/form')
    .input({ body: multipartBody({ ...bound, files: { file: { maxBytes: 1000 } } }) })
    .handler(async (c) => {
      const { file } = (await c.data()).body.files
      handled.push((await file.bytes()).toString())
      return { userId: getUserId(c), name: file.name }
    }),
})
const routeMap = routeMapOf(router)
const auth = await startTestAuth({ router })
afterAll(() => auth.stop())
beforeEach(() => void handled.splice(0))

const { userId, key } = await auth.signedInUser()
const sign = auth.signerOf(key)
const api = createApi<typeof router>({ routeMap, baseUrl: auth.url, sign })

const send = async (path: string, signed: BodyInit, sent: BodyInit) => {
  const url = `${auth.url}${path}`
  const body = new Blob([signed as BlobPart])
  const headers = { ...(await sign({ method: 'POST', url, body })), 'content-type': 'text/plain' }
  // Streamed bodies need `duplex`, which the DOM's types do not have yet.
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers,
    body: sent,
    duplex: 'half',
  }
  const answer = await fetch(url, init)
  return [answer.status, (await answer.json()).error?.code]
}

describe.each(['bytes', 'stream'] as const)('a signed body of %s', (kind) => {
  it('is let in by the hash of what was received, from a Blob, bytes and a stream', async () => {
    const bytes = new Uint8Array(700_000).fill(0xc3)
    for (const body of [new Blob([bytes]), bytes, new Blob([bytes]).stream()]) {
      expect(await api[kind].call({ body })).toEqual({ userId, size: bytes.length })
    }
  })

  it('is refused with 401 where it is another, and nothing is done', async () => {
    const refused = [401, 'RequestBindingError']
    expect(await send(`/${kind}`, 'pay 10', 'pay 90')).toEqual(refused)
    expect(await send(`/${kind}`, 'pay 10', 'pay 1')).toEqual(refused)
    expect(await send(`/${kind}`, 'pay 10', '')).toEqual(refused)
    expect(await send(`/${kind}`, 'pay 10', new Blob(['pay 100']).stream())).toEqual(refused)
    expect(handled).toEqual([])
    expect(await send(`/${kind}`, 'pay 10', new Blob(['pay 10']).stream())).toEqual([
      200,
      undefined,
    ])
  })

  it('is not read from a stranger', async () => {
    const stranger = createApi<typeof router>({ routeMap, baseUrl: auth.url })
    await expect(stranger[kind].call({ body: new Uint8Array(9) })).rejects.toMatchObject({
      status: 401,
    })
    const { bodies, spooled } = auth.infrastructure
    expect(bodies.heldBytes + spooled.heldBytes).toBe(0)
    expect(handled).toEqual([])
  })
})

describe('a signed form with files', () => {
  it('is let in by the hash of the form as it was sent, boundary and all', async () => {
    const body = new FormData()
    body.append('file', new File(['content'], 'a.txt'))
    expect(await api.form.call({ body })).toEqual({ userId, name: 'a.txt' })
    expect(handled).toEqual(['content'])
  })
})
