import { describe, expect, it } from 'vitest'
import { faultsOf } from './judge.ts'
import type { Prepared } from './prepare.ts'
import type { Answered } from './send.ts'

const secret = 'a password that was sent'
const prepared: Prepared = {
  name: 'login',
  method: 'POST',
  target: '/_auth/login',
  headers: {},
  body: undefined,
  secrets: [secret],
}
const json = (body: object) => JSON.stringify(body)
const refusal = json({ error: { code: 'ValidationError', requestId: 'a-request' } })
const right: Answered = {
  status: 400,
  headers: { 'content-type': 'application/json', 'x-request-id': 'a-request' },
  text: refusal,
  millis: 3,
}
const said = {
  statuses: new Map([
    [200, { names: [], isRight: (body: unknown) => json(Object(body)) === '{}' }],
  ]),
}

const wrong: [string, Partial<Answered>, string][] = [
  ['a failure of the server', { status: 500 }, 'it answers 500'],
  ['503 that does not say when', { status: 503 }, 'no Retry-After beside 503'],
  ['an answer that is slow', { millis: 10_001 }, 'it took 10001 ms'],
  ['no request id', { headers: { 'content-type': 'application/json' } }, 'no request id'],
  ['a refusal without a body', { text: '' }, '400 has no body'],
  ['what is no JSON', { text: '<p>' }, 'the body is no JSON'],
  [
    'a stack',
    { text: json({ at: 'at Object.<anonymous> (x:1)' }) },
    'it tells of itself: at Object.<anonymous> (',
  ],
  [
    'the text of a statement',
    { text: json({ at: 'select 1 from t' }) },
    'it tells of itself: select 1 from',
  ],
  ['a secret that was sent', { text: json({ at: secret }) }, 'it repeats a secret'],
  [
    'a refusal nobody documented',
    { text: json({ error: { code: 'OddError', requestId: 'a' } }) },
    '400 OddError is not documented',
  ],
  [
    'a refusal without a request id',
    { text: json({ error: { code: 'ValidationError' } }) },
    'no request id in the body',
  ],
  ['a status nobody documented', { status: 201, text: '{}' }, '201 is not documented'],
  [
    'a body that is not as documented',
    { status: 200, text: '{"more":1}' },
    'the body is not as documented',
  ],
]

describe('the judge of answers', () => {
  it('finds nothing wrong with what is right', () => {
    expect(faultsOf(prepared, right, said)).toEqual([])
    expect(faultsOf(prepared, { ...right, status: 200, text: '{}' }, said)).toEqual([])
  })

  it('takes 503 of health for what it says, if it says that something is down', () => {
    const asked = { ...prepared, name: 'health', method: 'GET' }
    const down = { ...right, status: 503, text: json({ status: 'degraded' }) }
    expect(faultsOf(asked, down, said)).toEqual([])
    expect(faultsOf(asked, { ...down, text: '{}' }, said)).toEqual(['it does not say its state'])
    expect(faultsOf(prepared, down, said)).toContain('no Retry-After beside 503')
  })

  it.each(wrong)('finds %s', (_, change, fault) => {
    expect(faultsOf(prepared, { ...right, ...change }, said)).toContain(fault)
  })
})
