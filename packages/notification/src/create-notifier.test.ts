import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@svc/core'
import { html } from '@svc/core/html'
import { createVirtualClock } from '@svc/core/testing'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createNotifier, type Notification } from './create-notifier.ts'
import { NotificationError } from './delivery/errors.ts'
import type { Message } from './delivery/message.ts'
import { readNotificationEnv } from './env.ts'
import type { MailBrand, Templates } from './templates/templates.ts'

const root = await mkdtemp(join(tmpdir(), 'svc-notifier-'))
afterAll(() => rm(root, { recursive: true, force: true }))

const byMail: Notification<'verification-code'> = {
  channel: 'mail',
  to: 'ada.lovelace@example.com',
  template: 'verification-code',
  facts: { code: '482913', expiresInMinutes: 5, purpose: 'login' },
}
const bySms = { ...byMail, channel: 'sms', to: '+821012345678', locale: 'ko-KR' } as const

async function startNotifier(
  variables?: Record<string, string>,
  templates: Templates = {},
  brand?: MailBrand,
) {
  const outbox = await mkdtemp(join(root, 'outbox-'))
  const to = { SVC_MAIL_URL: `file:${outbox}`, SVC_SMS_URL: `file:${outbox}` }
  const log: string[] = []
  const notifier = createNotifier({
    env: readNotificationEnv({ ...to, ...variables }),
    log: createLogger({ destination: { write: (line) => log.push(line) } }),
    clock: createVirtualClock(new Date('2026-03-01T12:00:00Z')),
    templates,
    brand,
  })
  const sent = async () => {
    const names = (await readdir(outbox)).toSorted()
    const texts = await Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8')))
    return texts.map((text) => JSON.parse(text) as Message)
  }
  const logged = () => log.map((line) => JSON.parse(line) as Record<string, unknown>)
  return { notifier, sent, logged, log }
}

const thrownBy = (sending: Promise<void>) =>
  sending.then(
    () => null,
    (thrown: unknown) => thrown,
  )

