import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { withoutIPv6 } from '@svc/core/testing'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, describe, expect, it } from 'vitest'
import { failureOf, NotificationError } from '../delivery/errors.ts'
import type { Message } from '../delivery/message.ts'
import { readNotificationEnv } from '../env.ts'
import { mailTransport } from './mail.ts'

const message: Message = {
  channel: 'mail',
  to: 'ada@example.com',
  subject: '인증 코드 482913',
  text: '코드: 482913\n',
  html: '<p>코드: 482913</p>',
  template: 'verification-code',
  sentAt: '2026-03-01T12:00:00.000Z',
}

const certificate = selfSigned()

/** A certificate for localhost; null where there is no openssl to make one. */
function selfSigned() {
  const asked = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
  ]
  const out = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', '-', '-out', '-']
  const { status, stdout } = spawnSync('openssl', [...asked, ...out], { encoding: 'utf8' })
  if (status !== 0) return null
  const [key, cert] = stdout.split(/(?=-----BEGIN CERTIFICATE)/)
  return key && cert ? { key, cert } : null
}

const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

/** A mail server that keeps what it takes. */
async function startSmtp(options: SMTPServerOptions = {}, host = '127.0.0.1') {
  const taken: { raw: string; from: string; to: string[]; secure: boolean; user: unknown }[] = []
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    closeTimeout: 100,
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        taken.push({
          raw: Buffer.concat(chunks).toString(),
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          secure: session.secure,
          user: session.user,
        })
        callback()
      })
    },
    ...options,
  })
  // A client that turns away is an error to the server, and what several tests are about.
  server.on('error', () => {})
  const port = await listen(server.listen(0, host))
  closing.push(() => server.close())
  return { port, taken }
}

async function listen(server: Server) {
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function transportTo(url: string) {
  const from = 'Svc <no-reply@example.com>'
  const transport = mailTransport(readNotificationEnv({ SVC_MAIL_URL: url, SVC_MAIL_FROM: from }))
  if (transport === null) throw new Error('This address sends nothing.')
  return transport
}

/** While it runs, the certificate of these tests is trusted. */
async function trusting(run: () => Promise<void>) {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, certificate?.cert ?? ''])
  try {
    await run()
  } finally {
    setDefaultCACertificates(before)
  }
}

/** What sending fails with. */
const failure = async (url: string) =>
  transportTo(url)(message).then(
    () => null,
    (thrown: unknown) => failureOf(thrown),
  )

