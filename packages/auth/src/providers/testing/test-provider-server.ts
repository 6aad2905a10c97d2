import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Misbehaviour, misbehaviours } from './test-misbehaviour.ts'

/** What a server was asked. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly form: URLSearchParams
  readonly headers: IncomingHttpHeaders
}

export interface TestAnswer {
  readonly status?: number
  readonly json?: unknown
  /** Where a browser is sent. */
  readonly location?: string
}

/** A server that stands where a provider's does, on this machine. */
export async function startProviderServer(answer: (asked: Asked) => TestAnswer) {
  const asked: Asked[] = []
  let misbehaviour: Misbehaviour | null = null

  async function listener(request: Asked, response: ServerResponse) {
    asked.push(request)
    // Browsers still come to the page where they consent; it is the server of the service that is let down.
    if (misbehaviour && !request.path.endsWith('/authorize'))
      return misbehaviours[misbehaviour](response)
    send(answer(request), response)
  }

  const server = createServer((request, response) => {
    const { method = 'GET', headers } = request
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://provider')
    void text(request).then((body) => {
      return listener({ method, path, query, form: new URLSearchParams(body), headers }, response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    /** Until it is told to behave again: `null`. */
    misbehave: (how: Misbehaviour | null) => {
      misbehaviour = how
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function send({ status = 200, json, location }: TestAnswer, response: ServerResponse) {
  const headers = location === undefined ? { 'content-type': 'application/json' } : { location }
  response
    .writeHead(location === undefined ? status : 302, headers)
    .end(json === undefined ? '' : JSON.stringify(json))
}
