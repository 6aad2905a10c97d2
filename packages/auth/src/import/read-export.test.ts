import { describe, expect, it } from 'vitest'
import { people, person } from './testing/reading.ts'

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