describe('a message by SMTP', () => {
  it('arrives with its text, its HTML and its sender', async () => {
    const { port, taken } = await startSmtp()
    await transportTo(`smtp://127.0.0.1:${port}?tls=optional`)(message)

    expect(taken).toMatchObject([{ from: 'no-reply@example.com', to: ['ada@example.com'] }])
    const mail = await PostalMime.parse(taken[0]?.raw ?? '')
    expect(mail).toMatchObject({
      from: { name: 'Svc', address: 'no-reply@example.com' },
      to: [{ address: 'ada@example.com' }],
      subject: message.subject,
      text: message.text,
      date: message.sentAt,
    })
    expect(mail.html?.trim()).toBe(message.html)
    const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]))
    expect(headers).toMatchObject({ 'auto-submitted': 'auto-generated' })
    expect(headers).not.toHaveProperty('x-mailer')
  })

  it.skipIf(withoutIPv6)(`arrives at an address of IPv6${withoutIPv6}`, async () => {
    const { port, taken } = await startSmtp({}, '::1')
    await transportTo(`smtp://[::1]:${port}?tls=optional`)(message)
    expect(taken).toMatchObject([{ to: ['ada@example.com'] }])
  })

  const missing = certificate === null ? ' (no openssl to make a certificate)' : ''
  it.skipIf(missing)(
    `goes over STARTTLS, with a certificate that is checked${missing}`,
    async () => {
      const vouched = await startSmtp({ ...certificate })
      const unknown = await startSmtp()
      await trusting(() => transportTo(`smtp://localhost:${vouched.port}`)(message))
      expect(vouched.taken).toMatchObject([{ secure: true }])
      await trusting(async () => {
        for (const url of [`localhost:${unknown.port}`, `127.0.0.1:${vouched.port}`]) {
          expect(await failure(`smtp://${url}`), url).not.toBeNull()
        }
      })
      expect([vouched.taken.length, unknown.taken.length]).toEqual([1, 0])
    },
  )

  const withoutTls: [name: string, options: SMTPServerOptions][] = [
    ['does not offer STARTTLS', { hideSTARTTLS: true, disabledCommands: ['STARTTLS'] }],
    ['offers it behind a stranger who hides it', { hideSTARTTLS: true }],
    ['refuses it', { disabledCommands: ['STARTTLS'] }],
  ]
  it.each(withoutTls)('is not sent to a server that %s, by any name of it', async (_, options) => {
    const { port, taken } = await startSmtp(options)
    for (const host of ['localhost', '127.0.0.1', '0.0.0.0', 'me:hunter2@127.0.0.1']) {
      expect(await failure(`smtp://${host}:${port}`), host).not.toBeNull()
    }
    expect(taken).toEqual([])
  })

  it('says what to do where the server has no TLS', async () => {
    const { port } = await startSmtp({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] })
    const failed = await failure(`smtp://127.0.0.1:${port}`)
    expect(failed).toMatchObject({ code: 'ETLS' })
    const error = new NotificationError(message, failed ?? { code: '' })
    expect(error.message).toContain('?tls=off')
  })

  it('is not sent to a server that answers STARTTLS and has no TLS', async () => {
    const heard: string[] = []
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.write('220 mail\r\n')
      socket.on('data', (chunk: Buffer) => {
        heard.push(chunk.toString('latin1'))
        socket.write(chunk.toString().startsWith('EHLO') ? '250 mail\r\n' : '220 go on\r\n')
      })
    }).listen(0, '127.0.0.1')
    closing.push(() => server.close())
    const port = await listen(server)
    expect(await failure(`smtp://me:hunter2@127.0.0.1:${port}`)).not.toBeNull()
    expect(heard.join('')).not.toMatch(/MAIL FROM|AUTH|482913/)
  })

  it('goes without TLS, or with an untrusted certificate, if the address says so', async () => {
    const plain = await startSmtp({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] })
    await transportTo(`smtp://127.0.0.1:${plain.port}?tls=off`)(message)
    await transportTo(`smtp://127.0.0.1:${plain.port}/?tls=optional`)(message)
    expect(plain.taken).toMatchObject([{ secure: false }, { secure: false }])
    const offered = await startSmtp()
    await transportTo(`smtp://127.0.0.1:${offered.port}?tls=optional`)(message)
    await transportTo(`smtp://127.0.0.1:${offered.port}?tls=off`)(message)
    expect(offered.taken).toMatchObject([{ secure: true }, { secure: false }])
  })

  it('signs in with the user and the password of the address', async () => {
    const { port, taken } = await startSmtp({
      onAuth({ username, password }, _session, callback) {
        const isRight = username === 'me@example.com' && password === 'p:/s'
        if (isRight) callback(null, { user: username })
        else callback(new Error('hunter2'))
      },
    })
    await transportTo(`smtp://me%40example.com:p%3A%2Fs@127.0.0.1:${port}?tls=optional`)(message)
    expect(taken).toMatchObject([{ user: 'me@example.com' }])

    expect(await failure(`smtp://me:wrong@127.0.0.1:${port}?tls=optional`)).toEqual({
      code: 'EAUTH',
      status: 535,
    })
  })

  it.skipIf(missing)(`is TLS from the first byte to an smtps: address${missing}`, async () => {
    const { port, taken } = await startSmtp({ secure: true, ...certificate })
    await trusting(() => transportTo(`smtps://localhost:${port}`)(message))
    expect(taken).toMatchObject([{ secure: true }])
  })

  it('refuses an untrusted certificate', async () => {
    const { port, taken } = await startSmtp({ secure: true })
    expect(await failure(`smtps://localhost:${port}`)).not.toBeNull()
    expect(taken).toEqual([])
  })

  it('makes no header of a line break, and one recipient of an address', async () => {
    const { port, taken } = await startSmtp()
    const hostile = { ...message, subject: 'a\r\nBcc: eve@example.com\r\n\r\nbody' }
    await transportTo(`smtp://127.0.0.1:${port}?tls=optional`)(hostile)

    expect(taken).toMatchObject([{ to: ['ada@example.com'] }])
    const mail = await PostalMime.parse(taken[0]?.raw ?? '')
    expect(mail.bcc ?? []).toEqual([])
    expect(mail.subject).toContain('Bcc: eve@example.com')
    expect(mail.text).toBe(message.text)

    const list = { ...message, to: 'ada@example.com, eve@example.com' }
    await transportTo(`smtp://127.0.0.1:${port}?tls=optional`)(list).catch(() => {})
    expect(taken.flatMap(({ to }) => to)).not.toContain('eve@example.com')
  })
})

describe('a mail server that does not take a message', () => {
  it.each([451, 550])('is a failure when it answers %i', async (responseCode) => {
    const { port } = await startSmtp({
      onRcptTo: (_to, _session, callback) =>
        callback(Object.assign(new Error('hunter2'), { responseCode })),
    })
    expect(await failure(`smtp://127.0.0.1:${port}?tls=optional`)).toEqual({
      code: 'EENVELOPE',
      status: responseCode,
    })
  })

  it.each([421, 554])('is a failure when it answers %i to the message', async (responseCode) => {
    const { port } = await startSmtp({
      onData(stream, _session, callback) {
        stream.resume()
        stream.on('end', () => callback(Object.assign(new Error('hunter2'), { responseCode })))
      },
    })
    expect(await failure(`smtp://127.0.0.1:${port}?tls=optional`)).toMatchObject({
      status: responseCode,
    })
  })

  it('is a failure when it is down', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    const port = await listen(server)
    server.close()
    await once(server, 'close')
    expect(await failure(`smtp://127.0.0.1:${port}?tls=optional`)).toMatchObject({
      code: expect.stringMatching(/^E[A-Z]+$/),
    })
  })

  // Never a greeting; one byte of it every second; a greeting and then nothing.
  const slow: Record<string, SMTPServerOptions | 'drips' | 'is silent'> = {
    'is silent': 'is silent',
    drips: 'drips',
    'does not answer': { onMailFrom: () => {} },
  }
  it.concurrent.each(Object.entries(slow))('is given up when it %s', async (_how, options) => {
    const port =
      typeof options === 'string' ? await startSlow(options) : (await startSmtp(options)).port
    const start = performance.now()
    expect(await failure(`smtp://127.0.0.1:${port}?tls=optional`)).toEqual({ code: 'ETIMEDOUT' })
    expect(performance.now() - start).toBeLessThan(12_000)
  })

  async function startSlow(how: 'drips' | 'is silent') {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      if (how === 'is silent') return
      socket.write('220 mail\r\n250-')
      const dripping = setInterval(() => socket.write('x'), 500)
      socket.on('close', () => clearInterval(dripping))
    }).listen(0, '127.0.0.1')
    closing.push(() => server.close())
    return listen(server)
  }
})
