import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineMiddleware, defineRouter, defineServer, UnauthorizedError } from '@svc/core'
import { startTestServer } from '@svc/core/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { createNotifier } from '../create-notifier.ts'
import { readNotificationEnv } from '../env.ts'
import { mailboxRouter } from './mailbox.ts'

const root = await mkdtemp(join(tmpdir(), 'svc-mailbox-'))
const stops: (() => Promise<void>)[] = []
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()))
  await rm(root, { recursive: true, force: true })
})

const auth = defineMiddleware('auth', async () => {
  throw new UnauthorizedError({ message: 'Sign in.' })
})
const definition = defineServer().routes(defineRouter({}).packages([mailboxRouter]).use([auth]))

async function startMailbox(variables: Record<string, string> = {}) {
  const outbox = await mkdtemp(join(root, 'outbox-'))
  const to = { SVC_MAIL_URL: `file:${outbox}`, SVC_SMS_URL: `file:${outbox}` }
  const env = { NODE_ENV: 'test', ...to, ...variables }
  const server = await startTestServer(definition, { env })
  stops.push(server.stop)
  const { log } = server.infrastructure
  const notifier = createNotifier({ env: readNotificationEnv(env), log, clock: server.clock })
  const put = (name: string, text: string) => writeFile(join(outbox, name), text)
  return { ...server, outbox, notifier, put }
}

type Mailbox = Awaited<ReturnType<typeof startMailbox>>

const url = 'https://app.example.com/page?token=Yk3-_x&next=%2Fboard'
const message = { channel: 'mail', to: 'ada@example.com', text: 'Hello', template: 'x', sentAt: '' }

function links({ notifier }: Mailbox) {
  const facts = { url, expiresInMinutes: 30 }
  return notifier.send({ channel: 'mail', to: 'ada@example.com', template: 'signup-link', facts })
}

const namesIn = (page: string) =>
  [...page.matchAll(/href="(\/_ops\/mailbox\/[^"]+)"/g)].map(([, at]) => at)

