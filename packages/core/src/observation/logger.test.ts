import { describe, expect, it } from 'vitest'
import { createLogger, redact } from './logger.ts'

function logged(...entry: [object, string]) {
  let line = ''
  const log = createLogger({
    destination: {
      write: (text) => {
        line += text
      },
    },
  })
  log.error(...entry)
  return line
}

describe('a line of the log', () => {
  const secrets: Record<string, object> = {
    'a number': { password: 4837262 },
    'a list': { headers: { 'set-cookie': ['svc_session=hunter2', 'b=hunter2'] } },
    'a header in two cases': { Authorization: 'hunter2', 'Proxy-Authorization': 'hunter2' },
    'headers as they were received': { raw: ['Authorization', 'x hunter2', 'Cookie', 'a=hunter2'] },
    'a credential in a sentence': { text: 'refused Bearer hunter2hunter2.x' },
    'names that end in what they are': {
      accessToken: 'hunter2',
      refresh_token: 'hunter2',
      clientSecret: 'hunter2',
      passwordHash: 'hunter2',
      'x-api-key': 'hunter2',
      recoveryCodes: ['hunter2', 'a ] hunter2'],
      otp: 'hunter2',
    },
    'JSON in a string': { text: 'not valid: {"password":"hunter2","a":1}' },
    'a query': { url: '/x?apiKey=hunter2&otp=hunter2&id_token=hunter2' },
    'words in a connection string': { text: 'host=db password=hunter2 user=a' },
    'an address that begins as the one in a help text': {
      text: 'postgres://user:password@host:hunter2@db/app',
      other: 'postgres://user:password@host.hunter2@db postgres://user:passwordhunter2@host/a',
      name: 'postgres://name:secret@hosthunter2@db',
    },
    'an address whose password holds an @': { url: 'postgres://me:hun@hunter2@db/app' },
  }
  for (const [what, entry] of Object.entries(secrets)) {
    it(`holds no secret that is ${what}`, () => {
      const line = logged(entry, 'entry')
      expect(line).not.toMatch(/hunter2|4837262/)
      expect(() => JSON.parse(line)).not.toThrow()
    })
  }

  it('keeps what only looks like one', () => {
    const entry = { code: 'ECONNRESET', tokenCount: 3, url: 'http://host:80/a@b?page=2' }
    expect(JSON.parse(logged(entry, 'entry'))).toMatchObject(entry)
  })

  it.each([
    'DATABASE_URL is not understood: write postgres://user:password@host:5432/database (special characters percent-encoded; for a socket, ?host=/folder behind the database) or embedded:<directory>.',
    'CACHE_URL is not understood: write redis://user:password@host:6379/0, or rediss:// for TLS',
    'SVC_MAIL_URL must be smtp://user:password@host:port (or smtps:), file:<dir>, console: or none',
    'SVC_SMS_URL must be https://name:secret@host/path, file:<dir>, console: or none',
    'Write smtp://user:pass@host',
  ])('leaves a help text whole: %s', (help) => {
    expect(redact(help)).toBe(help)
    expect(JSON.parse(logged({ help }, help))).toMatchObject({ help, msg: help })
  })

  it('holds no value of a statement that failed', () => {
    // As Drizzle and pg make them: the values are in a message, in a stack and in members.
    const err = Object.assign(
      new Error('Failed query: insert into users values ($1, $2)\nparams: ada,hunter2', {
        cause: new Error('null value in column "id"'),
      }),
      { query: 'insert into users', params: ['ada', ['hunter2']], detail: 'Failing row: hunter2' },
    )
    const line = logged({ err }, 'request failed')

    expect(line).not.toContain('hunter2')
    expect(line).toContain('insert into users')
    expect(line).toContain('null value in column')
    expect(line).toContain('logger.test.ts')
  })

  it('tells what was thrown when that is no error', () => {
    expect(JSON.parse(logged({ err: 'a word' }, 'failed'))).toMatchObject({ err: 'a word' })
    expect(JSON.parse(logged({ err: null }, 'failed'))).toMatchObject({ err: null })
  })

  it('holds no character that a terminal or a line reader obeys', () => {
    const text = '\u001b[2J\u009b2J\u007f\r\n\u2028{"level":"fatal"}'
    const line = logged({ text }, text)

    // oxlint-disable-next-line no-control-regex -- they are what must not be there
    expect(line.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
    expect(JSON.parse(line)).toMatchObject({ text, msg: text })
  })

  it('is read in time that grows with its length only', () => {
    for (const unit of [
      'a.',
      'a-',
      '://a:',
      '"password":[',
      '\\"token\\":',
      '?token',
      'a@',
      ' _',
    ]) {
      const line = unit.repeat(200_000 / unit.length)
      const start = performance.now()
      redact(line)
      expect(performance.now() - start, unit).toBeLessThan(500)
    }
  })
})
