import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, systemClock } from '@svc/core'
import { afterAll, describe, expect, it } from 'vitest'
import { createNotifier } from '../create-notifier.ts'
import type { Message } from '../delivery/message.ts'
import { readNotificationEnv } from '../env.ts'
import { builtInTemplates, type FactsOf, type TemplateName } from './templates.ts'

const root = await mkdtemp(join(tmpdir(), 'svc-templates-'))
afterAll(() => rm(root, { recursive: true, force: true }))

const url = 'https://app.example.com/page?token=Yk3-_x&next=%2Fboard'
const at = '2026-03-01T23:59:00.000Z'

const examples: { [Name in TemplateName]: FactsOf<Name> } = {
  'verification-code': { code: '482913', expiresInMinutes: 5, purpose: 'login' },
  'signup-link': { url, expiresInMinutes: 30 },
  'password-reset': { url, expiresInMinutes: 1 },
  'account-exists': { url },
  invitation: { url, role: 'Editor', invitedBy: 'Ada Lovelace', expiresInDays: 7 },
  'revoke-all': { url, expiresInMinutes: 15 },
  'deletion-requested': { url, purgeAt: at },
  'deletion-cancelled': { at },
  'new-device': {
    deviceName: 'Firefox on Linux',
    platform: 'web',
    provider: 'my-school',
    fingerprintPrefix: '9f86d081884c',
    at,
    address: '203.0.113.7',
  },
  'password-changed': { at },
  'contact-added': { added: '+12***89', at },
  'agent-connected': {
    clientName: 'Agent Smith',
    host: 'agent.example.com',
    identifiedBy: 'documents.example.com',
    scopes: 'Read the board; Post in your name',
    at,
    url,
  },
  'machine-key-added': { deviceName: 'CI', fingerprintPrefix: 'ab12cd34', expiresAt: at, at, url },
  'passkey-added': { label: 'Ada’s phone', at, url },
  'passkey-removed': { label: 'Ada’s phone', at, url },
  'social-linked': { provider: 'kakao', at, url },
  'social-unlinked': { provider: 'kakao', at, url },
  'second-factor-added': { method: 'totp', at, url },
  'second-factor-removed': { at, url },
  'second-factor-failed': { at, address: '203.0.113.7', url },
  'factor-removal-asked': { removesAt: at, url },
  'recovery-code-used': { remaining: 9, at, url },
  'recovery-codes-made': { at, url },
  'support-opened': { operator: 'Hedy', reason: 'Ticket 4711', expiresAt: at, at, url },
  'support-ended': { at, url },
  'contact-changed': { kind: 'email', changedTo: 'b***@example.org', url, expiresInHours: 72 },
}

type Facts = Record<string, unknown>
type Case = readonly [name: TemplateName, locale: string, facts: Facts]
const names = Object.keys(builtInTemplates) as TemplateName[]
const everyOne: Case[] = names.flatMap((name) =>
  ['en', 'ko'].map((locale) => [name, locale, { ...examples[name] }] as const),
)

/** As it goes out: facts are made inert on the way to their template. */
async function sent(template: TemplateName, locale: string, facts: Facts) {
  const outbox = await mkdtemp(join(root, 'outbox-'))
  const notifier = createNotifier({
    env: readNotificationEnv({ SVC_MAIL_URL: `file:${outbox}`, SVC_SMS_URL: `file:${outbox}` }),
    log: createLogger({ destination: { write: () => undefined } }),
    clock: systemClock,
  })
  const message = { template, locale, facts: facts as never }
  await notifier.send({ ...message, channel: 'mail', to: 'ada@example.com' })
  await notifier.send({ ...message, channel: 'sms', to: '+821012345678' })
  const files = (await readdir(outbox)).toSorted()
  const texts = await Promise.all(files.map((file) => readFile(join(outbox, file), 'utf8')))
  const [mail, sms] = texts.map((text) => JSON.parse(text) as Message)
  return { subject: '', html: '', ...mail, text: mail?.text ?? '', short: sms?.text ?? '' }
}

