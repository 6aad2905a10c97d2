import { type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from 'node:http'
import { type RequestOptions, request as requestOverTls } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import { PublicFetchError, publicAddressesOf, type Resolve } from './public-address.ts'

export { PublicFetchError } from './public-address.ts'

interface Asking {
  /** The operator has named the host: it may be a private one, at any port. */
  isNamed?: boolean
  maxBytes?: number
  timeoutMillis?: number
  resolve?: Resolve
  connect?: (options: ConnectionOptions) => TLSSocket
}

interface PublicAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Of an answer other than 200 it is not read. */
  readonly body: Buffer
}

/**
 * Reads what is at an address that a stranger has given. It goes where DNS has said once, over TLS, and nowhere else:
 * a redirect is an answer.
 */
export async function fetchPublic(
  address: URL,
  { timeoutMillis = 4000, maxBytes = 5 * 1024, ...asking }: Asking = {},
): Promise<PublicAnswer> {
  // Over everything: the name, the connection, and a body that comes a byte at a time.
  const signal = AbortSignal.timeout(timeoutMillis)
  try {
    const response = await send(address, await connectionOf(address, { ...asking, signal }))
    const { statusCode: status = 0, headers } = response
    return { status, headers, body: await readBody(response, status === 200 ? maxBytes : 0) }
  } catch (error) {
    if (error instanceof PublicFetchError) throw error
    throw new PublicFetchError(signal.aborted ? `not within ${timeoutMillis} ms` : codeOf(error))
  }
}

/** How to get there. To a stranger that is with the addresses that were judged: a second look-up could find others. */
async function connectionOf(
  address: URL,
  {
    isNamed = false,
    connect = connectTls,
    resolve,
    signal,
  }: Omit<Asking, 'maxBytes' | 'timeoutMillis'> & { signal: AbortSignal },
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
  // Without an agent it is 80, and the host would be asked for by that port.
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

function send(address: URL, connection: RequestOptions) {
  const request = address.protocol === 'https:' ? requestOverTls : requestPlain
  // Nothing that would have to be unpacked: a few bytes of it may be gigabytes.
  const headers = { accept: 'application/json', 'accept-encoding': 'identity' }
  return new Promise<IncomingMessage>((resolve, reject) => {
    request(address, { ...connection, headers })
      .on('response', resolve)
      .on('error', reject)
      .end()
  })
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

/** Never the text of a foreign error, which may quote what was asked or answered. */
function codeOf(error: unknown) {
  const code: unknown = error instanceof Error && 'code' in error && error.code
  return typeof code === 'string' ? `no answer (${code})` : 'no answer'
}
