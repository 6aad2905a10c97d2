import { randomBytes, randomInt } from 'node:crypto'
import bcrypt from 'bcrypt'
import { describe, expect, it } from 'vitest'
import { fromBcryptBase64 } from '../stored-hash.ts'
import { createBcryptLanes, mostLanes } from './bcrypt-lanes.ts'

type Lanes = ReturnType<typeof createBcryptLanes>

/** What bcrypt's text has behind `$2b$`. */
function partsOf(text: string) {
  return {
    times: 2 ** Number(text.slice(4, 6)),
    salt: fromBcryptBase64(text.slice(7, 29)),
    digest: fromBcryptBase64(text.slice(29)),
  }
}

/** The digest, once the lanes have come so far; null until then. */
function add(lanes: Lanes, secret: Buffer, text: string) {
  const { digest: expected, ...cost } = partsOf(text)
  const lane: { derived: Buffer | null; expected: Buffer } = { derived: null, expected }
  lanes.add({ secret, ...cost }, (digest) => (lane.derived = digest))
  return lane
}

function finish(lanes: Lanes) {
  while (lanes.count > 0) lanes.step()
}

describe('bcrypt in lanes', () => {
  // From crypt_blowfish's wrapper.c, with passwords of 0 to 72 bytes and one of more.
  it.each([
    ['U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['U*U*', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK'],
    ['U*U*U', '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a'],
    ['', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy'],
    [
      '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789chars after 72 are ignored',
      '$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui',
    ],
  ])('makes the digest that others publish, of %j', (password, text) => {
    const lanes = createBcryptLanes(0)
    const lane = add(lanes, Buffer.from(password), text)
    finish(lanes)

    expect(lane.derived).toEqual(lane.expected)
  })

  it('makes what the library makes, however many there are and whenever they come', () => {
    const lanes = createBcryptLanes(0)
    const all: ReturnType<typeof add>[] = []
    while (all.length < 200) {
      if (lanes.count < mostLanes && randomInt(2) === 0) {
        const secret = randomBytes(randomInt(40)).toString('hex')
        all.push(add(lanes, Buffer.from(secret), bcrypt.hashSync(secret, randomInt(4, 8))))
      } else if (lanes.count > 0) lanes.step()
    }
    finish(lanes)

    for (const { derived, expected } of all) expect(derived).toEqual(expected)
  })

  it('takes the next one when those under way are some way ahead', () => {
    const lanes = createBcryptLanes(64)
    expect(lanes.takesMore).toBe(true)
    add(lanes, Buffer.from('one'), bcrypt.hashSync('one', 8))
    expect(lanes.takesMore).toBe(false)
    lanes.step()
    expect(lanes.takesMore).toBe(false)
    lanes.step()
    expect(lanes.takesMore).toBe(true)
  })

  it('takes no fifth', () => {
    const lanes = createBcryptLanes(0)
    const text = bcrypt.hashSync('one', 8)
    for (let count = 0; count < mostLanes; count += 1) {
      expect(lanes.takesMore).toBe(true)
      add(lanes, Buffer.from('one'), text)
    }
    expect(lanes.takesMore).toBe(false)
  })
})