const shown = (markup: string) =>
  markup.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

describe.each(everyOne)('%s in %s', (name, locale, facts) => {
  it('says the same as text and as HTML, with its link exact in both', async () => {
    const { subject, text, html } = await sent(name, locale, facts)
    expect(subject).toMatch(/^\S.*\S$/u)
    expect(html).toContain(`<html lang="${locale}">`)
    expect(html).not.toMatch(/src=|url\(|@import|<script|<link/)
    expect(text + html).not.toMatch(/undefined|\[object|Invalid Date/)
    expect(/\p{Script=Hangul}/u.test(text)).toBe(locale === 'ko')
    if (!('url' in facts)) return expect(html).not.toContain('href')
    expect(text.split('\n')).toContain(url)
    expect(shown(html)).toContain(`href="${url}"`)
    expect(shown(html)).toContain(`>${url}</p>`)
  })

  const ours = ['url', 'at', 'purgeAt', 'removesAt', 'expiresAt', 'kind', 'method']
  const words = Object.entries(facts).flatMap(([fact, value]) =>
    typeof value === 'string' && !ours.includes(fact) ? [fact] : [],
  )
  it.each(words)('shows %s as text of one line', async (fact) => {
    const plain = await sent(name, locale, facts)
    const hostile = `a\r\nBcc: b\u2028c\u202Ed\u2066"><script>alert(1)</script><a href='//evil'>`
    const { subject, text, html, short } = await sent(name, locale, { ...facts, [fact]: hostile })

    expect(subject).not.toMatch(/[\r\n\u2028]/)
    expect(html).not.toMatch(/<script|<a href='/)
    expect(subject + text + html + short).not.toMatch(/[\r\u2028\u202E\u2066]/)
    expect(text.split('\n')).toHaveLength(plain.text.split('\n').length)
    expect(html.match(/<[a-z!/]/g)).toEqual(plain.html.match(/<[a-z!/]/g))
  })

  it.each(words)(
    'shows of %s what can be shown, and a thousand characters at most',
    async (fact) => {
      const hostile = `a\u0000b\ud800c\udc00d\u202E\u200F${'x'.repeat(10_000)}\u{1F600}`
      const { subject, text, html, short } = await sent(name, locale, { ...facts, [fact]: hostile })
      for (const part of [subject, text, html, short]) {
        expect(part.isWellFormed()).toBe(true)
        expect(part).not.toMatch(/[\0\u202E\u200F]|x{1001}/)
      }
    },
  )

  it.each(words)('makes no link of an address in %s', async (fact) => {
    const hostile = 'Log in at https://evil.example/login or www.evil.example'
    const { subject, text, html, short } = await sent(name, locale, { ...facts, [fact]: hostile })
    expect(subject + text + html + short).not.toMatch(/https?:\/\/evil|evil\.example/)
  })

  const links =
    'url' in facts ? ['javascript:alert(1)', 'data:text/html,x', '/page', 'a\u202E:'] : []
  it.each(links)('is not written with the link %j, and does not repeat it', async (link) => {
    await expect(sent(name, locale, { ...facts, url: link })).rejects.toThrow(
      /^A link in a message must be an http: or https: address\.$/,
    )
  })

  const markup = 'url' in facts ? [`${url}"><script>\r\nBcc: b\u202E`] : []
  it.each(markup)('keeps the link %j inside its line and its attribute', async (hostile) => {
    const { text, html } = await sent(name, locale, { ...facts, url: hostile })
    expect(html).not.toContain('<script')
    expect(text).toContain(`${url}%22%3E%3Cscript%3E`)
    expect(text).not.toMatch(/[\r\u202E]|^Bcc/m)
  })
})

describe('what a template says', () => {
  const written = async (
    name: TemplateName,
    locale: string,
    facts: Facts = examples[name] as never,
  ) => (await sent(name, locale, facts)).text

  it('names moments in the words of the language, and UTC', async () => {
    expect(await written('password-changed', 'en')).toContain('March 1, 2026 at 23:59 UTC')
    expect(await written('password-changed', 'ko')).toContain('2026년 3월 1일 23:59 UTC')
    expect(await written('deletion-requested', 'en')).toContain('on March 1, 2026 (UTC).')
    expect(await written('deletion-requested', 'ko')).toContain('2026년 3월 1일 (UTC)')
  })

  it('counts one of a thing as one', async () => {
    expect(await written('password-reset', 'en')).toContain('expires in 1 minute.')
    expect(await written('invitation', 'en')).toContain('expires in 7 days.')
    expect(await written('contact-changed', 'ko')).toContain('72시간 동안')
  })

  it('leaves out what is not known', async () => {
    const facts = { fingerprintPrefix: '9f86d081884c', at, deviceName: undefined }
    expect(await written('new-device', 'en', facts)).toMatchInlineSnapshot(`
      "A new device signed in to your account

      A device that was not used with your account before has signed in to it.

          When: March 1, 2026 at 23:59 UTC
          Key begins with: 9f86d081884c…

      If it was you, you don’t need to do anything. If not, change your password now. Then sign this device out in your list of devices, or sign out everywhere.
      "
    `)
  })

  it.each([
    ['web', 'Web browser', '웹 브라우저'],
    ['ios', 'iPhone or iPad', 'iPhone 또는 iPad'],
    ['android', 'Android', 'Android'],
    ['desktop', 'Computer', '컴퓨터'],
    ['television', 'television', 'television'],
    ['constructor', 'constructor', 'constructor'],
  ])('names the platform %s in words', async (platform, english, korean) => {
    const facts = { ...examples['new-device'], platform }
    expect(await written('new-device', 'en', facts)).toContain(`Kind of device: ${english}\n`)
    expect(await written('new-device', 'ko', facts)).toContain(`기기 종류: ${korean}\n`)
  })

  it.each([
    ['email', '새 이메일 주소: b***@example.org'],
    ['phone', '새 전화번호: b***@example.org'],
  ])('says of a changed %s what is new', async (kind, line) => {
    const facts = { ...examples['contact-changed'], kind }
    expect(await written('contact-changed', 'ko', facts)).toContain(line)
  })

  it.each([
    ['totp', 'Second step: Code from an authenticator app', '인증 수단: 인증 앱의 코드'],
    ['passkey', 'Second step: Passkey', '인증 수단: 패스키'],
  ])('names the second factor %s in words', async (method, english, korean) => {
    const facts = { ...examples['second-factor-added'], method }
    expect(await written('second-factor-added', 'en', facts)).toContain(`${english}\n`)
    expect(await written('second-factor-added', 'ko', facts)).toContain(`${korean}\n`)
  })

  it.each([
    ['github', 'GitHub', 'GitHub'],
    ['naver', 'Naver', '네이버'],
    ['my-school', 'my-school', 'my-school'],
    ['constructor', 'constructor', 'constructor'],
  ])('names the provider %s as people know it', async (provider, english, korean) => {
    for (const template of ['social-linked', 'social-unlinked'] as const) {
      const facts = { ...examples[template], provider }
      expect(await written(template, 'en', facts)).toContain(`Provider: ${english}\n`)
      expect(await written(template, 'ko', facts)).toContain(`서비스: ${korean}\n`)
    }
  })

  it('asks to keep recovery codes where there are some: a passkey brings none', async () => {
    const facts = { ...examples['second-factor-added'] }
    const passkey = { ...facts, method: 'passkey' }
    expect(await written('second-factor-added', 'en', facts)).toContain('keep your recovery codes')
    expect(await written('second-factor-added', 'ko', facts)).toContain('복구 코드')
    expect(await written('second-factor-added', 'en', passkey)).not.toContain('recovery codes')
    expect(await written('second-factor-added', 'ko', passkey)).not.toContain('복구 코드')
  })

  it('blames no password for a device that a passkey signed in', async () => {
    const facts = { ...examples['new-device'], provider: 'passkey' }
    expect(await written('new-device', 'en', facts)).toContain('remove the passkey')
    expect(await written('new-device', 'en', facts)).not.toContain('change your password now')
    expect(await written('new-device', 'ko', facts)).toContain('패스키를 삭제')
  })

  it('names the provider that a device signed in by, and what to do there first', async () => {
    const facts = { ...examples['new-device'], provider: 'kakao' }
    const english = await written('new-device', 'en', facts)
    expect(english).toContain('Signed in with: Kakao\n')
    expect(english).toContain('secure your account with that provider first')
    expect(await written('new-device', 'ko', facts)).toContain('로그인 방법: 카카오\n')
    for (const provider of ['email', 'phone', 'device', undefined]) {
      const said = await written('new-device', 'en', { ...facts, provider })
      expect(said).toContain('change your password now. Then sign this device out')
      expect(said).not.toContain('Signed in with')
    }
    const card = await written('new-device', 'en', { ...facts, provider: 'card' })
    expect(card).toContain('secure what was used to sign in first')
  })

  it('says how many recovery codes are left, and when there is none', async () => {
    expect(await written('recovery-code-used', 'en')).toContain('Codes left: 9\n')
    const none = { ...examples['recovery-code-used'], remaining: 0 }
    expect(await written('recovery-code-used', 'ko', none)).toContain('남은 코드: 0\n')
  })

  it('sends one code for a deletion and for cancelling it', async () => {
    const facts = { ...examples['verification-code'], purpose: 'account_deletion' }
    expect(await written('verification-code', 'en', facts)).toContain('delete or restore')
    expect(await written('verification-code', 'ko', facts)).toContain('삭제 또는 복구')
  })

  it('says that a company has allowed an agent, and that the company can do it again', async () => {
    const facts = { ...examples['agent-connected'], allowedBy: 'idp.example.com' }
    // Mail programs make no link of the host.
    const text = (await written('agent-connected', 'en', facts)).replaceAll('\u2060', '')
    expect(text).toContain('A program that your company allowed')
    expect(text).toContain('idp.example.com')
    expect(text).toContain('your company can connect it again')
    expect(text).not.toContain('Reset your password')
    expect(await written('agent-connected', 'ko', facts)).toContain('회사에서 허용한 프로그램')
  })

  it('says in a text message what changed and where to undo it', async () => {
    const facts = { ...examples['contact-changed'], kind: 'phone', changedTo: '+82***78' }
    expect((await sent('contact-changed', 'en', facts)).short).toBe(
      `Your phone number was changed to +82***78. Not you? Undo it: ${url}`,
    )
    expect((await sent('contact-changed', 'ko', facts)).short).toBe(
      `전화번호가 변경되었습니다(+82***78). 본인이 아니면 취소: ${url}`,
    )
  })

  it.each([
    ['new-device', 'secure what was used to sign in first'],
    ['password-changed', 'Reset your password'],
    ['contact-added', 'Reset your password'],
    [
      'contact-changed',
      'Undo the change now. This signs out every device and removes the password',
    ],
    ['agent-connected', 'Disconnect the agent on the connected agents page'],
    ['machine-key-added', 'Reset your password'],
    ['passkey-added', 'Remove this passkey in the security settings'],
    ['passkey-removed', 'Reset your password'],
    ['social-linked', 'remove this way to sign in'],
    ['social-unlinked', 'Reset your password'],
    ['second-factor-added', 'Sign out everywhere'],
    ['second-factor-removed', 'add a second step again'],
    ['second-factor-failed', 'change your password'],
    ['factor-removal-asked', 'keep your second step now'],
    ['recovery-code-used', 'then create new codes'],
    ['recovery-codes-made', 'then create new codes yourself'],
    ['support-opened', 'end the session in your list of devices'],
    ['deletion-requested', 'Restore it now'],
    ['deletion-cancelled', 'Reset your password'],
  ] as const)('says in %s what to do when it was another person', async (name, advice) => {
    expect(await written(name, 'en')).toContain(advice)
  })
})
