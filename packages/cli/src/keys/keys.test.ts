import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { secrets } from '../environment/secrets.ts'
import { main } from '../main.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const here = process.cwd()
afterEach(() => process.chdir(here))

const names = secrets.map(({ name }) => name)

/** A folder of an application, with what is written into its .env. */
function application(text?: string) {
  const files = { 'package.json': '{}', ...(text !== undefined && { '.env': text }) }
  const root = temporaryFolder(files)
  process.chdir(root)
  const file = join(root, '.env')
  return {
    text: () => readFileSync(file, 'utf8'),
    variables: () => parseEnv(readFileSync(file, 'utf8')),
    write: (changed: string) => writeFileSync(file, changed),
    mode: () => statSync(file).mode & 0o777,
  }
}

async function svc(...args: string[]) {
  const [out, err] = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
  for (const printed of [out, err]) printed.mockReset().mockReturnValue()
  const code = await main(args)
  return { code, stdout: out.mock.calls.join('\n'), stderr: err.mock.calls.join('\n') }
}

describe('svc keys', () => {
  it('prints a new value for every secret, each time another, and writes nothing', async () => {
    const { code, stdout } = await svc('keys')
    const printed = parseEnv(stdout)
    expect({ code, names: new Set(Object.keys(printed)) }).toEqual({
      code: 0,
      names: new Set(names),
    })
    expect(new Set(Object.values(printed)).size).toBe(names.length)
    for (const name of names)
      expect(parseEnv((await svc('keys')).stdout)[name]).not.toBe(printed[name])
  })

  it('writes into .env what is missing, touches nothing that is there, and shows no secret', async () => {
    const kept = '# mine\nSVC_AUTH_SESSION_SECRET="my own"\nOTHER=1 # why'
    const app = application(kept)
    const { code, stdout } = await svc('keys', '--env')

    expect(code).toBe(0)
    expect(app.text().startsWith(`${kept}\n`)).toBe(true)
    expect(new Set(Object.keys(app.variables()))).toEqual(new Set(['OTHER', ...names]))
    for (const name of names) expect(stdout).not.toContain(app.variables()[name])
    expect(stdout).not.toContain('SVC_AUTH_SESSION_SECRET')
    expect(app.mode()).toBe(0o600)

    const written = app.text()
    expect((await svc('keys', '--env')).stdout).toContain('nothing was changed')
    expect(app.text()).toBe(written)
  })

  it('leaves out what a file has', async () => {
    const app = application('SVC_AUTH_SESSION_SECRET_FILE=/run/secrets/session\n')
    await svc('keys', '--env')
    expect(app.variables()).not.toHaveProperty('SVC_AUTH_SESSION_SECRET')
    expect(app.variables()).toHaveProperty('SVC_PROXY_SECRET')
  })

  it('fills in what is there with no value', async () => {
    const app = application('SVC_AUTH_SESSION_SECRET=\n')
    await svc('keys', '--env')
    expect(app.variables()['SVC_AUTH_SESSION_SECRET']).toMatch(/^[\w-]{43}$/)
  })
})

describe('svc keys rotate', () => {
  it.each(['SVC_AUTH_TOKEN_ENCRYPTION_KEYS', 'SVC_PROXY_SECRET'])(
    'puts a new entry in front of %s and keeps what there was',
    async (name) => {
      const old = `k1:${'a#b'.repeat(11)}`
      const app = application(`A=1\n${name}="${old}"\nB=2\n`)
      for (const entries of [2, 3]) {
        const before = app.variables()[name]
        const { code, stdout } = await svc('keys', 'rotate', name)
        expect(code).toBe(0)
        const list = app.variables()[name]?.split(',') ?? []
        expect(list).toHaveLength(entries)
        expect(list.slice(1).join(',')).toBe(before)
        expect(new Set(list.map((entry) => entry.split(':')[0])).size).toBe(entries)
        expect(stdout).toContain('1. Deploy the API')
        for (const entry of list) expect(stdout).not.toContain(entry.split(':')[1])
      }
      expect(app.text()).toMatch(/^A=1\n.*\nB=2\n$/)
    },
  )

  it('keeps older session secrets for reading, the last one first', async () => {
    const app = application('SVC_AUTH_SESSION_SECRET=first\n')
    await svc('keys', 'rotate', 'SVC_AUTH_SESSION_SECRET')
    const { SVC_AUTH_SESSION_SECRET: second, SVC_AUTH_SESSION_SECRET_PREVIOUS } = app.variables()
    expect(SVC_AUTH_SESSION_SECRET_PREVIOUS).toBe('first')
    await svc('keys', 'rotate', 'SVC_AUTH_SESSION_SECRET')
    expect(app.variables()['SVC_AUTH_SESSION_SECRET_PREVIOUS']).toBe(`${second},first`)
    expect(app.text().match(/^SVC_/gm)).toHaveLength(2)
  })

  it('changes nothing that it does not know, and nothing that is kept elsewhere', async () => {
    const app = application('A=1\n')
    expect(await svc('keys', 'rotate', 'SVC_AUTH_SESSION_SECRTE')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean SVC_AUTH_SESSION_SECRET?'),
    })
    expect(await svc('keys', 'rotate', 'SVC_PROXY_SECRET')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not in .env'),
    })
    app.write('SVC_AUTH_SESSION_SECRET=a\nSVC_AUTH_SESSION_SECRET_PREVIOUS_FILE=/b\n')
    expect(await svc('keys', 'rotate', 'SVC_AUTH_SESSION_SECRET')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('.env has SVC_AUTH_SESSION_SECRET_PREVIOUS_FILE'),
    })
    app.write('A=1\n')
    expect((await svc('keys', 'rotate')).stderr).toBe(
      'svc keys rotate needs <variable>: svc keys rotate <variable>',
    )
    expect(app.text()).toBe('A=1\n')
  })
})