/** As it is written: fetch says its own Host, and tidies a path. */
function askRaw({ url: address }: Mailbox, path: string, host = 'localhost') {
  return new Promise<number | undefined>((resolve, reject) => {
    const asked = request(address, { path, headers: { host } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    asked.on('error', reject).end()
  })
}

/** The only script that the list lets run, by its hash. */
async function ownScript() {
  const page = await (await mailbox.fetch('/_ops/mailbox')).text()
  const [, script = ''] = /<script>([^]*)<\/script>/.exec(page) ?? []
  return `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`
}

const mailbox = await startMailbox({ SVC_API_URL: 'https://api.example.test:8443' })

describe('the mailbox', () => {
  it('says what will show while nothing does', async () => {
    const answer = await mailbox.fetch('/_ops/mailbox')
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('No message yet.')
  })

  it('lists messages, newest first, and is looked at again by its script or by a link', async () => {
    await links(mailbox)
    mailbox.clock.advance('1s')
    await mailbox.notifier.send({
      channel: 'sms',
      to: '+821012345678',
      template: 'verification-code',
      facts: { code: '482913', expiresInMinutes: 5, purpose: 'login' },
    })

    const page = await (await mailbox.fetch('/_ops/mailbox')).text()
    expect(page).not.toContain('http-equiv')
    expect(page).toContain('<a class="again" href="/_ops/mailbox">Look again</a>')
    expect(page).toContain('<span id="news" role="status"></span>')
    expect(page).toMatch(/482913 is your code.*Confirm your address/s)
    expect(page).toContain('Text message to +821012345678')
    expect(page).toContain('Mail to ada@example.com')
    expect(namesIn(page)).toHaveLength(2)
  })

  it('shows a message in a frame where nothing runs, and its text with links', async () => {
    const [, path = ''] = namesIn(await (await mailbox.fetch('/_ops/mailbox')).text())
    const page = await (await mailbox.fetch(path)).text()
    const shown = url.replaceAll('&', '&amp;')

    expect(page).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="')
    expect(page).toContain(
      `<a href="${shown}" target="_blank" rel="noopener noreferrer">${shown}</a>`,
    )
    // Escaped in the mail, and once more in the attribute that the mail stands in.
    expect(page).toContain(`href=&quot;${shown.replaceAll('&', '&amp;')}&quot;`)
    expect(page).toContain('&lt;base target=&quot;_blank&quot;&gt;')
  })

  it('lets no cache keep a page, no other page frame it and no script run in it but its own', async () => {
    for (const path of [
      '/_ops/mailbox',
      namesIn(await (await mailbox.fetch('/_ops/mailbox')).text())[0] ?? '',
    ]) {
      const { headers } = await mailbox.fetch(path)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      const policy = headers.get('content-security-policy')
      expect(policy).toMatch(/default-src 'none';.*frame-ancestors 'none'/)
      if (path === '/_ops/mailbox') expect(policy?.split('; ')).toContain(await ownScript())
      else expect(policy).not.toContain('script')
    }
  })

  it('shows what a message says as text', async () => {
    const hostile = '"><script>alert(1)</script>'
    const sent = {
      ...message,
      subject: hostile,
      to: hostile,
      text: hostile,
      html: hostile,
      template: hostile,
    }
    await mailbox.put('hostile.json', JSON.stringify({ ...sent, sentAt: hostile }))
    for (const path of ['/_ops/mailbox', '/_ops/mailbox/hostile']) {
      const page = await (await mailbox.fetch(path)).text()
      expect(page).toContain('&quot;&gt;&lt;script&gt;')
      expect(page.split('<script')).toHaveLength(path === '/_ops/mailbox' ? 2 : 1)
    }
  })

  it('passes over files that are no messages', async () => {
    const broken = await startMailbox()
    await broken.put('a.json', '{')
    await broken.put('b.json', 'null')
    await broken.put('c.json', '{"channel":"mail"}')
    await broken.put('.d.json', JSON.stringify(message))
    await broken.put('e.txt', JSON.stringify(message))
    await mkdir(join(broken.outbox, 'f.json'))
    expect(await (await broken.fetch('/_ops/mailbox')).text()).toContain('No message yet.')
    for (const name of ['a', 'b', 'c', '.d', 'e', 'e.txt', 'f']) {
      expect((await broken.fetch(`/_ops/mailbox/${name}`)).status).toBe(404)
    }
  })

  it('reads no file outside of the outbox', async () => {
    await mailbox.put('../outside.json', JSON.stringify(message))
    const ways = [
      '../outside',
      '..%2Foutside',
      '%2e%2e%2foutside',
      '..%5Coutside',
      '%2Fetc%2Fpasswd',
    ]
    for (const way of [...ways, 'outside', '../outside.json', 'outside%00']) {
      expect(await askRaw(mailbox, `/_ops/mailbox/${way}`), way).toBe(404)
    }
  })

  it('lists the newest hundred', async () => {
    const full = await startMailbox()
    const names = Array.from({ length: 120 }, (_, index) => String(index).padStart(3, '0'))
    await Promise.all(names.map((name) => full.put(`${name}.json`, JSON.stringify(message))))
    const listed = namesIn(await (await full.fetch('/_ops/mailbox')).text())
    expect(listed).toHaveLength(100)
    expect(listed[0]).toBe('/_ops/mailbox/119')
  })

  it('shows text messages where mail goes elsewhere', async () => {
    const texts = await startMailbox({ SVC_MAIL_URL: 'none' })
    expect((await texts.fetch('/_ops/mailbox')).status).toBe(200)
  })
})

describe('who may look', () => {
  it.each(['localhost', 'localhost:3000', '127.0.0.1:8790', '[::1]:8790', 'api.example.test'])(
    'answers a request for %s',
    async (host) => {
      expect(await askRaw(mailbox, '/_ops/mailbox', host)).toBe(200)
    },
  )

  it.each([
    'evil.example',
    'evil.example:8790',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'api.example.test.evil.example',
    'example.test',
  ])('is not there for who asks for %s, whose page would read it (DNS rebinding)', async (host) => {
    expect(await askRaw(mailbox, '/_ops/mailbox', host)).toBe(404)
  })

  const smtp = { SVC_MAIL_FROM: 'a@example.com', SVC_MAIL_URL: 'smtp://127.0.0.1:9' }
  it.each([
    ['in production', { NODE_ENV: 'production', SVC_SMS_COUNTRIES: '*' }],
    ['where messages go by SMTP', { ...smtp, SVC_SMS_URL: 'none' }],
    ['where messages go to the console', { SVC_MAIL_URL: 'console:', SVC_SMS_URL: 'console:' }],
  ])('is not there %s, like any path that is not', async (_, variables: Record<string, string>) => {
    const closed = await startMailbox(variables)
    await closed.put('a.json', JSON.stringify(message))
    const refusal = async (path: string) => {
      const answer = await closed.fetch(path)
      const { error } = (await answer.json()) as { error: object }
      return { status: answer.status, error: { ...error, requestId: '' } }
    }
    const unknown = await refusal('/nothing')
    expect(unknown.status).toBe(404)
    expect(await refusal('/_ops/mailbox')).toEqual(unknown)
    expect(await refusal('/_ops/mailbox/a')).toEqual(unknown)
  })
})
