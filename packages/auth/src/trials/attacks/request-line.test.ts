import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { defineRouter, route } from '@svc/core'
import { afterAll, describe, expect, it } from 'vitest'
import { getUserId } from '../../caller/caller.ts'
import { startTestAuth } from '../../testing.ts'

let changes = 0
const router = defineRouter({
  read: route.get('/thing').handler((c) => getUserId(c)),
  change: route.post('/thing').handler(() => {
    changes += 1
  }),
})
const auth = await startTestAuth({ router })
afterAll(() => auth.stop())
const { key } = await auth.signedInUser()
const { host, hostname, port } = new URL(auth.url)

interface Line {
  method: string
  target: string
  /** What is signed, where that is something else. */
  signed?: { method?: string; target?: string; body?: string }
  headers?: string[]
  body?: string
}

/** Writes a request byte by byte as it is given. The first line's status is what counts. */
async function send({ method, target, signed = {}, headers = [], body = '' }: Line) {
  const { authorization } = await auth.signerOf(key)({
    method: signed.method ?? method,
    url: `${auth.url}${signed.target ?? target}`,
    body: signed.body ?? '',
  })
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  const head = [
    `${method} ${target} HTTP/1.1`,
    `host: ${host}`,
    'connection: close',
    `authorization: ${authorization}`,
    ...headers,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  const text = Buffer.concat(await socket.toArray()).toString()
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]),
    count: text.split('HTTP/1.1 ').length - 1,
  }
}
const chunked = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n0\r\n\r\n`

describe('the method that was signed', () => {
  it('is the one of the request line, also for what is answered alike', async () => {
    const target = '/thing'
    expect(await send({ method: 'GET', target })).toMatchObject({ status: 200 })
    expect(await send({ method: 'HEAD', target })).toMatchObject({ status: 200 })
    const signed = (method: string) => ({ signed: { method } })
    expect(await send({ method: 'HEAD', target, ...signed('GET') })).toMatchObject({ status: 401 })
    expect(await send({ method: 'GET', target, ...signed('HEAD') })).toMatchObject({ status: 401 })
    expect(await send({ method: 'POST', target, ...signed('GET') })).toMatchObject({ status: 401 })
  })

  it('is not another one that a header names', async () => {
    const before = changes
    const headers = [
      'x-http-method-override: POST',
      'x-method-override: POST',
      'x-http-method: POST',
    ]
    expect(await send({ method: 'GET', target: '/thing?_method=POST', headers })).toMatchObject({
      status: 200,
    })
    expect(changes).toBe(before)
  })
})

describe('the target that was signed', () => {
  it.each([
    ['/thing?a=1', '/thing'],
    ['/thing', '/thing?a=1'],
    ['/thing?a=1&b=2', '/thing?b=2&a=1'],
    ['/thing?', '/thing'],
    ['/%74hing', '/thing'],
    ['/thing', '/%74hing'],
    ['/thing?a=%41', '/thing?a=A'],
  ])('is to the byte that of the request line: %s is not %s', async (target, signed) => {
    expect(await send({ method: 'GET', target, signed: { target: signed } })).toMatchObject({
      status: 401,
    })
  })

  it('is the path where the request line has a whole address, and nothing else of it', async () => {
    const elsewhere = 'http://elsewhere.example/thing'
    const signed = { target: '/thing' }
    expect(await send({ method: 'GET', target: elsewhere, signed })).toMatchObject({ status: 401 })
  })

  it.each(['//thing', '/thing/', '/./thing', '/x/../thing', '/thing%2f', '/thing%00', '/%2fthing'])(
    'is no other spelling of a path: %s',
    async (target) => {
      expect(await send({ method: 'GET', target })).toMatchObject({ status: 404 })
    },
  )
})

describe('the body that was signed', () => {
  const post = { method: 'POST', target: '/thing' }
  const other = { signed: { body: 'another body' } }

  it('is what was received, in one piece or in chunks', async () => {
    const body = '{"a":1}'
    const signed = { body }
    const whole = { headers: [`content-length: ${body.length}`], body }
    expect(await send({ ...post, ...whole, signed })).toMatchObject({ status: 200 })
    const pieces = { headers: ['transfer-encoding: chunked'], body: chunked(body) }
    expect(await send({ ...post, ...pieces, signed })).toMatchObject({ status: 200 })
    expect(await send({ ...post, ...whole, ...other })).toMatchObject({ status: 401 })
    expect(await send({ ...post, ...pieces, ...other })).toMatchObject({ status: 401 })
  })

  it('is nothing where there is none, whichever way that is said', async () => {
    for (const none of [
      {},
      { headers: ['content-length: 0'] },
      { headers: ['transfer-encoding: chunked'], body: '0\r\n\r\n' },
    ]) {
      expect(await send({ ...post, ...none })).toMatchObject({ status: 200 })
      expect(await send({ ...post, ...none, ...other })).toMatchObject({ status: 401 })
    }
  })

  it('counts for a request that needs none', async () => {
    const get = { method: 'GET', target: '/thing', body: 'extra' }
    const headers = ['content-length: 5']
    expect(await send({ ...get, headers })).toMatchObject({ status: 401 })
    expect(await send({ ...get, headers, signed: { body: 'extra' } })).toMatchObject({
      status: 200,
    })
    const pieces = { headers: ['transfer-encoding: chunked'], body: chunked('extra') }
    expect(await send({ ...get, ...pieces })).toMatchObject({ status: 401 })
  })

  it.each([
    [['content-length: 5', 'transfer-encoding: chunked']],
    [['content-length: 5', 'content-length: 6']],
    [['transfer-encoding: chunked, identity']],
    [['transfer-encoding : chunked']],
    [['content-length: +5']],
  ])('has one length: %j is refused, and nothing behind it is a request', async (headers) => {
    const before = changes
    const smuggled = `0\r\n\r\nPOST /thing HTTP/1.1\r\nhost: ${host}\r\n\r\n`
    const answer = await send({ ...post, headers, body: smuggled, signed: { body: smuggled } })
    expect(answer).toEqual({ status: 400, count: 1 })
    expect(changes).toBe(before)
  })

  it('is hashed as it was received: another one of the same meaning is another one', async () => {
    const hash = createHash('sha256').update('{"a":1}').digest('base64url')
    expect(hash).toHaveLength(43)
    const spaced = '{ "a": 1 }'
    const headers = [`content-length: ${spaced.length}`]
    const signed = { body: '{"a":1}' }
    expect(await send({ ...post, headers, body: spaced, signed })).toMatchObject({ status: 401 })
  })
})
