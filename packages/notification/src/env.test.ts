import { EnvironmentError } from '@svc/core'
import { describe, expect, it } from 'vitest'
import { readNotificationEnv } from './env.ts'

const inProduction = { NODE_ENV: 'production', SVC_MAIL_URL: 'none' }

function problemsOf(source: Record<string, string>) {
  try {
    readNotificationEnv(source)
    return []
  } catch (error) {
    return (error as EnvironmentError).problems
  }
}

describe('readNotificationEnv', () => {
  it('keeps both channels in the outbox of the directory outside production', () => {
    const outbox = { to: 'file', directory: '.svc/outbox' }
    expect(readNotificationEnv({})).toEqual({
      NODE_ENV: 'development',
      SVC_MAIL_URL: outbox,
      SVC_MAIL_FROM: { name: '', address: 'no-reply@localhost' },
      SVC_SMS_URL: outbox,
      SVC_SMS_COUNTRIES: '*',
    })
  })

  it('refuses to boot in production without SVC_MAIL_URL', () => {
    expect(() => readNotificationEnv({ NODE_ENV: 'production' })).toThrow(EnvironmentError)
    expect(problemsOf({ NODE_ENV: 'production' })).toEqual([
      'SVC_MAIL_URL is required in production: set it to none to send no mail',
    ])
    expect(readNotificationEnv(inProduction).SVC_SMS_URL).toEqual({ to: 'none' })
  })

  it('needs a sender where mail leaves for the world', () => {
    const source = { NODE_ENV: 'production', SVC_MAIL_URL: 'smtp://mail.example.com' }
    expect(problemsOf(source)).toEqual(['SVC_MAIL_FROM is required to send mail by SMTP'])
    expect(problemsOf({ ...source, SVC_MAIL_FROM: 'a@example.com' })).toEqual([])
    expect(problemsOf({ SVC_MAIL_URL: 'smtp://mail.example.com' })).toEqual([])
  })

  it('needs the countries that text messages may go to in production (decisions 16)', () => {
    const texts = { ...inProduction, SVC_SMS_URL: 'https://svc:s@sms.example.com/' }
    expect(problemsOf(texts)).toEqual([
      'SVC_SMS_COUNTRIES is required to send text messages: set it to the calling codes of the countries, such as 82,1, or to * for all',
    ])
    expect(problemsOf({ ...texts, SVC_SMS_URL: 'none' })).toEqual([])
    const countries = (given: string) => {
      const env = { ...texts, SVC_SMS_COUNTRIES: given }
      return readNotificationEnv(env).SVC_SMS_COUNTRIES
    }
    expect(countries('82, +1,44')).toEqual(['82', '1', '44'])
    expect(countries('*')).toBe('*')
    for (const wrong of ['KR', '82,', '0', '+', '82;1', '12345678', '**']) {
      expect(problemsOf({ ...texts, SVC_SMS_COUNTRIES: wrong })).toEqual([
        'SVC_SMS_COUNTRIES must be a list of calling codes, such as 82,44,1, or * for every country; a code with an area code, such as 1212, allows only that part of a country',
      ])
    }
  })

  it('reads the ways mail can go', () => {
    const mail = (url: string) => readNotificationEnv({ SVC_MAIL_URL: url }).SVC_MAIL_URL
    expect(mail('smtp://mail.example.com')).toEqual({
      to: 'smtp',
      host: 'mail.example.com',
      port: 587,
      secure: false,
    })
    expect(mail('smtps://me%40example.com:p%3A%2F%40s@[::1]')).toEqual({
      to: 'smtp',
      host: '::1',
      port: 465,
      secure: true,
      auth: { user: 'me@example.com', pass: 'p:/@s' },
    })
    expect(mail('smtp://localhost?tls=off')).toMatchObject({ port: 587, tls: 'off' })
    expect(mail('smtp://me:i@[::1]:25/?tls=optional')).toMatchObject({ port: 25, tls: 'optional' })
    expect(mail('smtp://localhost:25/')).toMatchObject({ host: 'localhost', port: 25 })
    expect(mail('file:out box')).toEqual({ to: 'file', directory: 'out box' })
    expect(mail('file:///tmp/out%20box')).toEqual({ to: 'file', directory: '/tmp/out box' })
    expect(mail('console:')).toEqual({ to: 'console' })
    expect(mail('none')).toEqual({ to: 'none' })
  })

  it('keeps the secret of a text message gateway out of its address', () => {
    const read = readNotificationEnv({
      SVC_SMS_URL: 'https://svc:hunt%2Fer2@sms.example.com/v1?a=b',
    })
    expect(read.SVC_SMS_URL).toEqual({
      to: 'https',
      url: new URL('https://sms.example.com/v1?a=b'),
      secret: 'hunt/er2',
    })
  })

  it('lets text messages leave without TLS on loopback alone, and never in production', () => {
    const loopback = 'http://svc:s@127.0.0.1:9/'
    expect(problemsOf({ SVC_SMS_URL: loopback })).toEqual([])
    const anywhere = { SVC_SMS_COUNTRIES: '*' }
    expect(problemsOf({ ...inProduction, ...anywhere, SVC_SMS_URL: loopback })).toEqual([
      'SVC_SMS_URL must be https: in production',
    ])
    for (const host of ['sms.example.com', 'localhost.example.com', '127.0.0.1.example.com']) {
      expect(problemsOf({ SVC_SMS_URL: `http://svc:s@${host}/` })).toHaveLength(1)
    }
  })

  it('reads a sender with and without a name', () => {
    const from = (text: string) => readNotificationEnv({ SVC_MAIL_FROM: text }).SVC_MAIL_FROM
    expect(from('a@example.com')).toEqual({ name: '', address: 'a@example.com' })
    expect(from('"Svc, Inc." <a@example.com>')).toEqual({
      name: 'Svc, Inc.',
      address: 'a@example.com',
    })
  })

  const wrong: Record<string, readonly string[]> = {
    SVC_MAIL_URL: [
      'smtp://',
      'smtp:hunter2',
      'smtp://me:hunter2@mail.example.com/?tls.rejectUnauthorized=false',
      'smtp://me:hunter2@mail.example.com?tls=none',
      'smtp://me:hunter2@mail.example.com?tls=off&tls=optional',
      'smtps://me:hunter2@mail.example.com?tls=off',
      'smtp://me:hunter2@mail.example.com?tls=off#',
      'smtp://me:hunter2@mail.example.com?',
      'smtp://me:hunter2#@mail.example.com',
      'smtp://me:hunter2%@mail.example.com',
      'smtp://me:hunter2@mail.example.com:99999',
      'https://me:hunter2@mail.example.com',
      'file:',
      'file://host/hunter2',
      'console',
    ],
    SVC_SMS_URL: [
      'https://sms.example.com/',
      'https://hunter2@sms.example.com/',
      'https://svc:hunter2%@sms.example.com/',
      'ftp://svc:hunter2@sms.example.com/',
      'smtp://svc:hunter2@sms.example.com/',
    ],
    SVC_MAIL_FROM: [
      'hunter2',
      'a@example.com, b@example.com',
      'hunter2\r\nBcc: b@example.com <a@example.com>',
      '<a@example.com',
    ],
  }
  for (const [name, values] of Object.entries(wrong)) {
    it.each(values)(`refuses %j as ${name}, and does not repeat it`, (value) => {
      const problems = problemsOf({ [name]: value })
      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatch(new RegExp(`^${name} must be `))
      expect(problems[0]).not.toContain('hunter2')
    })
  }
})
