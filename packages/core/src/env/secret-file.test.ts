import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { defineServer } from '../definition/define-server.ts'
import { startServer } from '../server/start-server.ts'
import {
  address,
  appPath,
  defineEnv,
  duration,
  EnvironmentError,
  flag,
  integer,
  list,
  oneOf,
  optional,
  plain,
  required,
  text,
  webAddress,
} from './env.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-secret-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0
function file(content: string | Uint8Array) {
  count += 1
  const path = join(folder, `secret-${count}`)
  writeFileSync(path, content)
  return path
}

const read = defineEnv({
  KEY: required,
  NOTE: optional,
  NAME: text('svc'),
  SCOPES: list(),
  DATABASE_URL: address('postgres'),
})

function problemsOf(source: Record<string, string>, reader: typeof read = read) {
  try {
    reader(source)
    return []
  } catch (error) {
    return (error as EnvironmentError).problems
  }
}

const problemOf = (path: string) => problemsOf({ KEY_FILE: path }).join()

describe('NAME_FILE', () => {
  it('gives the text of the file that it names, to every variable that may be a secret', () => {
    expect(
      read({
        KEY_FILE: file('hunter2'),
        NOTE_FILE: file('a note'),
        NAME_FILE: file('a name'),
        SCOPES_FILE: file('a, b'),
        DATABASE_URL_FILE: file('postgres://u:p@h/d'),
      }),
    ).toEqual({
      KEY: 'hunter2',
      NOTE: 'a note',
      NAME: 'a name',
      SCOPES: ['a', 'b'],
      DATABASE_URL: 'postgres://u:p@h/d',
    })
  })

  it('leaves off the line breaks at the end and a byte order mark, and nothing else', () => {
    for (const content of ['hunter2\n', 'hunter2\r\n', 'hunter2\n\n', '\uFEFFhunter2']) {
      expect(read({ KEY_FILE: file(content) }).KEY).toBe('hunter2')
    }
    expect(read({ KEY_FILE: file(' a\nb \n') }).KEY).toBe(' a\nb ')
  })

  it('may be a link, as Kubernetes makes them', () => {
    const link = join(folder, 'link')
    symlinkSync(file('hunter2'), link)
    expect(read({ KEY_FILE: link }).KEY).toBe('hunter2')
  })

  it('is not set where it is empty, and neither is a variable beside it', () => {
    expect(read({ KEY: 'k', KEY_FILE: '' }).KEY).toBe('k')
    expect(read({ KEY: '', KEY_FILE: file('k') }).KEY).toBe('k')
    expect(problemsOf({ KEY: '', KEY_FILE: '' })).toEqual(['KEY is required'])
  })

  it('is refused beside the variable itself: one of them must be a mistake', () => {
    expect(problemsOf({ KEY: 'k', KEY_FILE: file('k') })).toEqual([
      'KEY and KEY_FILE are both set: unset one of them',
    ])
  })

  it('is refused with its reason, all of them at once, with neither path nor text', () => {
    const problems = problemsOf({
      KEY_FILE: join(folder, 'hunter2'),
      NOTE_FILE: folder,
      NAME_FILE: file('\n'),
      SCOPES_FILE: 'hunter2/relative',
      DATABASE_URL_FILE: file('mysql://u:hunter2@h/d'),
    })
    expect(problems).toEqual([
      'KEY cannot be read: KEY_FILE names a file that does not exist',
      'NOTE cannot be read: NOTE_FILE does not name a regular file',
      'NAME cannot be read: NAME_FILE names an empty file',
      'SCOPES cannot be read: SCOPES_FILE must be an absolute path',
      'DATABASE_URL must start with postgres:',
    ])
    expect(problems.join()).not.toContain('hunter2')
  })

  it('takes a secret that was given in the place of a path for no path, and does not show it', () => {
    expect(problemOf('postgres://u:hunter2@h/d')).toBe(
      'KEY cannot be read: KEY_FILE must be an absolute path',
    )
  })

  it('is refused for more than 64 KiB', () => {
    expect(read({ KEY_FILE: file('x'.repeat(64 * 1024)) }).KEY).toHaveLength(64 * 1024)
    expect(problemOf(file('x'.repeat(64 * 1024 + 1)))).toContain('of more than 64 KiB')
  })

  it('is refused for what is not text', () => {
    for (const content of [Buffer.from([0xff, 0x6b]), Buffer.from('k\0e\0', 'latin1')]) {
      expect(problemOf(file(content))).toContain('names a file that is not text in UTF-8')
    }
    expect(problemOf('/dev/null')).toContain('does not name a regular file')
    expect(problemOf(join(file('k'), 'below'))).toContain('does not exist')
    expect(problemOf(`${folder}\0`)).toContain('names a file that cannot be read')
  })

  it.skipIf(process.platform === 'win32')(
    'is refused where the process may not read it (Windows has no modes)',
    () => {
      const path = file('k')
      chmodSync(path, 0)
      // Root may read every file.
      const isRoot = process.getuid?.() === 0
      if (isRoot) process.seteuid?.('nobody')
      try {
        expect(problemOf(path)).toContain('names a file that this process may not read')
      } finally {
        if (isRoot) process.seteuid?.('root')
      }
    },
  )

  it('means nothing to what is no secret: a choice, a number, a flag, a duration, an address of the web', () => {
    const readPlain = defineEnv({
      NODE_ENV: oneOf('development', 'production'),
      PORT: integer({ initial: 1 }),
      LOG: flag(false),
      LIFE: duration('1d'),
      URL: webAddress,
      PAGE: appPath('/a'),
      HOST: plain(text('localhost')),
    })
    const names = ['NODE_ENV', 'PORT', 'LOG', 'LIFE', 'URL', 'PAGE', 'HOST']
    const files = Object.fromEntries(names.map((name) => [`${name}_FILE`, '/nowhere']))
    expect(readPlain(files)).toEqual(readPlain({}))
  })

  it('is a variable of its own where one of that name is declared beside it', () => {
    const readOwn = defineEnv({ KEY: optional, KEY_FILE: text('machine-key.json') })
    expect(readOwn({ KEY: 'k', KEY_FILE: 'other.json' })).toEqual({
      KEY: 'k',
      KEY_FILE: 'other.json',
    })
    expect(readOwn({})).toEqual({ KEY: undefined, KEY_FILE: 'machine-key.json' })
  })

  it('is refused where the runtime has no files', () => {
    vi.stubGlobal('process', { env: {} })
    onTestFinished(() => void vi.unstubAllGlobals())
    expect(problemOf('/run/secrets/key')).toContain('cannot be used: this runtime has no files')
    vi.stubGlobal('process', undefined)
    expect(problemOf('/run/secrets/key')).toContain('cannot be used: this runtime has no files')
    const getBuiltinModule = () => {
      throw new Error('A Node.js API is used which is not supported in the Edge Runtime.')
    }
    vi.stubGlobal('process', { env: {}, getBuiltinModule })
    expect(problemOf('/run/secrets/key')).toContain('cannot be used: this runtime has no files')
  })
})

describe('a server', () => {
  it('reports files that it cannot read with all other problems, its own and the application’s', async () => {
    const definition = defineServer().env(defineEnv({ SHOP_KEY: required, SHOP_NOTE: optional }))
    mkdirSync(join(folder, 'shop'))
    const env = {
      DATABASE_URL_FILE: '/run/secrets/nowhere',
      CACHE_URL: 'redis://cache',
      CACHE_URL_FILE: '/run/secrets/cache',
      SVC_OPS_METRICS_TOKEN_FILE: file('short'),
      SHOP_KEY_FILE: join(folder, 'shop'),
      SHOP_NOTE_FILE: file('a note'),
    }
    await expect(startServer(definition, { env })).rejects.toMatchObject({
      problems: [
        'DATABASE_URL cannot be read: DATABASE_URL_FILE names a file that does not exist',
        'CACHE_URL and CACHE_URL_FILE are both set: unset one of them',
        expect.stringMatching(/^SVC_OPS_METRICS_TOKEN must have at least 32 characters/),
        'SHOP_KEY cannot be read: SHOP_KEY_FILE does not name a regular file',
      ],
    })
  })
})
