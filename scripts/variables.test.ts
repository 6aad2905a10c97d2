import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readAdminAccounts } from '../packages/auth/src/admin-seed/admin-seed.ts'
import { readAppUrl } from '../packages/auth/src/app-url.ts'
import { authCapabilities } from '../packages/auth/src/capabilities.ts'
import { readKeyring } from '../packages/auth/src/crypto/crypto.ts'
import { readAuthEnv } from '../packages/auth/src/env.ts'
import { createAuthLifecycle } from '../packages/auth/src/lifecycle.ts'
import { readIssuer } from '../packages/auth/src/mfa/mfa-totp.ts'
import { readSigningKeys } from '../packages/auth/src/oauth2/id-tokens/id-tokens.ts'
import { readSetAddresses } from '../packages/auth/src/providers/endpoints.ts'
import { readProviderSettings } from '../packages/auth/src/providers/provider-settings.ts'
import { readResultPages } from '../packages/auth/src/social/held.ts'
import { readRelyingParty } from '../packages/auth/src/webauthn/webauthn.ts'
import { walk } from '../packages/cli/src/run/source-files.ts'
import { defineServer } from '../packages/core/src/definition/define-server.ts'
import { readServerEnv } from '../packages/core/src/definition/env.ts'
import { defineEnv, type EnvironmentSource } from '../packages/core/src/env/env.ts'
import { shutdownVariables } from '../packages/core/src/http/env.ts'
import { startServer } from '../packages/core/src/server/start-server.ts'
import { readNotificationEnv } from '../packages/notification/src/env.ts'
import { readWebEnv } from '../packages/web/src/env.ts'

type Read = (source: EnvironmentSource) => unknown

