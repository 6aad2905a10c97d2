import { expect, it } from 'vitest'
import { reportText } from './report-text.ts'

it('prints what an attacker has written on the line of its row, as text, and not all of it', () => {
  const act = '\u001b[2J\r\nThe trail is as the server has written it.\u202e\u2028'
  const finding = {
    what: 'edited',
    position: 3,
    auditId: '7',
    at: '2030-01-31',
    text: 'x',
  } as const
  const counts = { rows: 1, sealed: 1, unsealed: 0, purged: 0, retained: 0, heads: 1, otherKeys: 0 }
  const print = (of: string) =>
    reportText({ ...counts, found: 1, findings: [{ ...finding, act: of }] }).split('\n')
  const [line, next] = print(act)
  expect(line).toContain(
    'row 7, \ufffd[2J\ufffd\ufffdThe trail is as the server has written it.\ufffd\ufffd',
  )
  expect(next).toBe('')
  expect(print('x'.repeat(100_000))[0]?.length).toBeLessThan(500)
})
