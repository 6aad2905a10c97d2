import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readKeyring } from '../../packages/auth/src/crypto/crypto.ts'
import { developmentSecrets } from '../../packages/cli/src/environment/development-secrets.ts'
import { temporaryTree } from '../temporary-tree.ts'

const newFile = () => join(temporaryTree({}), '.svc', 'secrets.env')

describe('developmentSecrets', () => {
  it('generates what is missing once, into a file that only its owner reads', () => {
    const file = newFile()
    const secrets = developmentSecrets({}, file)

    expect(secrets['SVC_AUTH_SESSION_SECRET']).toMatch(/^[\w-]{43}$/)
    expect(secrets['SVC_AUTH_SESSION_SECRET']).not.toBe(
      secrets['SVC_AUTH_VERIFICATION_TOKEN_SECRET'],
    )
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(developmentSecrets({}, file)).toEqual(secrets)
  })

  it('adds a new name to an existing file and keeps the others', () => {
    const file = newFile()
    developmentSecrets({}, file)
    const kept = 'SVC_AUTH_SESSION_SECRET=an-own-one'
    writeFileSync(file, kept)
    chmodSync(file, 0o644)

    expect(developmentSecrets({}, file)['SVC_AUTH_SESSION_SECRET']).toBe('an-own-one')
    expect(readFileSync(file, 'utf8').split('\n')).toContain(kept)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('generates a keyring that the server reads, and adds it to a file that has none', () => {
    const file = newFile()
    developmentSecrets({}, file)
    const lines = readFileSync(file, 'utf8').split('\n')
    const without = lines.filter((line) => !line.startsWith('SVC_AUTH_TOKEN_ENCRYPTION_KEYS='))
    expect(without).toHaveLength(lines.length - 1)
    writeFileSync(file, without.join('\n'))

    const secrets = developmentSecrets({}, file)
    const keyring = readKeyring(secrets)
    expect(keyring?.activeKeyId).toBe('development')
    expect(keyring?.keys.size).toBe(1)
    expect(readFileSync(file, 'utf8')).toContain(without.join('\n'))
    expect(developmentSecrets({}, file)).toEqual(secrets)
  })

  it('leaves a variable that is set', () => {
    const secrets = developmentSecrets({ SVC_AUTH_SESSION_SECRET: 'given' }, newFile())
    expect(secrets).not.toHaveProperty('SVC_AUTH_SESSION_SECRET')
  })

  it('generates a sign-in once, where no account is named', () => {
    const file = newFile()
    const first = developmentSecrets({}, file)
    expect(first).toMatchObject({
      SVC_AUTH_ADMIN_EMAIL: 'admin@example.com',
      SVC_AUTH_ADMIN_PASSWORD: expect.stringMatching(/^[\w-]{16}$/),
    })
    expect(developmentSecrets({}, file)).toEqual(first)
  })

  it('generates no sign-in beside an account that is named, in whichever form', () => {
    const file = newFile()
    developmentSecrets({}, file)
    for (const name of [
      'SVC_AUTH_ADMIN_ACCOUNTS',
      'SVC_AUTH_ADMIN_EMAILS',
      'SVC_AUTH_ADMIN_EMAIL',
    ]) {
      const secrets = developmentSecrets({ [name]: 'given' }, file)
      expect(Object.keys(secrets)).toEqual([
        'SVC_AUTH_VERIFICATION_TOKEN_SECRET',
        'SVC_AUTH_SESSION_SECRET',
        'SVC_AUTH_TOKEN_ENCRYPTION_KEYS',
      ])
    }
    expect(developmentSecrets({ SVC_AUTH_ADMIN_ACCOUNTS: '' }, file)).toHaveProperty(
      'SVC_AUTH_ADMIN_PASSWORD',
    )
  })

  it('generates nothing in production', () => {
    const file = newFile()
    expect(developmentSecrets({ NODE_ENV: 'production' }, file)).toEqual({})
    expect(existsSync(file)).toBe(false)
  })
})
