import { describe, expect, it } from 'vitest'
import { checkPassword, createPasswordCheck } from './policy.ts'

function reasonsFor(...given: Parameters<typeof checkPassword>) {
  try {
    return checkPassword(...given) && []
  } catch (refused) {
    return (refused as { reasons: string[] }).reasons
  }
}

describe('checkPassword', () => {
  it('refuses a weak password with WeakPasswordError, 400 and its reasons (A-333)', () => {
    expect(() => checkPassword('ann', { username: 'ann' })).toThrow(
      expect.objectContaining({
        name: 'WeakPasswordError',
        status: 400,
        publicFields: { reasons: ['too_short', 'account_name'] },
      }),
    )
  })

  it('takes 8 to 256 characters, however many bytes they have', () => {
    const long = 'Ünïcödé '.repeat(32)

    expect(reasonsFor('7 chars')).toEqual(['too_short'])
    expect(reasonsFor('🐈🐕🐎🐖🐑🐐🐇')).toEqual(['too_short'])
    expect(reasonsFor('8 chars!')).toEqual([])
    expect(reasonsFor(long)).toEqual([])
    expect(reasonsFor(`${long}x`)).toEqual(['too_long'])
    expect(reasonsFor('🐈🐕🐎🐖'.repeat(64))).toEqual([])
  })

  it('counts the characters of the normalised form', () => {
    const syllables = '한글로쓴비밀번호'.repeat(32)

    expect(reasonsFor(syllables.normalize('NFD'))).toEqual([])
    expect(reasonsFor('\u{FDFA}'.repeat(15))).toEqual(['too_long'])
  })

  it('refuses a megabyte before it normalises it', () => {
    const started = performance.now()
    for (let times = 0; times < 20; times += 1) {
      expect(reasonsFor('\u{FDFA}'.repeat(1_000_000))).toEqual(['too_long'])
    }
    // To normalise one of them takes longer.
    expect(performance.now() - started).toBeLessThan(400)
  })

  it('gives back the normalised form, in which two ways of typing it are one', () => {
    expect(checkPassword('ﬁve blue café')).toBe('five blue café')
    expect(checkPassword('five blue cafe\u0301')).toBe('five blue café')
  })

  it('has no rules of composition', () => {
    expect(reasonsFor('correct horse battery staple')).toEqual([])
    expect(reasonsFor('83920174')).toEqual([])
    expect(reasonsFor('with a \0 inside')).toEqual([])
    expect(reasonsFor('        x       ')).toEqual([])
  })

  it.each([
    'password',
    'PassWord',
    'ｐａｓｓｗｏｒｄ',
    'password1',
    'P@ssw0rd!',
    'qwertyuiop',
    '1qaz2wsx',
    '123qweasd',
    '123456789',
    '11223344',
    'aaaaaaaa',
    '12121212',
    'iloveyou2',
    'Summer2026!',
    'michael@123',
    '31121999',
    '19991231',
    'trustno1',
  ])('refuses %s, which is among the first guesses', (password) => {
    expect(reasonsFor(password)).toEqual(['common'])
  })

  it.each(['Wintermute42', 'wintermute42@example.com', 'WinterMute-42'])(
    "refuses %s, the account's own name",
    (password) => {
      const owner = { email: 'wintermute42@example.com', username: 'wintermute-42' }

      expect(reasonsFor(password, owner)).toEqual(['account_name'])
      expect(reasonsFor(password, { email: 'case@example.com' })).toEqual([])
      expect(reasonsFor(password, { email: null })).toEqual([])
    },
  )
})

describe('createPasswordCheck', () => {
  const isBreached = async (password: string) => password === 'a café on mars'

  it('holds the policy and gives back the normalised form', async () => {
    const check = createPasswordCheck(null)

    expect(await check('a cafe\u0301 on mars', {})).toBe('a café on mars')
    await expect(check('password')).rejects.toMatchObject({ reasons: ['common'] })
  })

  it('asks about the normalised form, and refuses a breached password', async () => {
    const check = createPasswordCheck(isBreached)

    await expect(check('a cafe\u0301 on mars')).rejects.toMatchObject({
      name: 'WeakPasswordError',
      reasons: ['breached'],
    })
    expect(await check('a café on venus')).toBe('a café on venus')
  })
})