async function deadPort() {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('the brand', () => {
  const own = {
    'password-changed': () => ({ subject: 'Changed', text: 'Changed.\n', html: '<p>' }),
  }
  const changed = { ...byMail, template: 'password-changed', facts: { at: '2026-03-01T12:00:00Z' } }
  const hostile = '<b>Tea & Co</b>\r\n'

  async function mailWith(brand?: MailBrand) {
    const { notifier, sent } = await startNotifier({}, own, brand)
    await notifier.send(byMail)
    // It has no shorter text for a text message.
    await notifier.send({ ...bySms, template: 'deletion-cancelled', facts: changed.facts })
    await notifier.send(changed as Notification<'password-changed'>)
    const [mail, text, other] = await sent()
    return { mail, text, other }
  }

  it('is above each mail of our design, and signs its text', async () => {
    const plain = await mailWith()
    const { mail, text, other } = await mailWith({ name: hostile })
    expect(mail?.html).toMatch(/class="brand"[^>]*>&lt;b&gt;Tea &amp; Co&lt;\/b&gt; {2}<\/td>/)
    expect(mail?.text).toBe(`${plain.mail?.text}\n-- \n<b>Tea & Co</b>  \n`)
    expect(text).toEqual(plain.text)
    expect(other).toEqual(plain.other)
    expect(plain.mail?.html).not.toContain('class="brand"')
    expect(`${mail?.html}${plain.mail?.html}`).not.toContain('<!--')
  })

  it('is a logo where there is one, and the name where no image is shown', async () => {
    const logoUrl = 'https://example.com/logo.png?v=1&w=2'
    const { mail } = await mailWith({ name: 'Tea "&" Co', logoUrl })
    expect(mail?.html).toContain(
      '<img src="https://example.com/logo.png?v=1&amp;w=2" alt="Tea &quot;&amp;&quot; Co" height="32"',
    )
  })

  it('is refused before anything is sent, unless mail programs can load its logo', async () => {
    for (const logoUrl of ['/logo.png', 'data:image/png;base64,', 'javascript:alert(1)']) {
      await expect(startNotifier({}, {}, { name: 'Tea', logoUrl })).rejects.toThrow('brand.logoUrl')
    }
  })
})

describe('createNotifier', () => {
  it('sends a mail with a subject and HTML, and a short text message without', async () => {
    const { notifier, sent } = await startNotifier()
    await notifier.send(byMail)
    await notifier.send(bySms)

    expect(await sent()).toEqual([
      {
        channel: 'mail',
        to: byMail.to,
        subject: '482913 is your code',
        text: expect.stringContaining('\n    482913\n'),
        html: expect.stringContaining('482913'),
        template: 'verification-code',
        sentAt: '2026-03-01T12:00:00.000Z',
      },
      {
        channel: 'sms',
        to: bySms.to,
        text: '인증 코드 482913. 코드는 5분 동안 한 번만 사용할 수 있습니다.',
        template: 'verification-code',
        sentAt: '2026-03-01T12:00:00.000Z',
      },
    ])
  })

  it('logs the template, the channel and a masked recipient', async () => {
    const { notifier, logged, log } = await startNotifier()
    await notifier.send(byMail)
    await notifier.send(bySms)

    const told = { level: 'info', time: expect.any(String), template: 'verification-code' }
    expect(logged()).toEqual([
      { ...told, channel: 'mail', to: 'a***@example.com', msg: 'notification sent' },
      { ...told, channel: 'sms', to: '+82***78', msg: 'notification sent' },
    ])
    expect(log.join('')).not.toMatch(/482913|lovelace|1012345/)
  })

  it('throws an error without code, recipient, password or what the server said', async () => {
    const port = await deadPort()
    const { notifier, logged } = await startNotifier({
      SVC_MAIL_URL: `smtp://me:hunter2@127.0.0.1:${port}`,
      SVC_SMS_URL: `http://svc:hunter2@127.0.0.1:${port}/`,
    })
    for (const notification of [byMail, bySms]) {
      const error = await thrownBy(notifier.send(notification))
      expect(error).toBeInstanceOf(NotificationError)
      expect(error).toMatchObject({ channel: notification.channel, template: 'verification-code' })
      const { message, stack = '', cause } = error as NotificationError
      expect(message).toMatch(/^verification-code was not sent by (?:mail|sms): E[A-Z]+$/)
      expect(stack + JSON.stringify(error)).not.toMatch(/482913|hunter2|lovelace|1012345/)
      expect(cause).toBeUndefined()
    }
    expect(logged()).toEqual([])
  })

  it('is a NotificationError too when the outbox cannot be written', async () => {
    const { notifier } = await startNotifier({ SVC_MAIL_URL: 'file:/dev/null/outbox' })
    expect(await thrownBy(notifier.send(byMail))).toMatchObject({
      name: 'NotificationError',
      code: expect.stringMatching(/^E[A-Z]+$/),
    })
  })

  const severalOrNone = {
    mail: [
      'ada@example.com, eve@example.com',
      'ada@example.com\r\nBcc: eve@example.com',
      'Eve <eve@example.com>',
      'ada@example.com@example.org',
      '"a b"@example.com',
      'ada@example.com\u202E',
      `${'a'.repeat(250)}@example.com`,
      'ada',
      '',
    ],
    sms: ['01012345678', '+82 10 1234 5678', '+821012345678,+821087654321', '+0123456789', ''],
  }
  for (const channel of ['mail', 'sms'] as const) {
    it.each(severalOrNone[channel])(
      `takes for ${channel} one recipient only, not %j`,
      async (to) => {
        const { notifier, sent } = await startNotifier()
        expect(await thrownBy(notifier.send({ ...byMail, channel, to }))).toMatchObject({
          name: 'NotificationError',
          code: 'INVALID_RECIPIENT',
        })
        expect(await sent()).toEqual([])
      },
    )
  }

  it('takes plus signs and international addresses', async () => {
    const { notifier, sent } = await startNotifier()
    for (const to of ['ada+svc@example.com', '김@예시.한국', 'o’hara@bücher.example']) {
      await notifier.send({ ...byMail, to })
    }
    expect(await sent()).toHaveLength(3)
  })

  it('lets the application write a template, with facts that are inert by then', async () => {
    const { notifier, sent } = await startNotifier(undefined, {
      'verification-code': ({ code, purpose }, locale) => ({
        subject: `${purpose} ${locale}`,
        text: code,
        html: html`<b>${purpose}</b>`.toString(),
      }),
    })
    const purpose = 'a\r\nBcc: eve@example.com\u202E<i>'
    await notifier.send({ ...byMail, facts: { ...byMail.facts, purpose }, locale: 'fr-FR' })
    await notifier.send({ ...bySms })

    expect(await sent()).toMatchObject([
      {
        subject: 'a  Bcc: eve@example.com <i> fr-FR',
        text: '482913',
        html: '<b>a  Bcc: eve@example.com &lt;i&gt;</b>',
      },
      { text: '482913' },
    ])
  })

  it('sends nothing of a template that the application turned off, and says so', async () => {
    const { notifier, sent, logged } = await startNotifier(undefined, { 'new-device': null })
    expect(notifier.sends('new-device')).toBe(false)
    expect(notifier.sends('verification-code')).toBe(true)

    const facts = { fingerprintPrefix: '9f86d081', at: '2026-03-01T12:00:00Z' }
    await notifier.send({ channel: 'mail', to: byMail.to, template: 'new-device', facts })
    await notifier.send(byMail)

    expect(await sent()).toMatchObject([{ template: 'verification-code' }])
    expect(logged()).toMatchObject([
      { template: 'new-device', msg: 'notification dropped: its template is off' },
      { msg: 'notification sent' },
    ])
  })

  it('keeps its own template where the application names one without writing it', async () => {
    const { notifier, sent } = await startNotifier(undefined, {
      'verification-code': undefined,
    } as never)
    await notifier.send(byMail)
    expect(await sent()).toMatchObject([{ subject: '482913 is your code' }])
  })

  it('drops what goes to none, and says so', async () => {
    const { notifier, logged } = await startNotifier({ SVC_MAIL_URL: 'none' })
    await notifier.send(byMail)
    expect(logged()).toMatchObject([
      { msg: 'notification dropped: the URL of its channel is none' },
    ])
  })

  it('prints what goes to the console, in characters a terminal only shows', async () => {
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const { notifier } = await startNotifier(
      { SVC_MAIL_URL: 'console:' },
      {
        'verification-code': ({ code }) => ({
          subject: 'Subject',
          text: `${code}\n\u001B[2Jtwo\n`,
        }),
      },
    )
    await notifier.send(byMail)
    const [[text] = []] = written.mock.calls
    written.mockRestore()

    expect(text).toBe(`
  │ Mail to ada.lovelace@example.com
  │ Subject
  │
  │ 482913
  │  [2Jtwo

`)
  })

  it('waits for messages under way when it closes', async () => {
    const { notifier, sent } = await startNotifier()
    const sending = Array.from({ length: 8 }, () => notifier.send(byMail))
    await notifier.close()
    expect(await sent()).toHaveLength(8)
    await Promise.all(sending)
  })

  it('waits for a language that is still being asked for', async () => {
    const { notifier, sent } = await startNotifier()
    const locale = new Promise<string>((resolve) => setImmediate(resolve, 'ko'))
    const sending = notifier.send({ ...byMail, locale })
    await notifier.close()
    expect(await sent()).toMatchObject([{ subject: expect.stringContaining('인증') }])
    await sending
  })

  it('closes in peace when a message under way fails', async () => {
    const { notifier } = await startNotifier({
      SVC_MAIL_URL: `smtp://127.0.0.1:${await deadPort()}`,
    })
    const sending = thrownBy(notifier.send(byMail))
    await notifier.close()
    expect(await sending).toBeInstanceOf(NotificationError)
  })
})
