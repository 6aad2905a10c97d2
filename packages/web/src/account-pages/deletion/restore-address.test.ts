import { expect, it } from 'vitest'
import { lastDay, restoreAddress } from './restore-address.ts'

const now = Date.UTC(2026, 1, 1, 12)

it('has the day until which an account can be restored', () => {
  const address = restoreAddress('/restore', new Date('2026-03-02T23:59:00Z'))
  const until = new URL(address, 'http://a').searchParams.get('until') ?? ''
  expect(lastDay(until, now)).toBe('2026-03-02')
})

it.each([undefined, '', 'tomorrow', '2026-13-40', ['2026-03-02'], '2026-03-02T00:00:00Z'])(
  'says nothing of what is no day: %j',
  (until) => expect(lastDay(until, now)).toBe(null),
)

it('says nothing of a day that is over, or that no account waits for', () => {
  for (const until of ['2026-01-31', '2027-02-03', '9999-12-31']) {
    expect(lastDay(until, now)).toBe(null)
  }
  expect(lastDay('2026-02-01', now)).toBe('2026-02-01')
})
