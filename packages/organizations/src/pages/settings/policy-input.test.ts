import { expect, it } from 'vitest'
import { bodyOf, inputOf, outsideOf, wrongOf } from './policy-input.ts'

const none = inputOf({ requireSecondFactor: false })

it('asks nothing where the form is empty', () => {
  expect(bodyOf(none)).toEqual({
    requireSecondFactor: false,
    waysIn: null,
    maxKeyAgeHours: null,
    maxIdleHours: null,
    allowedDomains: null,
  })
})

it('keeps the day that members were told, unless another window is set', () => {
  const required = inputOf({ requireSecondFactor: true, secondFactorBy: '2030-01-31T00:00:00Z' })
  expect(bodyOf(required)).not.toHaveProperty('secondFactorWindowDays')
  const longer = { ...required, secondFactorWindowDays: '30' }
  expect(bodyOf(longer)).toMatchObject({ secondFactorWindowDays: 30 })
  expect(bodyOf({ ...none, requireSecondFactor: true })).toMatchObject({
    secondFactorWindowDays: 7,
  })
})

it('sends back what the API has answered', () => {
  const policies = {
    requireSecondFactor: false,
    waysIn: ['passkey', 'google'],
    maxKeyAgeHours: 168,
    maxIdleHours: 12,
    allowedDomains: ['acme.example', 'acme.test'],
  }
  expect(bodyOf(inputOf(policies))).toEqual(policies)
})

it('reads domains as people write them', () => {
  const input = { ...none, allowedDomains: ' @Acme.example, acme.test\nacme.example;' }
  expect(bodyOf(input).allowedDomains).toEqual(['acme.example', 'acme.test'])
  const wide = { ...none, allowedDomains: '@Bücher.example no/domain xn--bcher-kva.example' }
  expect(bodyOf(wide).allowedDomains).toEqual(['xn--bcher-kva.example', 'no/domain'])
})

it.each(['0', '2161', '1.5', '-1', 'ten'])(
  'does not send hours that are no number: %s',
  (hours) => {
    expect(wrongOf({ ...none, maxIdleHours: hours })).toMatchObject({ maxIdleHours: true })
  },
)

it('takes the numbers that the API takes', () => {
  const least = { secondFactorWindowDays: '0', maxKeyAgeHours: '1', maxIdleHours: '' }
  const most = { secondFactorWindowDays: '30', maxKeyAgeHours: '2160', maxIdleHours: ' 8 ' }
  for (const numbers of [least, most]) {
    expect(Object.values(wrongOf({ ...none, ...numbers }))).toEqual([false, false, false])
  }
  expect(wrongOf({ ...none, secondFactorWindowDays: '31' }).secondFactorWindowDays).toBe(true)
})

it('names the members without an address of the domains', () => {
  const member = (email: string | null) => ({
    userId: String(email),
    email,
    displayName: null,
    roles: [],
    joinedAt: '2030-01-01T00:00:00Z',
  })
  const [ann, sub, nameless] = [
    member('ann@acme.example'),
    member('b@x.acme.example'),
    member(null),
  ]
  const members = [ann, sub, nameless]
  expect(outsideOf({ allowedDomains: 'acme.example' }, members)).toEqual([sub, nameless])
  expect(outsideOf({ allowedDomains: '' }, members)).toEqual([])
  // As in a stored address.
  const reader = member('c@xn--bcher-kva.example')
  expect(outsideOf({ allowedDomains: 'BÜCHER.example' }, [reader, ann])).toEqual([ann])
})