const root = resolve(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/reference/variables.md'), 'utf8')
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const keys = `a:${Buffer.alloc(32, 7).toString('base64')}`

// Of `svc-web`, which serves a web app.
const readShutdown = defineEnv(shutdownVariables)

// The server reads them if the application has `openid`, and requires them then.
const readOpenidKeys: Read = (source) => {
  const { SVC_AUTH_OPENID_KEYS: given, SVC_AUTH_OPENID_KEYS_FILE: file } = source
  return given === undefined && file === undefined ? null : readSigningKeys(source)
}

const all =
  (...readers: Read[]): Read =>
  (source) =>
    readers.map((read) => read(source))

/** The sections of the page: who reads what is listed, and what else is set so that every variable counts. */
const sections: Record<string, { read: Read; base: EnvironmentSource }> = {
  'The server': { read: readServerEnv, base: {} },
  'Sign-in': {
    read: all(
      readAuthEnv,
      ...authCapabilities({}).map(({ parts }) => defineEnv(parts.env ?? {})),
      readAppUrl,
      readAdminAccounts,
      readKeyring,
      readProviderSettings,
      readSetAddresses,
      readResultPages,
      readRelyingParty,
      readIssuer,
      readOpenidKeys,
    ),
    base: {
      SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'a secret of the tests',
      SVC_AUTH_GOOGLE_CLIENT_ID: 'google',
      SVC_AUTH_GOOGLE_CLIENT_SECRET: 'secret',
      SVC_AUTH_GITHUB_CLIENT_ID: 'github',
      SVC_AUTH_GITHUB_CLIENT_SECRET: 'secret',
      SVC_AUTH_NAVER_CLIENT_ID: 'naver',
      SVC_AUTH_NAVER_CLIENT_SECRET: 'secret',
      SVC_AUTH_KAKAO_CLIENT_ID: 'kakao',
      SVC_AUTH_OPENID_KEYS: JSON.stringify([privateKey.export({ format: 'jwk' })]),
    },
  },
  'Mail and text messages': { read: readNotificationEnv, base: {} },
  'The web process': {
    read: all(readWebEnv, readShutdown),
    base: { SVC_AUTH_SESSION_SECRET: 'q7Zt-1mKx_9PfVw3RbYc5LsDh8GjNaEu' },
  },
}

const lists = Object.entries(sections).map(([title, { read, base }]) => {
  const text = page.split(/^## /m).find((each) => each.startsWith(`${title}\n`)) ?? ''
  const rows = [...text.matchAll(/^\| `(\w+)` \| (.*?) \|/gm)]
  return { title, read, base, rows: rows.map(([, name = '', initial = '']) => ({ name, initial })) }
})

/** The names that a reader asks for. */
function namesReadBy(read: Read, base: EnvironmentSource) {
  const names = [...everyNameReadBy(read, base)]
  return new Set(names.filter((name) => !name.endsWith('_FILE')))
}

function everyNameReadBy(read: Read, base: EnvironmentSource) {
  const names = new Set<string>()
  const get = (source: EnvironmentSource, name: string) => {
    names.add(name)
    return source[name]
  }
  read(new Proxy(base, { get }))
  return names
}

describe('docs/reference/variables.md', () => {
  it.each(lists)('lists what is read of: $title', ({ read, base, rows }) => {
    const names = rows.map(({ name }) => name)
    const expected = namesReadBy(read, base)
    // It is listed once, of the server.
    if (!names.includes('NODE_ENV')) expected.delete('NODE_ENV')
    expect(new Set(names)).toEqual(expected)
    expect(names).toHaveLength(expected.size)
  })

  it('lists every variable that a server with sign-in reads', () => {
    const { validateEnvironment } = createAuthLifecycle()
    const base = { ...sections['Sign-in']?.base, SVC_AUTH_TOKEN_ENCRYPTION_KEYS: keys }
    for (const name of namesReadBy((source) => validateEnvironment?.(source), base)) {
      expect(page).toContain(`| \`${name}\` |`)
    }
  })

  const every = lists.flatMap(({ rows, ...list }) => rows.map((row) => ({ ...list, ...row })))

  it.each(every)('has the default of $name ($title)', ({ name, initial, read, base }) => {
    const readWith = (text?: string) => read({ ...base, [name]: text })
    const [, text] = /^`(.+)`$/.exec(initial) ?? []
    if (text !== undefined) {
      const value = text.replace('<app_url>', 'http://localhost:3790')
      expect(readWith(value)).toEqual(readWith())
    } else if (initial === 'required') {
      expect(() => readWith()).toThrow(`${name} is required`)
    } else if (initial === 'refused') {
      expect(() => readWith('x')).toThrow(name)
    } else {
      expect(() => readWith()).not.toThrow()
    }
  })

  const sentinel = 'hunter2'
  const shapes = [
    sentinel,
    `${sentinel},${sentinel}`,
    `http://${sentinel}.example/${sentinel}`,
    `ftp://user:${sentinel}@example.com`,
    `a:${sentinel}`,
    `/../${sentinel}`,
    `{"${sentinel}": 1}`,
    `[{"email": "${sentinel}", "password": "${sentinel}", "role": "${sentinel}"}]`,
  ]

  it.each(every)('shows no value of $name ($title) beside a problem', ({ name, read, base }) => {
    for (const shape of shapes) {
      try {
        read({ ...base, [name]: shape })
      } catch (error) {
        expect((error as Error).name).toBe('EnvironmentError')
        expect(String(error)).toContain(name.replace(/(ACCOUNTS|EMAILS?|PASSWORDS?|ROLES)$/, ''))
        expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain(sentinel)
      }
    }
  })
})

describe('NAME_FILE', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-variables-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'secret')

  const every = lists.flatMap(({ rows, read, base, title }) => {
    const asked = everyNameReadBy(read, base)
    return rows.map(({ name }) => ({ title, name, read, base, hasFile: asked.has(`${name}_FILE`) }))
  })

  it('is there for every secret, and for nothing that another program reads from the variable', () => {
    const isSecret =
      /SECRET|PASSWORDS?$|KEYS?$|TOKEN$|ACCOUNTS$|^(DATABASE|CACHE)_URL|^SVC_(MAIL|SMS)_URL$/
    const isFlag = /^SVC_AUTH_BREACHED_PASSWORDS$/
    const isShared = /^(NODE_ENV|NEXT_PUBLIC_\w+|SVC_(PORT|HOST|LISTEN|API_URL|APP_URL))$/
    const secrets = every.filter(({ name }) => isSecret.test(name) && !isFlag.test(name))
    expect(secrets.length).toBeGreaterThan(20)
    expect(secrets.filter(({ hasFile }) => !hasFile)).toEqual([])
    expect(every.filter(({ name, hasFile }) => hasFile && isShared.test(name))).toEqual([])
  })

  const values = [
    'none',
    'Yb0Ls9Uj4Hd7Gc2Ne5AiTqKf3vQm8ZpXw1Rt6-_',
    'a:Yb0Ls9Uj4Hd7Gc2Ne5AiTqKf3vQm8ZpX',
    keys,
    'postgres://u:p@h/d',
    'redis://:p@h',
    'smtps://u:p@mail.example.com',
    'https://u:p@sms.example.com/send',
    'app.example.com',
    'a@example.com',
    '82,1',
  ]

  function outcome(read: Read, source: EnvironmentSource) {
    try {
      return JSON.stringify(read(source))
    } catch (error) {
      return String(error)
    }
  }

  it.each(every.filter(({ hasFile }) => hasFile))(
    'gives $name what its file says ($title)',
    ({ name, read, base }) => {
      const { [name]: _, ...others } = base
      for (const value of values) {
        writeFileSync(path, `${value}\n`)
        const direct = outcome(read, { ...others, [name]: value })
        expect(outcome(read, { ...others, [`${name}_FILE`]: path })).toBe(direct)
      }
    },
  )
})

