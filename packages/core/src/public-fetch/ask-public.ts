import { type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from 'node:http'
import { type RequestOptions, request as requestOverTls } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import { PublicFetchError, publicAddressesOf, type Resolve } from './public-address.ts'

/** For `fetchPublic`: what to send, and how large and how slow a response may be. */
export interface PublicFetchOptions {
  /** `GET` unless set. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Beside `accept: application/json`, which is sent unless you name another one. */
  headers?: Readonly<Record<string, string>>
  body?: string
  /**
   * You have named the host yourself: it may be private, at any port, and without TLS. Never set
   * this for a host that a user gives.
   */
  isNamed?: boolean
  /** A longer body is a failure. 5 KiB unless set. */
  maxBytes?: number
  /** For the name, the connection and the answer together. 4 s unless set. */
  timeoutMillis?: number
}

/** Tests replace DNS and the network with this. */
interface Outside {
  resolve?: Resolve
  connect?: (options: ConnectionOptions) => TLSSocket
}

/** The response to `fetchPublic`. It follows no redirect: that is a response too. */
export interface PublicAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** It is read only for a 2xx answer. */
  readonly body: Buffer
}

type Asking = PublicFetchOptions & Outside

/** Resolves the name once and asks there, over TLS, and nowhere else: a redirect is an answer. */
export async function askPublic(
  address: URL,
  { timeoutMillis = 4000, maxBytes = 5 * 1024, ...asking }: Asking = {},
): Promise<PublicAnswer> {
  // For everything: the name, the connection, and a body that arrives byte by byte.
  const signal = AbortSignal.timeout(timeoutMillis)
  try {
    const connection = await connectionOf(address, { ...asking, signal })
    const response = await send(address, connection, asking)
    const { statusCode: status = 0, headers } = response
    const isRead = status >= 200 && status < 300
    return { status, headers, body: await readBody(response, isRead ? maxBytes : 0) }
  } catch (error) {
    if (error instanceof PublicFetchError) throw error
    throw new PublicFetchError(signal.aborted ? `not within ${timeoutMillis} ms` : codeOf(error))
  }
}

/**
 * How to connect. For a stranger's name, to the addresses that were checked: a second look-up could
 * return others.
 */
async function connectionOf(
  address: URL,
  {
    isNamed = false,
    connect = connectTls,
    resolve,
    signal,
  }: Outside & { isNamed?: boolean; signal: AbortSignal },
): Promise<RequestOptions> {
  if (isNamed) return { signal, agent: false }
  const addresses = await publicAddressesOf(address, { resolve, signal })
  const { hostname: host } = address
  const createConnection = () =>
    connect({
      host,
      port: 443,
      servername: host,
      lookup: lookupAmong(addresses),
      rejectUnauthorized: true,
    })
  // Without an agent it is 80, and then the Host header would name that port.
  return { signal, createConnection, defaultPort: 443 }
}

function lookupAmong(judged: readonly string[]): LookupFunction {
  const addresses = judged.map((address) => ({ address, family: isIP(address) }))
  return (_host, { all }, done) => {
    const [first] = addresses
    if (all) done(null, addresses)
    else done(null, first?.address ?? '', first?.family)
  }
}

function send(
  address: URL,
  connection: RequestOptions,
  { method = 'GET', headers: given, body }: PublicFetchOptions,
) {
  const request = address.protocol === 'https:' ? requestOverTls : requestPlain
  const headers = {
    accept: 'application/json',
    ...lowerCase(given),
    // No compression: a few bytes may unpack to gigabytes.
    'accept-encoding': 'identity',
  }
  return new Promise<IncomingMessage>((resolve, reject) => {
    const noAnswer = () => reject(new PublicFetchError('no answer'))
    request(address, { ...connection, method, headers })
      .on('response', resolve)
      .on('error', reject)
      // 101: the connection would be ours then, and neither the time limit nor the end of the
      // answer would close it.
      .on('upgrade', (_response, socket) => {
        socket.destroy()
        noAnswer()
      })
      // After a response or an error this has no effect.
      .on('close', noAnswer)
      .end(body)
  })
}

/**
 * With two spellings of a name, both headers would be sent. A `host` of the caller's would ask
 * another host.
 */
function lowerCase(headers: Readonly<Record<string, string>> = {}) {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return Object.fromEntries(entries.filter(([name]) => name !== 'host')) as Record<string, string>
}

async function readBody(response: IncomingMessage, maxBytes: number) {
  const chunks: Buffer[] = []
  let size = 0
  if (maxBytes === 0) response.destroy()
  else {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.byteLength
      // Leaving the loop closes the connection.
      if (size > maxBytes) throw new PublicFetchError(`more than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
  }
  return Buffer.concat(chunks)
}

/** Never the text of a foreign error, which may quote the request or the answer. */
function codeOf(error: unknown) {
  const code: unknown = error instanceof Error && 'code' in error && error.code
  return typeof code === 'string' ? `no answer (${code})` : 'no answer'
}
