import { describe, expect, it } from 'vitest'
import {
  bindingWords,
  countOfOthers,
  deviceKind,
  deviceName,
  expiryWords,
  placeWords,
} from './device-words.ts'

describe('a device', () => {
  it('is called as it says, or after its platform', () => {
    expect(deviceName({ deviceName: 'Firefox on Linux', platform: 'web' })).toBe('Firefox on Linux')
    expect(deviceName({ platform: 'android' })).toBe('Android device')
    expect(deviceName({})).toBe('Device without a name')
  })

  it('gets the picture of what it runs on', () => {
    expect(deviceKind({ deviceName: 'Safari on iPhone', platform: 'web' })).toBe('phone')
    expect(deviceKind({ deviceName: 'Safari on iPad', platform: 'web' })).toBe('tablet')
    expect(deviceKind({ deviceName: 'Chrome on Windows', platform: 'web' })).toBe('computer')
    expect(deviceKind({ platform: 'ios' })).toBe('phone')
    expect(deviceKind({ platform: 'desktop' })).toBe('computer')
    expect(deviceKind({ deviceName: 'backup job' })).toBe('unknown')
  })
})

describe('where a device signed in', () => {
  it('is said in words where the address alone would puzzle', () => {
    expect(placeWords(undefined)).toBe('an unknown place')
    for (const own of ['::1', '127.0.0.1', '::ffff:127.0.0.1']) {
      expect(placeWords(own)).toBe('the server’s own machine')
    }
    for (const address of ['10.1.2.3', '192.168.0.7', '172.16.0.1', '172.31.0.1', 'fd12::1']) {
      expect(placeWords(address)).toBe(`a private network (${address})`)
    }
  })

  it('is the address everywhere else', () => {
    for (const address of ['203.0.113.7', '172.15.0.1', '172.32.0.1', '2001:db8::1', 'fe::1']) {
      expect(placeWords(address)).toBe(address)
    }
  })
})

describe('when a device has to sign in again', () => {
  const now = Date.UTC(2030, 0, 1)
  const day = 86_400_000

  it('is counted in days, of which one that has begun is one', () => {
    expect(expiryWords(now + 90 * day, now)).toBe('Has to sign in again in 90 days.')
    expect(expiryWords(now + 90 * day - 1, now)).toBe('Has to sign in again in 90 days.')
    expect(expiryWords(now + day + 1, now)).toBe('Has to sign in again in 2 days.')
    expect(expiryWords(now + day, now)).toBe('Has to sign in again within a day.')
  })

  it('may have come, or never come', () => {
    expect(expiryWords(now, now)).toBe('Has to sign in again.')
    expect(expiryWords(undefined, now)).toBe('Stays signed in.')
  })
})

it('says of a bound device when it needs its passkey', () => {
  const [now, hour] = [Date.UTC(2030, 0, 1), 3_600_000]
  expect(bindingWords(now + 24 * hour, now)).toBe('Needs its passkey again in 24 hours.')
  expect(bindingWords(now + hour, now)).toBe('Needs its passkey again within an hour.')
  for (const over of [now, undefined]) {
    expect(bindingWords(over, now)).toBe('Needs its passkey to go on.')
  }
})

it('counts the other devices', () => {
  expect(countOfOthers(1)).toBe('1 other device')
  expect(countOfOthers(2)).toBe('2 other devices')
})
