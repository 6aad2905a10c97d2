import { type Arbitrary, constantFrom, oneof, string, tuple } from 'fast-check'

const head = (line: string, ...headers: string[]) => [line, ...headers, '', ''].join('\r\n')
const host = 'host: localhost'
const post = 'POST /_auth/login HTTP/1.1'
const json = 'content-type: application/json'

/** What is hardly HTTP, or HTTP that two readers could read differently. */
const malformed = constantFrom(
  '',
  '\r\n\r\n\r\n',
  '\0\0\0\0',
  'GET',
  head('GET / HTTP/1.1'),
  head('GET / HTTP/9.9', host),
  head('get / http/1.1', host),
  head('GET  /  HTTP/1.1', host),
  head('GET /_auth/\u0000 HTTP/1.1', host),
  head('GET /../../etc/passwd HTTP/1.1', host),
  head('GET //evil.example/_auth/session HTTP/1.1', host),
  head('GET http://evil.example/_auth/session HTTP/1.1', host),
  head('GET /%2e%2e/%00/%ff%fe HTTP/1.1', host),
  head('CONNECT evil.example:443 HTTP/1.1', host),
  head('TRACE / HTTP/1.1', host),
  head('PRI * HTTP/2.0'),
  head('OPTIONS * HTTP/1.1', host),
  head('GET / HTTP/1.1', host, host),
  head('GET / HTTP/1.1', host, ' folded: x'),
  head('GET / HTTP/1.1', host, 'x\0y: z'),
  head('GET / HTTP/1.1', host, `x: ${'y'.repeat(20_000)}`),
  head('GET / HTTP/1.1', host, ...Array.from({ length: 3000 }, (_, index) => `x-${index}: y`)),
  head(`GET /${'a'.repeat(20_000)} HTTP/1.1`, host),
  head(post, host, json, 'content-length: -1'),
  head(post, host, json, 'content-length: 99999999999999999999'),
  head(post, host, json, 'content-length: 5', 'content-length: 6') + '{"a":1}',
  head(post, host, json, 'content-length: 5', 'transfer-encoding: chunked') + '0\r\n\r\n',
  head(post, host, json, 'transfer-encoding: chunked') + 'zz\r\n{}\r\n0\r\n\r\n',
  head(post, host, json, 'transfer-encoding: gzip, chunked') + '2\r\n{}\r\n0\r\n\r\n',
  head(post, host, json, 'transfer-encoding: xchunked') + '2\r\n{}\r\n0\r\n\r\n',
  head(post, host, json, 'content-length: 100') + '{}',
  head(post, host, json, 'expect: 200-maybe', 'content-length: 2') + '{}',
  head('GET /_core/health HTTP/1.1', host).repeat(5),
  head('GET /_core/health HTTP/1.0', 'connection: keep-alive'),
)

const upgrades = tuple(
  constantFrom('/events/ws', '/events/ws?token=x', '/_auth/session', '/events/stream', '/nothing'),
  constantFrom('upgrade: websocket', 'upgrade: h2c', 'upgrade: WebSocket, x', 'upgrade: '),
  constantFrom('connection: upgrade', 'connection: keep-alive, Upgrade', 'connection: x'),
  constantFrom('AAAAAAAAAAAAAAAAAAAAAA==', 'short', '', 'x'.repeat(300)),
  constantFrom('13', '8', '', '-1'),
  constantFrom('svc.v1', 'svc.v1, svc.token.x', ',,,', 'x'.repeat(5000)),
).map(([path, upgrade, connection, key, version, protocol]) =>
  head(
    `GET ${path} HTTP/1.1`,
    host,
    upgrade,
    connection,
    `sec-websocket-key: ${key}`,
    `sec-websocket-version: ${version}`,
    `sec-websocket-protocol: ${protocol}`,
  ),
)

/** Any bytes to a port. */
export const bytes: Arbitrary<string> = oneof(
  malformed,
  upgrades,
  string({ unit: 'binary-ascii', maxLength: 200 }),
  tuple(malformed, string({ unit: 'binary-ascii', maxLength: 50 })).map((both) => both.join('')),
)

/** A socket that opens, and what is hardly a frame behind that. */
export const framesAfter = (token: string): Arbitrary<string> =>
  oneof(
    string({ unit: 'binary-ascii', maxLength: 100 }),
    constantFrom(
      '\x81\x85\0\0\0\0hello',
      '\x81\x05hello',
      '\x81\xfe\xff\xff\0\0\0\0',
      '\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0',
      '\x82\x80\0\0\0\0',
      '\x83\x80\0\0\0\0',
      '\xf1\x80\0\0\0\0',
      '\x88\x82\0\0\0\0\x00\x00',
      '\x89\xfe\x00\xff\0\0\0\0',
      '\x01\x81\0\0\0\0{\x80\x81\0\0\0\0}',
      '\x81\x82\0\0\0\0{}',
      `\x81\xbd\0\0\0\0${'{"type":"echo","data":{"text":"'.padEnd(61, 'x')}`,
    ),
  ).map(
    (frames) =>
      head(
        `GET /events/ws?token=${token} HTTP/1.1`,
        host,
        'upgrade: websocket',
        'connection: upgrade',
        'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
        'sec-websocket-version: 13',
      ) + frames,
  )
