import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { failureOf } from '../delivery/errors.ts'
import type { Message } from '../delivery/message.ts'
import { readNotificationEnv } from '../env.ts'
import { smsTransport } from './sms.ts'

const message: Message = {
  channel: 'sms',
  to: '+821012345678',
  text: '인증 코드 482913',
  template: 'verification-code',
  sentAt: '2026-03-01T12:00:00.000Z',
}

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A gateway that keeps what it is sent and answers as it is told. */
async function startGateway(answer: (response: ServerResponse) => void) {
  const taken: { request: IncomingMessage; body: string }[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      taken.push({ request, body })
      answer(response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { taken, host: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function transportTo(url: string) {
  const transport = smsTransport(readNotificationEnv({ SVC_SMS_URL: url }))
  if (transport === null) throw new Error('This address sends nothing.')
  return transport
}

const failure = async (url: string) =>
  transportTo(url)(message).then(
    () => null,
    (thrown: unknown) => failureOf(thrown),
  )

describe('a text message', () => {
  it('is posted as JSON and signed with the secret of the address', async () => {
    const { host, taken } = await startGateway((response) => response.end())
    await transportTo(`http://svc:hunt%2Fer2@${host}/send?a=b`)(message)

    const [{ request, body } = { request: null, body: '' }] = taken
    expect(request).toMatchObject({ method: 'POST', url: '/send?a=b' })
    expect(JSON.parse(body)).toEqual({
      to: message.to,
      text: message.text,
      template: message.template,
      sentAt: message.sentAt,
    })

    const headers = request?.headers ?? {}
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-timestamp': '1772366400',
    })
    expect(headers.authorization).toBeUndefined()
    const signed = `${String(headers['webhook-id'])}.1772366400.${body}`
    const mac = createHmac('sha256', 'hunt/er2').update(signed).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${mac}`)
  })

  it('has an id of its own each time', async () => {
    const { host, taken } = await startGateway((response) => response.end())
    const send = transportTo(`http://svc:s@${host}/`)
    await send(message)
    await send(message)
    const ids = taken.map(({ request }) => request.headers['webhook-id'])
    expect(new Set(ids).size).toBe(2)
  })

  it.each([300, 400, 429, 500, 503])('is not sent when the gateway answers %i', async (status) => {
    const { host } = await startGateway((response) => response.writeHead(status).end('hunter2'))
    expect(await failure(`http://svc:s@${host}/`)).toEqual({ code: 'REFUSED', status })
  })

  it('follows no redirect: the code and its signature are for one gateway', async () => {
    const other = await startGateway((response) => response.end())
    const location = `http://${other.host}/`
    for (const status of [301, 302, 307, 308]) {
      const { host } = await startGateway((response) =>
        response.writeHead(status, { location }).end(),
      )
      expect(await failure(`http://svc:s@${host}/`)).toEqual({ code: 'REFUSED', status })
    }
    expect(other.taken).toEqual([])
  })

  it('is not sent when the gateway is down or does not speak TLS', async () => {
    const { host } = await startGateway((response) => response.end())
    expect(await failure(`https://svc:s@${host}/`)).toMatchObject({
      code: expect.stringMatching(/^E[A-Z_]+/),
    })
    closing.splice(0).forEach((close) => close())
    expect(await failure(`http://svc:s@${host}/`)).toEqual({ code: 'ECONNREFUSED' })
  })

  it('is given up when the gateway does not answer', async () => {
    const { host } = await startGateway(() => {})
    const start = performance.now()
    expect(await failure(`http://svc:s@${host}/`)).toEqual({ code: 'ETIMEDOUT' })
    expect(performance.now() - start).toBeLessThan(7000)
  })

  it('does not wait for the rest of an answer', async () => {
    const { host } = await startGateway((response) => {
      response.writeHead(202).write('{')
    })
    expect(await failure(`http://svc:s@${host}/`)).toBeNull()
  })
})
