import { assert, constantFrom, property, string, tuple } from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { hasArgon2 } from '../argon2.ts'
import { createPasswordHasher } from '../passwords.ts'
import { readForeignHash } from './foreign.ts'
import { firebaseHash } from './scrypt.ts'

const log = { error: vi.fn() }
const hasher = createPasswordHasher({ rounds: 4, workers: 1, log })
afterAll(() => hasher.close())

const password = 'Grün & 72 bytes'

// From README.md of github.com/firebase/scrypt.
const firebaseProject = {
  signerKey:
    'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  saltSeparator: 'Bw==',
  rounds: 8,
  memCost: 14,
}
const firebaseUser = {
  salt: '42xEC+ixf3L2lw==',
  hash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
}
const firebase = firebaseHash(firebaseProject, firebaseUser)

interface Vector {
  of: string
  stored: string
  password?: string
}

const vectors: Vector[] = [
  {
    of: "Firebase's README of its scrypt",
    stored: firebase,
    password: 'user1password',
  },
  {
    of: 'better-auth 1.3.34',
    stored:
      '782f7de3667a27900669176d766480f7:5d6cb1daaf5a0726a81a5720e3f58194eeabba7e5f9c7cff1a2b0045eec2db1d33338f4d89fc5f79faae99f03c3cdf4a586979cd2755cdf43fa5f2a6cb03668b',
  },
  {
    of: 'better-auth 1.3.34, of a ligature and a letter in two parts',
    stored:
      '5d4acd02f516c43e946750bf56836594:0ddaa3cd8c9cd5201da94d93de3d8a08594da9352b4ae314fea964491e6669d022e07d19af4093e3f2f47ac44ad99f76b81fd2d6b2359be2761d733dafd1c3b9',
    password: 'ﬁnd the cafe\u0301',
  },
  {
    of: 'Django 5.2.17, pbkdf2_sha256',
    stored: 'pbkdf2_sha256$20000$seasaltseasalt$DsYvpou9FatX5ltPG1ofdrQNCFFKcTfMZL1XtpyWQlw=',
  },
  {
    of: 'Django 5.2.17, pbkdf2_sha1',
    stored: 'pbkdf2_sha1$20000$seasaltseasalt$DZhFKbA5Wf6JZdv2GD0UjCq0w1c=',
  },
  {
    of: 'Django 5.2.17, bcrypt_sha256',
    stored: 'bcrypt_sha256$$2b$05$xNmNwewXA0nt.PFglz0JC.HMUxWtk9jcqk30Tx8hD.MTqZ.XtGzQe',
  },
  {
    of: 'Django 5.2.17, bcrypt',
    stored: 'bcrypt$$2b$05$zg636yHxGQYglo/5KJS11OmbExETEcLqHBZfaQ7bOr4ZfCHFmfqeW',
  },
  {
    of: 'Django 5.2.17, scrypt',
    stored:
      'scrypt$1024$seasaltseasalt$8$5$RzSRHogYL/hKUAKe5DKmaTiZejrK7s8ElEYzoqDx1vzBO/tMcqTxF6+9OJ7IqGbvgqGO7Z/iYt6/pNv1Bqepmw==',
  },
  {
    of: 'passlib 1.7.4, pbkdf2',
    stored: '$pbkdf2$5000$9V7Lea91DmHMOUcI4fxfqw$XfIXD2wAG6DHrHuZb7D1J3Lqb88',
  },
  {
    of: 'passlib 1.7.4, pbkdf2-sha256',
    stored:
      '$pbkdf2-sha256$5000$vHcOwdj731vLOSfE.P9/jw$1C2/qD8GxfLFxlk/xq3Utl5yGAquyFFS1HwIwllH42M',
  },
  {
    of: 'passlib 1.7.4, pbkdf2-sha512',
    stored:
      '$pbkdf2-sha512$5000$tBZiLCUEoDSGsFZqrbWWEg$VbHWNMaDCfoV.i7THFaUoUfzM1Z7GSrPQNVNhRNuMBVIyynxZYDz2LhQqpDPb2dzx6hYI8aPf6vx7vRvMfiQpw',
  },
  {
    of: 'passlib 1.7.4, scrypt',
    stored:
      '$scrypt$ln=10,r=8,p=1$LOUc45wT4nyvVWpNCSFkzA$laGlp0KYcn9Y2zzWml3R5S86p2jGH75rQO+qwyMjngk',
  },
]

