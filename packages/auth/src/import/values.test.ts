import { describe, expect, it } from 'vitest'
import { readUser } from './read-user.ts'
import { person, rules } from './testing/reading.ts'

describe('a person who is locked out', () => {
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
