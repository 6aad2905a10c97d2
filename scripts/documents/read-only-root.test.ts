import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../../packages/core/src/testing/free-port.ts'
import { relayToDatabase } from '../../packages/core/src/testing/ipv6.ts'
import {
  createTestDatabase,
  type TestDatabase,
} from '../../packages/core/src/testing/test-database.ts'
import { inside, type Place, spawnReadOnly, withoutMounts } from './test-read-only-root.ts'

type Variables = Record<string, string>

interface Service {
  environment: Variables
  tmpfs: string[]
}

const pageOf = (name: string) =>
  readFileSync(resolve(import.meta.dirname, '../../docs/guide', name), 'utf8')

/** What the guide starts, in the words of its file for Compose. */
function servicesOfGuide() {
  const page = pageOf('containers.md')
  const [, file = ''] = /^```yaml\n# file: compose.yaml\n(.*?)^```$/ms.exec(page) ?? []
  return (parse(file) as { services: { migrate: Service; api: Service } }).services
}
const { migrate, api } = servicesOfGuide()

/** What the image of the API sets, in the words of the guide's Dockerfile. */
function variablesOfImage(): Variables {
  const [, line = ''] = /^FROM packages AS api\nENV (.*)$/m.exec(pageOf('deployment.md')) ?? []
  return Object.fromEntries(line.split(' ').map((each) => each.split('=', 2)))
}
const image = variablesOfImage()

const nobody = 65_534
const secret = 'q7Zt-1mKx_9PfVw3RbYc5LsDh8GjNaEu'
const within = { timeout: 60_000, interval: 50 }
const svc = '../../packages/cli/bin/svc.js'

/** A folder that belongs to a user, as a volume of theirs does. It isn't in /tmp, which is another one inside. */
function makeVolume(owner: number) {
  const volume = mkdtempSync('/var/tmp/svc-read-only-')
  onTestFinished(() => rmSync(volume, { recursive: true }))
  chownSync(volume, owner, owner)
  return volume
}

/** The secrets of the guide's file in a volume, and its variables that name them. */
function withSecrets(variables: Variables, databaseUrl: string) {
  const values: Variables = {
    'database-url': databaseUrl,
    'verification-token-secret': secret,
    'token-encryption-keys': `a:${Buffer.alloc(32, 7).toString('base64')}`,
    'proxy-secret': `a:${secret}`,
    'mail-url': 'none',
  }
  const volume = makeVolume(nobody)
  mkdirSync(join(volume, 'secrets'))
  const entries = Object.entries(variables).map(([name, value]) => {
    if (!name.endsWith('_FILE')) return [name, value]
    const file = basename(value)
    writeFileSync(join(volume, 'secrets', file), `${values[file]}\n`)
    return [name, `${inside.volume}/secrets/${file}`]
  })
  return { volume, env: Object.fromEntries(entries) as Variables }
}

function run(place: Place, args: string[], env: Variables) {
  const child = spawnReadOnly(place, args, { PATH: process.env['PATH'], ...image, ...env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text: Buffer) => (output += text.toString()))
  }
  const ended = once(child, 'close').then(([code]) => code as number | null)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended, output: () => output }
}

/** Serves until it is ready, and ends it in order. */
async function expectServed(place: Place, env: Variables) {
  const port = await freePort()
  const server = run(place, ['api/main.ts'], {
    ...env,
    SVC_PORT: `${port}`,
    SVC_SHUTDOWN_DELAY: '0s',
  })
  await vi.waitFor(async () => {
    const { status } = await fetch(`http://127.0.0.1:${port}/_core/health/ready`)
    expect(status, server.output()).toBe(200)
  }, within)
  expect((await fetch(`http://127.0.0.1:${port}/notices`)).status).toBe(200)
  if (env['SVC_PROCESSES'] !== '1') {
    await vi.waitFor(() => expect(server.output()).toContain('all processes serve'), within)
  }
  server.child.kill('SIGTERM')
  expect(await server.ended, server.output()).toBe(0)
}

