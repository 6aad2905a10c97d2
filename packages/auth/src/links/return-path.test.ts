import { afterAll, describe, expect, it } from 'vitest'
import { orFew } from '../../../../scripts/test/or-few.ts'
import { startTestAuth } from '../testing.ts'
import { readReturnPath } from './links.ts'
import { mailedLinks } from './schema.ts'
import { flows, stepsOf } from './testing/links.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

const app = 'https://app.example.com'

/** What leads elsewhere in some browser, or would with one more decoding by a page. */
const hostile = [
  '',
  ' ',
  '?',
  '#',
  '.',
  'evil.example.com',
  ' /welcome',
  'welcome',
  './welcome',
  'https://evil.example.com',
  'https:evil.example.com',
  'https:/evil.example.com',
  'HTTPS://evil.example.com/',
  'h\tttps://evil.example.com',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,hello',
  'mailto:eve@example.com',
  'blob:https://evil.example.com/1',
  '//evil.example.com',
  '///evil.example.com',
  '//evil.example.com@app.example.com',
  '/\\evil.example.com',
  '\\\\evil.example.com',
  '\\/evil.example.com',
  '/\t/evil.example.com',
  '/\n/evil.example.com',
  '/\r/evil.example.com',
  '\t//evil.example.com',
  '/\u0000/evil.example.com',
  '/welcome\u007f',
  '/welcome\u0085',
  '/%2fevil.example.com',
  '/%2Fevil.example.com',
  '%2f%2fevil.example.com',
  '/%5cevil.example.com',
  '/%5C%5Cevil.example.com',
  '/%09/evil.example.com',
  '/%0d%0aLocation:https://evil.example.com',
  '/.//evil.example.com',
  '/..//evil.example.com',
  '/../admin',
  '/welcome/../../admin',
  '/%2e%2e/admin',
  '/%2e./admin',
  '/.%2e/admin',
  '/welcome?next=https://evil.example.com',
  '/welcome#//evil.example.com',
  '/%',
  '/%zz',
  '/%c0%af/evil.example.com',
  '/\ud800',
  `/${'x'.repeat(512)}`,
]

const own = [
  '/',
  '/welcome',
  '/a/b?c=d&e=f#g',
  '/?x',
  '/%20',
  '/ü/한국어',
  '/a.b',
  '/./a',
  '/@x',
  '/:80',
  `/${'x'.repeat(511)}`,
]

describe.each(Object.keys(flows) as (keyof typeof flows)[])('returnPath of a %s', (flow) => {
  const { ask, open, token } = stepsOf(auth, flow)
  const { template } = flows[flow]

  it.each(orFew(hostile, 12))('is not %j, and nothing is written (A-179)', async (returnPath) => {
    const before = await auth.auth.db.$count(mailedLinks)
    expect(await ask('ada@example.com', returnPath)).toMatchObject({
      status: 400,
      body: { error: { code: 'ValidationError' }, fields: [{ path: 'body.returnPath' }] },
    })
    expect(await auth.auth.db.$count(mailedLinks)).toBe(before)
  })

  it('is any path inside the app, and comes back as it was given (A-179)', async () => {
    const { email } = flow === 'reset' ? await auth.createUser() : { email: 'ada@example.com' }
    for (const returnPath of own) {
      const link = await auth.linkSentBy(() => ask(email, returnPath), email, template)
      expect((await open(link)).body.returnPath).toBe(returnPath)
      expect(new URL(returnPath, app).origin).toBe(app)
    }
  })

  it('is in no mail, so that no attacker can write to others through it', async () => {
    const { email } = flow === 'reset' ? await auth.createUser() : { email: 'eve@example.com' }
    await auth.linkSentBy(() => ask(email, '/call-0800-now'), email, template)
    expect(JSON.stringify(await auth.messagesTo(email))).not.toContain('0800')
    await token(email)
  })
})

it('no path of four such pieces leads elsewhere, as it stands or decoded once more (A-179)', () => {
  const pieces = [
    '/',
    '\\',
    '%2f',
    '%5C',
    '.',
    '%2e',
    '\t',
    '%09',
    '@',
    ':',
    '?',
    '#',
    'https:',
    '／',
    '。',
    'evil.example.com',
  ]
  let accepted = 0
  for (const one of pieces)
    for (const two of pieces)
      for (const three of pieces)
        for (const four of pieces) {
          const path = [one, two, three, four].join('')
          if (!isAccepted(path)) continue
          accepted += 1
          expect(new URL(path, app).origin).toBe(app)
          expect(new URL(decodeURIComponent(path), app).origin).toBe(app)
        }
  expect(accepted).toBeGreaterThan(100)
})

function isAccepted(path: string) {
  try {
    return readReturnPath(path) === path
  } catch {
    return false
  }
}
