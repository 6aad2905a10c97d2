import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { fetchPublic, isPublicAddress, PublicFetchError } from '../fetch.ts'
import { askPublic } from './ask-public.ts'
import { authority, certificate, privateKey } from './test-certificate.ts'
import { misbehaviours } from './test-misbehaviour.ts'

const words = (text: string) => text.trim().split(/\s+/)

/** The first and the last address of what is set aside, or one of it. */
const privateAddresses = words(`
  0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 100.100.100.200
  127.0.0.0 127.0.0.1 127.255.255.255 168.63.129.16 169.254.0.0 169.254.169.254 169.254.255.255
  172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.192 192.0.0.255 192.0.2.0 192.0.2.255
  192.88.99.0 192.88.99.255 192.168.0.0 192.168.255.255 198.18.0.0 198.19.255.255
  198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255 224.0.0.0 239.255.255.255
  240.0.0.0 255.255.255.254 255.255.255.255
  :: ::1 ::2 ::8.8.8.8 ::ffff:8.8.8.8 ::ffff:127.0.0.1 ::ffff:a9fe:a9fe 0:0:0:0:0:ffff:7f00:1
  64:ff9b:: 64:ff9b::808:808 64:ff9b::169.254.169.254 64:ff9b:1:: 64:ff9b:1:ffff::1
  100:: 100::ffff 2001:: 2001:0:ffff::1 2001:2::1 2001:10::1 2001:20::1 2001:1ff:ffff::1
  2001:db8:: 2001:db8:ffff::1 2002:: 2002:7f00:1::1 2002:a9fe:a9fe::1 2002:ffff::1
  3fff:: 3fff:fff:ffff::1 5f00:: 5f00::1 fc00:: fd00:ec2::254 fd20:ce::254 fdff:ffff::1
  fe80:: fe80::1 febf::1 fe80::1%eth0 2606:4700::1111%1 fec0:: feff::1 ff00:: ff02::1 ffff::1
`)

const publicAddresses = words(`
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.167.255.255 192.169.0.0
  198.17.255.255 198.20.0.0 223.255.255.255 2001:200:: 2001:4860:4860::8888 2003:: 2606:4700:4700::1111
  2a00:1450::1 3ffe::1
`)

describe('an address', () => {
  it.each(privateAddresses)('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each(publicAddresses)('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each(['', 'localhost', '127.1', '0x7f.0.0.1', '8.8.8', '[::1]', '8.8.8.8 '])(
    '%j is none, and so not public',
    (text) => {
      expect(isPublicAddress(text)).toBe(false)
    },
  )
})

/** As a stranger would write them. */
const hosts = words(`
  127.0.0.1 127.1 127.0.1 127.255.255.254 0 0.0.0.0 0x0 2130706433 0x7f000001 017700000001 0x7f.1
  0x7f.0x0.0x0.0x1 0177.0.0.1 0177.0.0.01 127.0.0.1. 2130706433. ①②⑦.⓪.⓪.① １２７.０.０.１ 127。0。0。1 127%2e0%2e0%2e1
  %31%32%37.0.0.1 10.0.0.1 167772161 012.0.0.1 0xa.0.0.1 172.16.0.1 192.168.0.1 192.168.1 3232235521 0xc0a80001
  169.254.169.254 169.254.169.254. 2852039166 0xa9fea9fe 0xa9.0xfe.0xa9.0xfe 0251.0376.0251.0376
  0251.254.169.254 025177524776 169.254.43518 169.16689662 100.100.100.200 168.63.129.16 192.0.0.192 8.8.8.8
  [::] [::1] [0:0:0:0:0:0:0:1] [0000::0001] [::127.0.0.1] [::ffff:127.0.0.1] [::ffff:7f00:1]
  [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [0:0:0:0:0:ffff:10.0.0.1] [64:ff9b::127.0.0.1]
  [64:ff9b::a9fe:a9fe] [64:ff9b:1::1] [2002:7f00:1::] [2002:a9fe:a9fe::] [2001:0:7f00:1::] [fe80::1]
  [fe80::1%25eth0] [fe80::1%eth0] [fd00:ec2::254] [fd20:ce::254] [fc00::1] [ff02::1] [2001:db8::1] [100::1] [3fff::1]
  [5f00::1] [2606:4700:4700::1111] [::1%25lo] [v1.fe80::1]
  localhost localhost. LOCALHOST ⓛocalhost l%6fcalhost localhost%00 127.0.0.1%00.example.com metadata api db redis
  agents.example.com. agents..example.com .example.com -agents.example.com agents_1.example.com agents.example.1
  user@agents.example.com user:password@agents.example.com agents.example.com:8443 agents.example.com:22 agents.example.com:80
`)

/** Names that lead to where a stranger must not get. */
const names: Record<string, string[]> = {
  'none.example.com': [],
  'loopback.example.com': ['127.0.0.1'],
  'loopback6.example.com': ['::1'],
  'mapped.example.com': ['::ffff:169.254.169.254'],
  'nat64.example.com': ['64:ff9b::a9fe:a9fe'],
  'metadata.google.internal': ['169.254.169.254'],
  'one-private.example.com': ['93.184.216.34', '10.0.0.7'],
  'last-private.example.com': ['93.184.216.34', '2606:4700:4700::1111', 'fd00::7'],
  'first-private.example.com': ['192.168.0.7', '93.184.216.34'],
  '127.0.0.1.nip.example': ['127.0.0.1'],
  'localhost.localdomain': ['127.0.0.1'],
  'app.localhost': ['127.0.0.1'],
  'xn--r8jz45g.example.com': ['172.16.0.1'],
}

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
})