describe('the server and the web process', () => {
  const server = sections['Sign-in']?.base ?? {}
  const web = sections['The web process']?.base ?? {}

  it('have the secrets that each of them needs, and the web process starts without the server’s (A-074)', () => {
    expect(server).not.toHaveProperty('SVC_AUTH_SESSION_SECRET')
    expect(readAuthEnv(server)).toBeDefined()
    const serverOnly = lists
      .find(({ title }) => title === 'Sign-in')
      ?.rows.filter(({ name }) => /SECRET|PASSWORDS?$|ACCOUNTS|KEYS?$/.test(name))
    expect(serverOnly?.length).toBeGreaterThan(8)
    for (const { name } of serverOnly ?? []) expect(web).not.toHaveProperty(name)
    expect(readWebEnv(web)).toBeDefined()
  })

  it('keep a web session for 7 days, or for as long as a duration says (A-082)', () => {
    for (const readWith of [
      (ttl?: string) => readAuthEnv({ ...server, SVC_AUTH_SESSION_TTL: ttl }),
      (ttl?: string) => readWebEnv({ ...web, SVC_AUTH_SESSION_TTL: ttl }),
    ]) {
      const hour = 3_600_000
      expect(readWith().SVC_AUTH_SESSION_TTL).toBe(7 * 24 * hour)
      expect(readWith('7d').SVC_AUTH_SESSION_TTL).toBe(7 * 24 * hour)
      expect(readWith('12h').SVC_AUTH_SESSION_TTL).toBe(12 * hour)
      expect(readWith('45m').SVC_AUTH_SESSION_TTL).toBe(0.75 * hour)
      for (const wrong of ['7', 'a week', '1w', '-1d', '0d', '1.5h', '7d12h']) {
        expect(() => readWith(wrong), wrong).toThrow('SVC_AUTH_SESSION_TTL must be a duration')
      }
    }
  })

  it('have cookies for TLS alone in production, unless told otherwise (A-085)', () => {
    const production = {
      ...server,
      NODE_ENV: 'production',
      SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'a secret of the tests, long enough for any check',
    }
    for (const [readWith, base] of [
      [readAuthEnv, production],
      [readWebEnv, { ...web, NODE_ENV: 'production' }],
    ] as const) {
      const secure = (source: EnvironmentSource) =>
        readWith({ ...base, ...source }).SVC_AUTH_COOKIE_SECURE
      expect(secure({})).toBe(true)
      for (const NODE_ENV of [undefined, 'development', 'test']) {
        expect(secure({ NODE_ENV })).toBe(false)
        expect(secure({ NODE_ENV, SVC_AUTH_COOKIE_SECURE: 'on' })).toBe(true)
      }
      expect(secure({ SVC_AUTH_COOKIE_SECURE: 'off' })).toBe(false)
    }
  })

  it('tell browsers where API and app are, and the app is where the public address says (A-104)', () => {
    const urls = {
      NEXT_PUBLIC_SVC_API_URL: 'https://api.example.com',
      NEXT_PUBLIC_SVC_APP_URL: 'https://app.example.com',
    }
    expect(readWebEnv({ ...web, ...urls })).toMatchObject(urls)
    for (const name of Object.keys(urls)) {
      expect(() => readWebEnv({ ...web, [name]: 'example' })).toThrow(name)
    }
    const SVC_APP_URL = 'https://internal.example.com'
    expect(readAppUrl({ ...urls, SVC_APP_URL })).toBe('https://app.example.com')
    expect(readAppUrl({ SVC_APP_URL })).toBe(SVC_APP_URL)
    expect(readAppUrl({})).toBe('http://localhost:3790')
  })
})

