import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { RequestToSign, requestSigner } from '@svc/core/client'

type Signer = ReturnType<typeof requestSigner>

/** Asks for the token of a stream, signed by a device's key. */
export async function askForToken(url: string, sign: Signer) {
  const request: RequestToSign = { method: 'POST', url: `${url}/events/token`, body: '' }
  const headers = await sign(request)
  const answer = await fetch(request.url, { method: 'POST', headers: { ...headers } })
  return { status: answer.status, body: await answer.json() }
}

export async function streamToken(url: string, sign: Signer): Promise<string> {
  const { status, body } = await askForToken(url, sign)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.token
}

export type TestStream = Awaited<ReturnType<typeof openStream>>

/** A stream as a client has it; its status where it was refused. */
export async function openStream(url: string, token: string | undefined, events = 'notice') {
  const query = new URLSearchParams({ events, ...(token !== undefined && { token }) })
  const request = get(`${url}/events/stream?${query}`, { agent: false })
  const incoming = await answerOf(request)
  let received = ''
  let endedAt: number | null = null
  incoming.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  const ended = new Promise<void>((resolve) => {
    incoming.once('close', () => {
      endedAt = performance.now()
      resolve()
    })
  })
  incoming.on('error', () => {})
  if (incoming.statusCode !== 200) await ended
  return {
    status: incoming.statusCode ?? 0,
    /** Resolves when the server has ended it. */
    ended,
    endedAt: () => endedAt,
    isOpen: () => endedAt === null,
    /** The body, where it was refused. */
    body: () => JSON.parse(received),
    frames: () => framesIn(received),
    names: () => framesIn(received).map(({ event }) => event),
    close: () => request.destroy(),
  }
}

function answerOf(request: ClientRequest) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).on('error', reject)
  })
}

function framesIn(received: string) {
  return received
    .split('\n\n')
    .slice(0, -1)
    .map((frame) => ({
      event: /^event: (.*)$/m.exec(frame)?.[1] ?? '',
      data: JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? 'null'),
    }))
    .filter(({ event }) => event !== 'ping' && event !== '')
}