describe.skipIf(withoutMounts)(
  `on a read-only root, as a user without rights${withoutMounts}`,
  { timeout: 120_000 },
  () => {
    let database: TestDatabase
    let relay: Awaited<ReturnType<typeof relayToDatabase>>
    let databaseUrl: string
    beforeAll(async () => {
      database = await createTestDatabase()
      // Its socket is in a folder that is not there inside.
      relay = await relayToDatabase(database.url, '127.0.0.1')
      const { username, password, pathname } = new URL(database.url)
      databaseUrl = `postgres://${username}:${password}@127.0.0.1:${relay.port}${pathname}`
    })
    afterAll(async () => {
      relay.stop()
      await database.drop()
    })

    it('the API of the guide migrates and serves, with what it writes in /tmp', async () => {
      expect([migrate.tmpfs, api.tmpfs]).toEqual([['/tmp'], ['/tmp']])
      expect(image).toMatchObject({ NODE_ENV: 'production', SVC_HOST: '::' })
      const given = withSecrets(api.environment, databaseUrl)
      const { volume } = given
      const names = Object.keys(migrate.environment)
      const ofMigrate = Object.fromEntries(names.map((name) => [name, given.env[name] ?? '']))
      const migrating = run({ volume }, [svc, 'migrate'], ofMigrate)
      expect(await migrating.ended, migrating.output()).toBe(0)
      await expectServed({ volume }, { ...given.env, SVC_PROCESSES: '2' })
    })

    it('the embedded database is kept in a volume of the user', async () => {
      const place = `embedded:${inside.volume}/data`
      const { volume, env } = withSecrets(api.environment, place)
      await expectServed({ volume }, { ...env, SVC_MIGRATE: 'apply', SVC_PROCESSES: '1' })
    })

    it.each([
      ['on the root', '/srv/data', nobody],
      ['below the app', './.svc/data', nobody],
      ['in a volume of root', `${inside.volume}/data`, 0],
    ])('an embedded database %s is refused, with what to do', async (_, folder, owner) => {
      const { env } = withSecrets(api.environment, `embedded:${folder}`)
      const volume = makeVolume(owner)
      const { DATABASE_URL_FILE: __, ...others } = env
      const plain = Object.keys(others).filter((name) => !name.endsWith('_FILE'))
      const given = {
        ...Object.fromEntries(plain.map((name) => [name, others[name] ?? ''])),
        SVC_AUTH_VERIFICATION_TOKEN_SECRET: secret,
        SVC_MAIL_URL: 'none',
        DATABASE_URL: `embedded:${folder}`,
      }
      const server = run({ volume }, ['api/main.ts'], given)
      expect(await server.ended).toBe(1)
      expect(server.output()).toMatch(
        /^The embedded database needs a directory that it can write, and \S+data is none for this user: mount a volume there/,
      )
      expect(server.output().trim().split('\n')).toHaveLength(1)
    })

    it.each([
      ['read-only', 'ro'],
      ['mounted noexec, as Docker does,', 'mode=1777,noexec'],
    ])('an embedded database is refused while /tmp is %s, with what to do', async (_, tmp) => {
      const { volume, env } = withSecrets(api.environment, `embedded:${inside.volume}/data`)
      const server = run({ volume, tmp }, ['api/main.ts'], { ...env, SVC_MIGRATE: 'apply' })
      expect(await server.ended).toBe(1)
      expect(server.output()).toMatch(
        /^The embedded database needs a directory for its programs: make \S+ or \/tmp\/svc-cache-65534 writable for this user only, and not mounted noexec\.$/m,
      )
    })

    it('a secret that the user may not read is refused by its name', async () => {
      const { volume, env } = withSecrets(api.environment, databaseUrl)
      chmodSync(join(volume, 'secrets/database-url'), 0o600)
      writeFileSync(join(volume, 'secrets/proxy-secret'), '')
      const server = run({ volume }, ['api/main.ts'], env)
      expect(await server.ended).toBe(1)
      const problems = [
        'DATABASE_URL cannot be read: DATABASE_URL_FILE names a file that this process may not read',
        'SVC_PROXY_SECRET cannot be read: SVC_PROXY_SECRET_FILE names an empty file',
      ]
      for (const problem of problems) expect(server.output()).toContain(problem)
      expect(server.output()).not.toContain(inside.volume)
    })

    it('svc start in development says which folder it has to write', async () => {
      const started = run({}, [svc, 'start', '--api-only'], { NODE_ENV: 'development' })
      expect(await started.ended).toBe(1)
      expect(started.output()).toContain(
        `The secrets of development cannot be written into ${inside.app}/apps/starter/.svc/secrets.env: make its folder writable`,
      )
    })
  },
)