async function listen(server: Server) {
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

async function failureOf(asking: Promise<unknown>) {
  const failure: unknown = await asking.then(
    () => null,
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(PublicFetchError)
  return String(failure)
}

describe('a stranger’s address', () => {
  const asked: string[] = []
  const connections: ConnectionOptions[] = []
  beforeEach(() => {
    asked.length = 0
    connections.length = 0
  })

  const resolve = async (host: string) => {
    asked.push(host)
    return names[host] ?? ['93.184.216.34']
  }
  const connect = (options: ConnectionOptions) => {
    connections.push(options)
    throw new Error('It has connected.')
  }

  it('has these hosts to be tried with', () => {
    expect(new Set(hosts).size).toBeGreaterThan(80)
  })

  it.each([...hosts, ...Object.keys(names)])('is not connected to at %s (A-270)', async (host) => {
    const address = URL.parse(`https://${host}/client.json`)
    if (address) await failureOf(askPublic(address, { resolve, connect }))
    expect(connections).toEqual([])
    // Nothing but a name is looked for.
    expect(asked.filter((each) => !(each in names))).toEqual([])
  })

  it.each(['http://agents.example.com/', 'ftp://agents.example.com/', 'file:///etc/passwd'])(
    'is not connected to as %s',
    async (address) => {
      await failureOf(askPublic(new URL(address), { resolve, connect }))
      expect([...asked, ...connections]).toEqual([])
    },
  )

  it('that does not exist is asked of DNS, and is a failure', async () => {
    const address = new URL('https://agents.invalid/client.json')
    expect(await failureOf(askPublic(address, { connect, timeoutMillis: 500 }))).toMatch(/no/)
    expect(connections).toEqual([])
  })

  it('is looked up once, and connected to where that look-up led (rebinding)', async () => {
    const port = await listen(
      createTlsServer({ key: privateKey, cert: certificate }, (request, response) =>
        response.end(JSON.stringify({ host: request.headers.host, url: request.url })),
      ),
    )
    const answers = [['93.184.216.34', '2606:4700:4700::1111'], ['127.0.0.1']]
    const rebinding = async () => answers.shift() ?? []
    const reached: unknown[] = []
    const tunnel = (options: ConnectionOptions) =>
      connectTls({
        ...options,
        port,
        ca: authority,
        servername: 'localhost',
        lookup: (host, how, done) =>
          options.lookup?.(host, how, (_error, found) => {
            reached.push(found)
            done(null, how.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4)
          }),
      })
    const address = new URL('https://agents.example.com/client.json?x=1')
    const { status, body } = await askPublic(address, { resolve: rebinding, connect: tunnel })

    expect(status).toBe(200)
    expect(JSON.parse(body.toString())).toEqual({
      host: 'agents.example.com',
      url: '/client.json?x=1',
    })
    expect(reached).toEqual([
      [
        { address: '93.184.216.34', family: 4 },
        { address: '2606:4700:4700::1111', family: 6 },
      ],
    ])
    expect(answers).toEqual([['127.0.0.1']])

    // The host that is connected to has to prove the name.
    const wrong = (options: ConnectionOptions) =>
      connectTls({ ...options, port, ca: authority, host: '127.0.0.1' })
    const failure = await failureOf(askPublic(address, { resolve, connect: wrong }))
    expect(failure).toContain('ERR_TLS_CERT_ALTNAME_INVALID')
  })

  it('gets no longer to be looked up, or to greet, than to answer', async () => {
    const address = new URL('https://agents.example.com/')
    const never = (_host: string, signal: AbortSignal) =>
      new Promise<string[]>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('given up')))
      })
    const looking = askPublic(address, { resolve: never, connect, timeoutMillis: 100 })
    expect(await failureOf(looking)).toContain('not within 100 ms')

    const ended: Promise<unknown>[] = []
    const silent = createTcpServer((socket) => ended.push(once(socket.resume(), 'close')))
    const port = await listen(silent)
    const greet = (options: ConnectionOptions) =>
      connectTls({ ...options, port, lookup: undefined, host: '127.0.0.1' })
    const greeting = askPublic(address, { resolve, connect: greet, timeoutMillis: 100 })
    expect(await failureOf(greeting)).toContain('not within 100 ms')
    expect(ended).toHaveLength(1)
    await Promise.all(ended)
  })
})