describe('DATABASE_URL, which A-075 requires of both processes everywhere (decision 37)', () => {
  const definition = defineServer().lifecycle(createAuthLifecycle())
  const secret = {
    SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'a secret of the tests, long enough for any check',
  }
  const start = (env: EnvironmentSource) =>
    startServer(definition, { env: { ...secret, ...env }, port: 0 })

  const before = process.cwd()
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-variables-'))
    process.chdir(folder)
  })
  afterEach(async () => {
    process.chdir(before)
    await rm(folder, { recursive: true })
  })

  it('is required of the server in production, and no database is made (A-075)', async () => {
    const production = {
      NODE_ENV: 'production',
      SVC_APP_URL: 'https://app.example.com',
      SVC_MAIL_URL: 'none',
    }
    await expect(start(production)).rejects.toThrow('DATABASE_URL is required')
    expect(existsSync(join(folder, '.svc'))).toBe(false)
  })

  it.each(['development', 'test'])(
    'departs from A-075 in %s: the embedded database stands in',
    async (NODE_ENV) => {
      const server = await start({ NODE_ENV, SVC_LOG_LEVEL: 'silent' })
      expect(server.infrastructure.migrations?.pending).toBe(0)
      expect(existsSync(join(folder, '.svc/data'))).toBe(true)
      await server.stop()
    },
  )

  it('departs from A-075 in the web process, which starts without it and does not read it', () => {
    const { read = readWebEnv, base = {} } = sections['The web process'] ?? {}
    const production = { ...base, NODE_ENV: 'production' }
    expect(() => read(production)).not.toThrow()
    expect(namesReadBy(read, production)).not.toContain('DATABASE_URL')
  })
})

describe('the prefix', () => {
  const others = [
    'NODE_ENV',
    'DATABASE_URL',
    'DATABASE_URL_DIRECT',
    'DATABASE_URL_REPLICA',
    'CACHE_URL',
    'PORT',
    'NO_COLOR',
  ]
  const code = walk(root)
    .filter(({ path }) =>
      /^(packages|apps)\/.*(?<!\.test)(?<!\.test-d)(?<!\.spec)\.tsx?$/.test(path),
    )
    .filter(({ path }) => !/\/test-[\w-]+\.ts$|\/auth\/src\/.+\/testing\//.test(path))
    // They only test.
    .filter(({ path }) => !path.includes('/trials/'))
    .map(({ path }) => readFileSync(join(root, path), 'utf8'))
    .join('\n')
  const words = [...code.matchAll(/[\w-]*svc[\w-]*/gi)].map(([word]) => word)
  const headers = [...code.matchAll(/(?<=['"`])x-[a-z-]+(?=['"`])/gi)].map(([word]) => word)
  // These are others', by a standard or by custom.
  const known = [
    'x-auto-response-suppress',
    'x-content-type-options',
    'x-accel-buffering',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-frame-options',
    'x-mailer',
    'x-request-id',
  ]

  it('is SVC in variables, svc in cookies and x-svc in headers, and never written otherwise (A-010)', () => {
    const variables = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name)
    for (const name of variables.filter((each) => !others.includes(each.replace(/_TEST$/, '')))) {
      expect(name).toMatch(/^(NEXT_PUBLIC_)?SVC(_[A-Z0-9]+)+$/)
    }

    const isVariable = /^(NEXT_PUBLIC_)?SVC(_[A-Z0-9]+)+_?$/
    const isHeader = /^x-svc(-[a-z]+)*-?$/
    // One that ends in `_` is the beginning of a name that is put together.
    const isCookie = /^(__(Host|Secure)-)?svc(_|(_[a-z]+)+_?)$/
    // A label of DNS for a record that is no host, as in `_dmarc`.
    const isLabel = /^_svc(-[a-z]+)+$/
    // The name as it stands, in files and identifiers of TypeScript, and in names of media types and programs.
    const isElse = /^(svc|Svc|svc1|svc(-[a-z0-9]+)+-?|[a-z]+Svc|svc[A-Z]\w*|Svc[A-Z]\w*)$/
    const forms = [isVariable, isHeader, isCookie, isLabel, isElse]
    const strange = words.filter((word) => !forms.some((form) => form.test(word)))
    expect(strange).toEqual([])
    for (const header of headers.filter((each) => !known.includes(each.toLowerCase()))) {
      expect(header).toMatch(isHeader)
    }
    expect(words.filter((word) => isHeader.test(word))).not.toEqual([])
    expect(words.filter((word) => isVariable.test(word)).length).toBeGreaterThan(50)
  })
})
