import {
  array as arrayOf,
  assert,
  asyncProperty,
  constantFrom,
  json,
  oneof,
  string,
} from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../test-env.ts'
import { csvRecords } from './csv.ts'
import { formats } from './formats/formats.ts'
import { jsonRecords } from './json.ts'
import { readExport } from './read-export.ts'
import { readUser } from './read-user.ts'
import type { GivenRecord } from './records.ts'
import { testExports } from './test-exports.ts'
import { collected, inPieces, lines } from './test-import.ts'

const rules = {
  usernames: {
    SVC_AUTH_RESERVED_USERNAMES: ['admin'],
    SVC_AUTH_USERNAME_MIN_LENGTH: 3,
    SVC_AUTH_USERNAME_MAX_LENGTH: 30,
  },
  emailsVerified: false,
}
const context = { firebase: null, now: new Date('2026-01-01T00:00:00Z') }

describe('comma-separated values', () => {
  const read = (text: string, size = 3) => collected(csvRecords(inPieces(text, size)))
  const cells = (records: GivenRecord[]) =>
    records.map(({ line, record }) => Object.assign({ line }, record))

  it('have commas, line ends and quotation marks in quoted cells', async () => {
    const text =
      '\uFEFFname,note\r\n"Ada, Countess","She said ""hello""\r\nand left"\r\n\r\nBob,\r\n'
    expect(cells(await read(text))).toEqual([
      { line: 2, name: 'Ada, Countess', note: 'She said "hello"\r\nand left' },
      { line: 5, name: 'Bob', note: '' },
    ])
  })

  it('are refused by the line where columns are missing, or a quotation mark has no other', async () => {
    const text = 'name,note\nAda\nBob,x\nCarol,"no end\nDave,y\n'
    expect(await read(text)).toEqual([
      { line: 2, record: 'unreadable' },
      { line: 3, record: { name: 'Bob', note: 'x' } },
      { line: 4, record: 'unreadable' },
    ])
  })

  it('keep no more of a record than a megabyte', async () => {
    const text = `name\n${'x'.repeat(2_000_000)}\nAda\n`
    expect(await read(text, 65_536)).toEqual([
      { line: 2, record: 'unreadable' },
      { line: 3, record: { name: 'Ada' } },
    ])
  })

  it('keep no more of a record than a megabyte where it is nothing but commas', async () => {
    const before = process.memoryUsage().heapUsed
    let most = 0
    async function* commas() {
      yield 'name\n'
      for (let piece = 0; piece < 80; piece += 1) {
        yield ','.repeat(65_536)
        most = Math.max(most, process.memoryUsage().heapUsed - before)
      }
    }
    expect(await collected(csvRecords(commas()))).toEqual([{ line: 2, record: 'unreadable' }])
    expect(most).toBeLessThan(50 * 2 ** 20)
  })

  it('have no column that changes what an object is', async () => {
    const [first] = await read('__proto__,constructor\nx,y\n')
    expect(Object.getPrototypeOf(first?.record)).toBe(Object.prototype)
  })
})

const people = async (from: string, text: string, container: 'jsonl' | 'json' = 'jsonl') => {
  const format = formats.get(from)
  if (!format) throw new Error(`There is no format ${from}.`)
  const rows = await collected(readExport(inPieces(text), { container, format, rules, ...context }))
  return rows.map(({ user }) => user)
}
const person = async (from: string, given: object) => {
  const [user] = await people(from, lines({ id: '1', email: 'ada@example.com', ...given }))
  return user
}

describe('a document with a table of people and one of accounts', () => {
  const document = (user: object[], account: object[]) =>
    people('better-auth', JSON.stringify({ user, account }), 'json')
  const hashes = ['a', 'b'].map((digit) => `${digit.repeat(32)}:${digit.repeat(128)}`)
  const credential = (userId: unknown, password = hashes[0]) => ({
    userId,
    providerId: 'credential',
    password,
  })
  const ada = { id: 'ada', email: 'ada@example.com' }
  const bob = { id: 'bob', email: 'bob@example.com' }

  it('gives each their own password where MongoDB has written the ids', async () => {
    const [first, second] = ['6632155cfe24b1a9c8f0a001', '6632155cfe24b1a9c8f0a002'].map(
      ($oid) => ({ $oid }),
    )
    const read = await document(
      [
        { _id: first, email: 'ada@example.com' },
        { _id: second, email: 'bob@example.com' },
      ],
      [credential(second, hashes[1]), credential(first, hashes[0])],
    )
    expect(read).toMatchObject([
      { externalId: first?.$oid, passwordHash: hashes[0] },
      { externalId: second?.$oid, passwordHash: hashes[1] },
    ])
  })

  it.each([[undefined], [null], [''], [{}], [{ $uuid: 'ada' }], [2 ** 53], [true]])(
    'is refused whole where the userId of an account is %j',
    async (userId) => {
      await expect(document([ada, bob], [credential('ada'), credential(userId)])).rejects.toThrow(
        'number 2',
      )
    },
  )

  it('refuses people without an id, and all who share one', async () => {
    const read = await document(
      [
        { email: 'nobody@example.com' },
        { id: { $uuid: '1' }, email: 'object@example.com' },
        { id: 2 ** 53, email: 'rounded@example.com' },
        ada,
        { id: 'ada', email: 'mallory@example.com' },
        bob,
      ],
      [credential('ada'), credential('undefined'), credential('[object Object]')],
    )
    const refusals = ['id_invalid', 'id_invalid', 'id_invalid', 'id_ambiguous', 'id_ambiguous']
    expect(read.slice(0, 5)).toEqual(refusals)
    expect(read[5]).toMatchObject({ email: 'bob@example.com', accounts: [] })
    expect(read[5]).not.toHaveProperty('passwordHash')
  })
})