const argon2Vectors: Vector[] = [
  {
    of: 'Django 5.2.17, argon2',
    stored:
      'argon2$argon2id$v=19$m=1024,t=2,p=2$MVpiaHV5MWxubXFQZ3FyUXYzajdaWQ$HNmdHerdhB68EuMk7IvzK3hiFdLG4VoK3WvxEfyoekw',
  },
  {
    of: "Django's own tests, argon2i",
    stored: 'argon2$argon2i$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$YC9+jJCrQhs5R6db7LlN8Q',
    password: 'secret',
  },
  {
    of: 'argon2-cffi 25.1.0, argon2id',
    stored:
      '$argon2id$v=19$m=1024,t=2,p=2$aE1pjdE6R0jpXQuh9N6bMw$ko8aL5+ntM8vDPXuOiGudJ2O1E77D/3Yt63rqRCDDrk',
  },
  {
    of: 'argon2-cffi 25.1.0, argon2i',
    stored:
      '$argon2i$v=19$m=1024,t=2,p=2$d+59r3XuPefcm5PyPqe01g$qUz7WFQNdUqMGpMeHHlRud7IbYOTmO3yIe/Z6VBnTYw',
  },
  {
    of: 'argon2-cffi 25.1.0, argon2d',
    stored:
      '$argon2d$v=19$m=1024,t=2,p=2$d87Zuxei1Pr/n3OutTbmvA$KkJTdGZRBo0C5XJqjV7flNxTRChy1U7Tq8RJqiiwElc',
  },
]

describe.each([...vectors, ...(hasArgon2 ? argon2Vectors : [])])(
  'a hash of $of',
  ({ stored, ...vector }) => {
    const right = vector.password ?? password

    it('takes the right password alone, and is to be replaced', async () => {
      expect(await hasher.verify(right, stored)).toBe(true)
      expect(await hasher.verify(`${right} `, stored)).toBe(false)
      expect(await hasher.verify('', stored)).toBe(false)
      expect(hasher.needsRehash(stored)).toBe(true)
    })

    it('is refused where a part of it is missing', () => {
      expect(readForeignHash(stored.replace(/[$:][^$:]*$/, ''))).toBeTypeOf('string')
      expect(readForeignHash(`${stored}!`)).toBeTypeOf('string')
    })
  },
)

describe('a hash that many passwords would match', () => {
  it.each([
    ['no digest', '$pbkdf2-sha256$5000$c2FsdA$'],
    ['a digest of one byte', '$pbkdf2-sha256$5000$c2FsdA$AA'],
    ["Django's, of one byte", 'pbkdf2_sha256$5000$salt$AA=='],
    ['scrypt of three bytes', '$scrypt$ln=10,r=8,p=1$c2FsdA$AAAA'],
    ['better-auth of one byte', `${'0'.repeat(32)}:00`],
    ['Firebase without a signer key', '$firebase-scrypt$ln=14,r=8$Bw$$42xECw$AAAA'],
  ])('is refused: %s', (_, stored) => {
    expect(readForeignHash(stored)).toBe('hash_malformed')
  })
})

describe('any other text', () => {
  const starts = ['$argon2id$v=19$', '$scrypt$ln=', 'pbkdf2_sha256$', '$pbkdf2-sha512$', '$2b$12$']
  const parts = constantFrom('$', 'm=1,t=1,p=1', '=', ',', '0', '19', 'A'.repeat(22), ':', 'svc1$')

  it('is read without an error and without end, with any content', () => {
    const texts = tuple(constantFrom('', ...starts), string(), parts, parts, parts, string())
    assert(
      property(texts, (pieces) => {
        const hash = readForeignHash(pieces.join(''))
        return typeof hash === 'string' || hash.digest.length >= 16
      }),
      { numRuns: 2000 },
    )
  })
})
