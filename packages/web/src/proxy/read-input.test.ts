import { describe, expect, it } from 'vitest'
import { createRpcProxy } from '../proxy.ts'

const proxy = 'http://web.test/api/rpc'

const { GET, POST } = createRpcProxy({
  routeMap: {
    listOrders: { method: 'GET', path: '/orders', headers: ['x-note'] },
    getOrder: { method: 'GET', path: '/orders/:orderId' },
    placeOrder: { method: 'POST', path: '/orders' },
  },
  // Nothing in here gets as far as the API.
  apiUrl: 'http://127.0.0.1:1',
})

function post(name: string, body: BodyInit, type = 'application/json') {
  // Streamed bodies need `duplex`, which the DOM's types do not have yet.
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
  return POST(new Request(`${proxy}/${name}`, { ...init, headers: { 'content-type': type } }))
}

async function refused(answer: Response) {
  const { error } = await answer.json()
  return [answer.status, error.code]
}

describe('input', () => {
  it.each(['{', '[]', 'null', '"text"', '{"text":"unwrapped"}', '{"params":[]}', '{"query":"x"}'])(
    'answers 400 to %s',
    async (input) => {
      expect(await refused(await post('placeOrder', input))).toEqual([400, 'BadRequestError'])
      const byGet = await GET(new Request(`${proxy}/listOrders?input=${encodeURIComponent(input)}`))
      expect(await refused(byGet)).toEqual([400, 'BadRequestError'])
    },
  )

  // Code behind the proxy could read the other one.
  it.each([
    '{"body":{"note":"a","note":"b"}}',
    '{"body":{"note":"a"},"body":{"note":"b"}}',
    '{"params":{"orderId":"1","\\u006frderId":"2"}}',
    '{"query":{"a:":[{"b":1,"b":1}]}}',
    '{"body":{"__proto__":{"isAdmin":true}}}',
    '{"__proto__":{"body":{}}}',
    '{"body":{"a":{"\\u005f_proto__":1}}}',
    `{"body":${'['.repeat(65)}${']'.repeat(65)}}`,
    '\ufeff{}',
  ])('answers 400 to %s, as the API does of a body', async (input) => {
    expect(await refused(await post('placeOrder', input))).toEqual([400, 'BadRequestError'])
    const byGet = await GET(new Request(`${proxy}/listOrders?input=${encodeURIComponent(input)}`))
    expect(await refused(byGet)).toEqual([400, 'BadRequestError'])
  })

  it('never repeats what it refuses', async () => {
    const answer = await post('placeOrder', '{"body":{"password":"correct horse"')
    expect(await answer.text()).not.toContain('horse')
  })

  it.each([{}, { orderId: '' }, { orderId: '..' }])(
    'answers 400 to path parameters that make no path: %j',
    async (params) => {
      const answer = await post('getOrder', JSON.stringify({ params }))
      expect(await refused(answer)).toEqual([400, 'BadRequestError'])
    },
  )

  it('answers 400 to a header that is not one', async () => {
    const headers = { 'x-note': 'a\r\nauthorization: b' }
    const answer = await post('listOrders', JSON.stringify({ headers }))
    expect(await refused(answer.clone())).toEqual([400, 'BadRequestError'])
    // It may be a key of an API.
    expect(await answer.text()).not.toContain('authorization')
  })

  it('answers 415 to what a form of another site can send', async () => {
    const answer = await post('placeOrder', '{}', 'text/plain')
    expect(await refused(answer)).toEqual([415, 'UnsupportedMediaTypeError'])
  })

  it('answers 400 to a body that is not UTF-8', async () => {
    const answer = await post('placeOrder', new Uint8Array([0x22, 0xff, 0x22]))
    expect(await refused(answer)).toEqual([400, 'BadRequestError'])
  })

  it('answers 413 to a body over 1 MiB, whether or not it says its length', async () => {
    const body = JSON.stringify({ body: { note: 'x'.repeat(1_048_576) } })
    const chunked = new Blob([body]).stream()
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
    const declared = new Request(`${proxy}/placeOrder`, { method: 'POST', headers, body })

    expect(await refused(await POST(declared))).toEqual([413, 'PayloadTooLargeError'])
    expect(await refused(await post('placeOrder', chunked))).toEqual([413, 'PayloadTooLargeError'])
  })
})