describe('an id', () => {
  const rounded = Number('10769150350006150715113082367')

  it.each([[rounded], [1.5], ['a\0b'], ['\ud800'], [{}], [[1]], [true]])(
    'is refused where it could be the id of another: %j',
    async (id) => {
      expect(await person('own', { id })).toBe('id_invalid')
      expect(await person('own', { google: id })).toBe('id_invalid')
    },
  )

  it('is kept whole, or refused', async () => {
    const long = 'x'.repeat(255)
    expect(await person('own', { id: long })).toMatchObject({ externalId: long })
    expect(await person('own', { id: `${long}x` })).toBe('id_invalid')
    expect(await person('own', { google: `${long}x` })).toBe('id_invalid')
    expect(await person('own', { id: 17 })).toMatchObject({ externalId: '17' })
    expect(await person('own', { id: ' ' })).not.toHaveProperty('externalId')
  })

  it('is not looked at where its provider is not known here', async () => {
    const accounts = [{ provider: 'discord', id: rounded }]
    expect(await person('own', { accounts })).toMatchObject({ accounts: [], left: ['discord'] })
  })
})

describe('somebody who is locked out', () => {
  const locked = async (from: string, given: object) => {
    const user = await person(from, given)
    return typeof user === 'object' ? user.suspended : user
  }

  it.each(['2524-01-01 00:00:00+00', 'infinity', '2026-02-01T00:00:00Z', 'for good'])(
    'stays so at Supabase until %s',
    async (bannedUntil) => {
      expect(await locked('supabase', { banned_until: bannedUntil })).toBe(true)
    },
  )

  it('is let in where the ban of Supabase is over', async () => {
    expect(await locked('supabase', { banned_until: '2025-12-31 23:59:59.5+00' })).toBe(false)
    expect(await locked('supabase', { banned_until: null })).toBe(false)
  })

  it.each([[false], ['false'], ['f'], [0], ['0'], ['no'], ['off'], ['N']])(
    'is not enabled: %j',
    async (flag) => {
      expect(await locked('keycloak', { enabled: flag })).toBe(true)
      expect(await locked('django', { is_active: flag })).toBe(true)
    },
  )

  it.each([[true], ['true'], ['t'], [1], [undefined]])(
    'is not who is enabled: %j',
    async (flag) => {
      expect(await locked('keycloak', { enabled: flag })).toBe(false)
      expect(await locked('django', { is_active: flag })).toBe(false)
    },
  )

  it.each([[true], ['y'], ['Y'], ['on'], ['yes'], [1], ['2024-05-01']])(
    'is suspended: %j',
    async (flag) => {
      expect(await locked('own', { suspended: flag })).toBe(true)
      expect(await locked('firebase', { disabled: flag })).toBe(true)
      expect(await locked('better-auth', { banned: flag })).toBe(true)
    },
  )

  it.each([['X'], ['never'], [2], [-1], [{}], [['no']], ['infinity']])(
    'is refused where it cannot be told: %j',
    async (flag) => {
      expect(await locked('own', { suspended: flag })).toBe('flag_unknown')
      expect(await locked('firebase', { disabled: flag })).toBe('flag_unknown')
      expect(await locked('better-auth', { banned: flag })).toBe('flag_unknown')
      expect(await locked('keycloak', { enabled: flag })).toBe('flag_unknown')
      expect(await locked('django', { is_active: flag })).toBe('flag_unknown')
      expect(await locked('supabase', { is_anonymous: flag })).toBe('flag_unknown')
    },
  )

  it('is told by a column `status` of our own too', async () => {
    expect(await locked('own', { status: 'Suspended', suspended: 'no' })).toBe(true)
    expect(await locked('own', { status: 'active', suspended: 'yes' })).toBe(true)
    expect(await locked('own', { status: 'active' })).toBe(false)
    expect(await locked('own', { status: 'deleted' })).toBe('deleted')
    expect(await locked('own', { status: 'blocked' })).toBe('flag_unknown')
    expect(await locked('own', { status: {} })).toBe('flag_unknown')
  })
})