describe('what is answered', () => {
  const asked: string[] = []
  async function ask(listener: RequestListener, timeoutMillis = 4000) {
    asked.length = 0
    const port = await listen(
      createServer((request, response) => {
        asked.push(`${request.url} ${request.headers['accept-encoding']}`)
        listener(request, response)
      }),
    )
    const address = new URL(`http://127.0.0.1:${port}/client.json`)
    return fetchPublic(address, { isNamed: true, timeoutMillis })
  }

  it('is read up to 5 KiB, and asked for unpacked', async () => {
    const { status, body, headers } = await ask((_, response) => response.end('x'.repeat(5120)))
    expect({ status, size: body.length }).toEqual({ status: 200, size: 5120 })
    expect(headers.connection).toBe('close')
    expect(asked).toEqual(['/client.json identity'])
  })

  it.each([
    ['5,121 bytes', (_, response) => response.end('x'.repeat(5121)), /more than 5120 bytes/],
    ['no end', (_, response) => misbehaviours.huge(response), /more than 5120 bytes/],
    ['nothing', () => {}, /not within 300 ms/],
    ['a byte now and then', (_, response) => misbehaviours.slow(response), /not within 300 ms/],
    ['a cut connection', (_, response) => misbehaviours.down(response), /ECONNRESET/],
    ['another protocol', (_, response) => misbehaviours.upgrading(response), /no answer/],
    [
      'less than it says',
      (_, response) => {
        response.writeHead(200, { 'content-length': 100 }).write('{}', () => response.destroy())
      },
      /ECONNRESET/,
    ],
    [
      'a header without end',
      (_, response) => response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end(),
      /HPE_HEADER_OVERFLOW/,
    ],
  ] satisfies [string, RequestListener, RegExp][])(
    'is a failure when it is %s',
    async (_, listener, reason) => {
      expect(await failureOf(ask(listener, 300))).toMatch(reason)
      expect(asked).toHaveLength(1)
    },
  )

  it('is not read where it is another than 2xx, and a redirect is not followed', async () => {
    const { status, body } = await ask((_, response) => misbehaviours.redirecting(response))
    expect({ status, size: body.length }).toEqual({ status: 302, size: 0 })
    expect(asked).toHaveLength(1)
    const endless = await ask((_, response) => {
      response.writeHead(404)
      const timer = setInterval(() => response.write('x'.repeat(1000)), 10)
      response.on('close', () => clearInterval(timer))
    })
    expect(endless).toMatchObject({ status: 404, body: Buffer.alloc(0) })
  })

  it('may be to another method, with headers and a body', async () => {
    const port = await listen(
      createServer((request, response) => {
        request.setEncoding('utf8').on('data', (body) => {
          const { method, headers } = request
          const { host, accept, 'x-mark': mark, 'accept-encoding': encoding } = headers
          response
            .writeHead(202)
            .end(JSON.stringify({ method, host, accept, mark, encoding, body }))
        })
      }),
    )
    const { status, body } = await fetchPublic(new URL(`http://127.0.0.1:${port}/hook`), {
      method: 'POST',
      headers: { 'X-Mark': '1', Host: 'other.example.com', 'Accept-Encoding': 'gzip' },
      body: 'shipped',
      isNamed: true,
    })
    expect([status, JSON.parse(body.toString())]).toEqual([
      202,
      {
        method: 'POST',
        host: `127.0.0.1:${port}`,
        accept: 'application/json',
        mark: '1',
        encoding: 'identity',
        body: 'shipped',
      },
    ])
  })
})
