import { describe, expect, it } from 'vitest'
import { inert, inertFacts } from './inert.ts'
import { pickByLocale } from './pick-by-locale.ts'
import { builtInTemplates } from './templates.ts'

const facts = { code: '482913', expiresInMinutes: 5, purpose: 'login' }
const verificationCode = builtInTemplates['verification-code']

describe('verification-code', () => {
  it('says the code, its life and its use in English', () => {
    expect(verificationCode(facts, 'en')).toMatchObject({
      subject: '482913 is your code',
      short: '482913 is your code. It works once and expires in 5 minutes.',
    })
    expect(verificationCode(facts, 'en').text).toMatchInlineSnapshot(`
      "Your sign-in code

      Enter this code where you were asked for it:

          482913

      It works once and expires in 5 minutes.

      If you didn’t ask for it, you can ignore this message. Don’t share the code: we never ask you for it.
      "
    `)
  })

  it('says it in Korean', () => {
    expect(verificationCode(facts, 'ko-KR')).toMatchObject({
      subject: '인증 코드 482913',
      short: '인증 코드 482913. 코드는 5분 동안 한 번만 사용할 수 있습니다.',
    })
    expect(verificationCode(facts, 'ko').text).toMatchInlineSnapshot(`
      "로그인 인증 코드

      요청하신 화면에 아래 코드를 입력해 주세요.

          482913

      코드는 5분 동안 한 번만 사용할 수 있습니다.

      직접 요청하지 않으셨다면 이 메시지를 무시하셔도 됩니다. 코드를 다른 사람에게 알려 주지 마세요. 저희는 코드를 묻지 않습니다.
      "
    `)
    expect(verificationCode(facts, 'ko').html).toContain('<html lang="ko">')
  })

  it('fits a text message of Korean: 70 characters', () => {
    expect(verificationCode(facts, 'ko').short?.length).toBeLessThanOrEqual(70)
  })

  it('never shows a purpose that it has no words for', () => {
    for (const purpose of ['<b>purpose', '__proto__', 'constructor', 'toString']) {
      const { subject, text, html: markup } = verificationCode({ ...facts, purpose }, 'en')
      expect([subject, text, markup].join('\n')).not.toContain(purpose)
      expect(text).toMatch(/^Your verification code\n/)
    }
  })

  it('shows markup as text', async () => {
    const code = '<img src=x onerror=alert(1)>"\'&'
    const { html: markup = '' } = verificationCode({ ...facts, code }, 'en')
    expect(markup).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;')
    expect(markup).not.toContain('<img')
  })

  it('loads nothing from anywhere', () => {
    const { html: markup = '' } = verificationCode(facts, 'en')
    expect(markup).not.toMatch(/https?:|src=|url\(|@import|<script|<link/)
  })
})

describe('pickByLocale', () => {
  const words = { en: 'English', ko: 'Korean', 'zh-hant': 'Traditional Chinese' }
  const picked: Record<string, string> = {
    ko: 'Korean',
    'ko-KR': 'Korean',
    'KO-kore-kr': 'Korean',
    'zh-Hant-TW': 'Traditional Chinese',
    'zh-TW': 'English',
    'en-GB': 'English',
    kok: 'English',
    '': 'English',
    __proto__: 'English',
    constructor: 'English',
  }
  it.each(Object.entries(picked))('takes for %j %s', (locale, expected) => {
    expect(pickByLocale(words, locale).words).toBe(expected)
  })
})

describe('a value in a template', () => {
  it('turns no text around, breaks no line and moves no terminal', () => {
    expect(inert('a\r\nBcc: b\u202Ecod.exe\u2066\u200F\u2028\u001B[2J\u0000')).toBe(
      'a  Bcc: b cod.exe    [2J ',
    )
    expect(inert('a\ud800b\udc00 \u{1F600}')).toBe('a b  \u{1F600}')
    expect(inert('Zoë 김철수 👩‍👩‍👧 می‌خواهم')).toBe('Zoë 김철수 👩‍👩‍👧 می‌خواهم')
    expect(inertFacts({ name: 'a\nb', count: 3 })).toEqual({ name: 'a b', count: 3 })
  })

  it('has a thousand characters at most, and no half of one; but the url, which is whole', () => {
    const long = 'x'.repeat(10_000)
    expect(inertFacts({ name: long })).toEqual({ name: `${'x'.repeat(999)}…` })
    expect(inertFacts({ name: 'x'.repeat(1000) })).toEqual({ name: 'x'.repeat(1000) })
    expect(inertFacts({ name: '\u{1F600}'.repeat(600) }).name.isWellFormed()).toBe(true)
    const url = `https://app.example.com/${long}`
    expect(inertFacts({ url })).toEqual({ url })
  })

  it('is no link for a mail program, but for a mail address and the url', () => {
    const read = (name: string) => inertFacts({ name }).name.replaceAll('\u2060', '|')
    expect(read('https://evil.example/a.html')).toBe('https:|//evil.|example/a.|html')
    expect(read('@https://evil.example')).toBe('@https:|//evil.|example')
    expect(read('ada@mail.example.com and www.evil.example')).toBe(
      'ada@mail.example.com and www.|evil.|example',
    )
    expect(read('2030-01-01T00:00:00.000Z 127.0.0.1 iOS 26.1.')).toBe(
      '2030-01-01T00:00:00.000Z 127.0.0.1 iOS 26.1.',
    )
    const url = 'https://app.example.com/a?token=b'
    expect(inertFacts({ url })).toEqual({ url })
  })
})