describe('a proof of an address', () => {
  const proved = async (emailVerified: unknown) => {
    const user = await person('own', { emailVerified })
    return typeof user === 'object' ? user.emailVerified : user
  }

  it.each([
    ['never 1'],
    ['not yet, mail sent 2024-05-01'],
    ['May 1, 2024'],
    ['2024'],
    ['2024-13-01'],
    ['0001-01-01T00:00:00Z'],
    ['12025550142'],
    [2],
    [-1],
  ])('is not read from %j', async (told) => {
    expect(await proved(told)).toBe('flag_unknown')
  })

  it.each([
    [true],
    ['T'],
    ['2024-05-01'],
    ['2024-05-01T10:00:00.000Z'],
    ['2024-05-01 10:00:00.123456+00'],
    [1714557600000],
    ['1714557600'],
    [{ $date: '2024-05-01T10:00:00Z' }],
  ])('is %j', async (told) => {
    expect(await proved(told)).toBe(true)
  })
})

describe('a moment', () => {
  it('that is none is left out, which is said', () => {
    const given = { email: 'ada@example.com', createdAt: 'yesterday', accounts: [] }
    expect(readUser(given, rules)).toMatchObject({ left: ['createdAt'] })
    expect(readUser({ ...given, createdAt: '' }, rules)).toMatchObject({ left: [] })
  })

  it.each([
    ['2024-05-01T10:00:00Z'],
    ['2024-05-01 10:00:00'],
    ['2024-05-01 10:00:00.000000+00'],
    ['2024-05-01 15:30:00+05:30'],
    ['2024-05-01 15:30:00+0530'],
    ['2024-05-01T03:00-07'],
    [1714557600],
    ['1714557600000'],
  ])('is %j', async (createdAt) => {
    const user = await person('own', { createdAt })
    expect(user).toMatchObject({ createdAt: new Date('2024-05-01T10:00:00Z') })
  })

  it('is nothing else', async () => {
    expect(await person('own', { createdAt: 'never 1' })).not.toHaveProperty('createdAt')
  })
})

describe('any file', () => {
  it('that is a realm without its users is refused whole', async () => {
    const text = JSON.stringify({ realm: 'board', enabled: true })
    await expect(collected(jsonRecords(inPieces(text, 7)))).rejects.toThrow(
      'a realm without its users',
    )
  })

  const systems = constantFrom(...formats.keys())
  const container = constantFrom('csv' as const, 'jsonl' as const)
  const real = constantFrom(...testExports.map(({ text }) => text))
  const broken = oneof(string(), json(), real, constantFrom('"', ',', '\n', '{', '}', '\\', '\0'))
  const texts = arrayOf(broken, { maxLength: 5 })

  it('is read to its end, row by row, without an error', async () => {
    const property = asyncProperty(systems, container, texts, async (from, as, parts) => {
      const format = formats.get(from)
      if (!format) return
      const reading = { container: as, format, rules, ...context }
      const rows = await collected(readExport(inPieces(parts.join(''), 997), reading))
      for (const { line, user } of rows) {
        expect(line).toBeGreaterThan(0)
        if (typeof user === 'object') expect(user.role).toBeTypeOf('string')
      }
    })
    await assert(property, { numRuns: 10 * runs })
  })

  it('is read though parts of a real one are missing, of another kind, or elsewhere', async () => {
    const value = oneof(json(), string(), constantFrom('null', '[]', '{}', '[[]]', '1e999', '""'))
    const property = asyncProperty(real, value, string(), async (text, put, cut) => {
      for (const [from, format] of formats) {
        const at = (cut.length * 137) % text.length
        const changed = text.slice(0, at) + put + text.slice(at + cut.length)
        const as =
          text.startsWith('{') || text.startsWith('[') ? ('jsonl' as const) : ('csv' as const)
        const whole = as === 'jsonl' ? changed.replaceAll('\n', ' ') : changed
        const reading = { container: as, format, rules, ...context }
        const rows = await collected(readExport(inPieces(whole, 4096), reading))
        expect(rows.length, from).toBeGreaterThanOrEqual(0)
      }
    })
    await assert(property, { numRuns: runs })
  })
})
