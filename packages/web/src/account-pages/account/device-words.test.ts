import { describe, expect, it } from 'vitest'
import { english as say } from '../words/say.ts'
import {
  bindingWords,
  browserOf,
  countOfOthers,
  deviceKind,
  deviceName,
  expiryWords,
  machineExpiryWords,
  namesOf,
  placeWords,
  signedOutWords,
  signOutQuestion,
  supportWords,
} from './device-words.ts'

describe('a device', () => {
  it('is called as it says, or after its platform', () => {
    expect(deviceName(say, { deviceName: 'Firefox on Linux', platform: 'web' })).toBe(
      'Firefox on Linux',
    )
    expect(deviceName(say, { platform: 'android' })).toBe('Android device')
    expect(deviceName(say, {})).toBe('Device without a name')
  })

  it('gets the picture of what it runs on', () => {
    expect(deviceKind({ deviceName: 'Safari on iPhone', platform: 'web' })).toBe('phone')
    expect(deviceKind({ deviceName: 'Safari on iPad', platform: 'web' })).toBe('tablet')
    expect(deviceKind({ deviceName: 'Chrome on Windows', platform: 'web' })).toBe('computer')
    expect(deviceKind({ platform: 'ios' })).toBe('phone')
    expect(deviceKind({ platform: 'desktop' })).toBe('computer')
    expect(deviceKind({ deviceName: 'backup job' })).toBe('unknown')
  })

  it('gets the picture of its browser, if we have drawn one', () => {
    expect(browserOf({ deviceName: 'Edge on Windows' })).toBe('Edge')
    expect(browserOf({ deviceName: 'Firefox on Linux' })).toBe('Firefox')
    expect(browserOf({ deviceName: 'Web browser' })).toBeUndefined()
    expect(browserOf({ deviceName: 'My Chromebook' })).toBeUndefined()
    expect(browserOf({})).toBeUndefined()
  })
})

describe('what a device has let in', () => {
  const tv = { kind: 'device', id: 'a', name: 'Living-room TV' } as const
  const agent = { kind: 'agent', id: 'b', name: 'Claude' } as const
  const machine = { kind: 'machine', id: 'c' } as const

  it('is named, and beyond five counted', () => {
    expect(namesOf(say, [tv])).toBe('Living-room TV')
    expect(namesOf(say, [tv, agent])).toBe('Living-room TV and Claude')
    expect(namesOf(say, [{ kind: 'device', id: 'd', platform: 'ios' }, machine])).toBe(
      'iPhone or iPad and Program without a name',
    )
    expect(
      namesOf(
        say,
        Array.from({ length: 7 }, () => tv),
      ),
    ).toMatch(/Living-room TV, and 2 more$/)
  })

  it('is said once it has ended', () => {
    expect(signedOutWords(say, { platform: 'ios' }, [])).toBe('iPhone or iPad is signed out.')
    expect(signedOutWords(say, { platform: 'ios' }, [tv, agent])).toBe(
      'iPhone or iPad is signed out. Also signed out: Living-room TV and Claude.',
    )
    expect(signedOutWords(say, { kind: 'machine', deviceName: 'Report' }, [])).toBe(
      'Report is removed.',
    )
  })
})

describe('a machine key', () => {
  const machine = { kind: 'machine', deviceName: 'Nightly phone backup' } as const

  it('is a program’s, even if it is named like a phone', () => {
    expect(deviceName(say, machine)).toBe('Nightly phone backup')
    expect(deviceName(say, { kind: 'machine' })).toBe('Program without a name')
    expect(deviceKind(machine)).toBe('machine')
    expect(signOutQuestion(say, machine)).toContain('Remove Nightly phone backup?')
    expect(signOutQuestion(say, { platform: 'ios' })).toContain('Sign out iPhone or iPad?')
  })

  it('ends, and is not signed in again', () => {
    const day = 86_400_000
    expect(machineExpiryWords(say, 90 * day, 0)).toBe('Its key expires in 90 days.')
    expect(machineExpiryWords(say, day / 2, 0)).toBe('Its key expires within a day.')
    expect(machineExpiryWords(say, day, day)).toBe('Its key has expired.')
  })
})

describe('a support session', () => {
  const session = { kind: 'support', deviceName: 'Hedy on her phone' } as const

  it('is called after its operator, and is no device', () => {
    expect(deviceName(say, session)).toBe('Hedy on her phone')
    expect(deviceName(say, { kind: 'support' })).toBe('Support')
    expect(deviceKind(session)).toBe('support')
  })

  it('says until when, and what its end comes to', () => {
    const minute = 60_000
    expect(supportWords(say, 29.5 * minute, 0)).toBe(
      'Support can use your account. This ends in 30 minutes.',
    )
    expect(supportWords(say, minute, minute)).toBe('The support session is over.')
    expect(signOutQuestion(say, session)).toContain('End the support session of Hedy')
    expect(signedOutWords(say, session, [])).toBe(
      'The support session of Hedy on her phone is over.',
    )
  })
})

describe('where a device signed in', () => {
  it('is said in words where the address alone would puzzle', () => {
    expect(placeWords(say, undefined)).toBe('an unknown place')
    for (const own of ['::1', '127.0.0.1', '::ffff:127.0.0.1']) {
      expect(placeWords(say, own)).toBe('the server’s own machine')
    }
    for (const address of ['10.1.2.3', '192.168.0.7', '172.16.0.1', '172.31.0.1', 'fd12::1']) {
      expect(placeWords(say, address)).toBe(`a private network (${address})`)
    }
  })

  it('is the address everywhere else', () => {
    for (const address of ['203.0.113.7', '172.15.0.1', '172.32.0.1', '2001:db8::1', 'fe::1']) {
      expect(placeWords(say, address)).toBe(address)
    }
  })
})

describe('when a device has to sign in again', () => {
  const now = Date.UTC(2030, 0, 1)
  const day = 86_400_000

  it('is counted in days, of which one that has begun is one', () => {
    expect(expiryWords(say, now + 90 * day, now)).toBe('Must sign in again in 90 days.')
    expect(expiryWords(say, now + 90 * day - 1, now)).toBe('Must sign in again in 90 days.')
    expect(expiryWords(say, now + day + 1, now)).toBe('Must sign in again in 2 days.')
    expect(expiryWords(say, now + day, now)).toBe('Must sign in again within a day.')
  })

  it('may have come, or never come', () => {
    expect(expiryWords(say, now, now)).toBe('Must sign in again.')
    expect(expiryWords(say, undefined, now)).toBe('Stays signed in.')
  })
})

it('says of a bound device when it needs its passkey', () => {
  const [now, hour] = [Date.UTC(2030, 0, 1), 3_600_000]
  expect(bindingWords(say, now + 24 * hour, now)).toBe('Needs its passkey again in 24 hours.')
  expect(bindingWords(say, now + hour, now)).toBe('Needs its passkey again within an hour.')
  for (const over of [now, undefined]) {
    expect(bindingWords(say, over, now)).toBe('Needs its passkey to continue.')
  }
})

it('counts the other devices', () => {
  expect(countOfOthers(say, 1)).toBe('1 other device')
  expect(countOfOthers(say, 2)).toBe('2 other devices')
})
