import { expect, it } from 'vitest'
import { dayInWords, restoreAddress } from './restore-address.ts'

it('has the day until which an account can be restored', () => {
  const address = restoreAddress(new Date('2026-03-02T23:59:00Z'))
  expect(dayInWords(new URL(address, 'http://a').searchParams.get('until') ?? '')).toBe(
    '2 March 2026',
  )
})

it.each([undefined, '', 'tomorrow', '2026-13-40', ['2026-03-02'], '2026-03-02T00:00:00Z'])(
  'says nothing of what is no day: %j',
  (until) => expect(dayInWords(until)).toBe(null),
)
