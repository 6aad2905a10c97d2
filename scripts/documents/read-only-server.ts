import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../../packages/core/src/testing/free-port.ts'
import { inside, type Place, spawnReadOnly } from './test-read-only-root.ts'

export type Variables = Record<string, string>

interface Service {
  environment: Variables
  tmpfs: string[]
}

const pageOf = (name: string) =>
  readFileSync(resolve(import.meta.dirname, '../../docs/guide', name), 'utf8')

/** The services of the guide, from its file for Compose. */
function servicesOfGuide() {
  const page = pageOf('containers.md')
  const [, file = ''] = /^```yaml\n# file: compose.yaml\n(.*?)^```$/ms.exec(page) ?? []
  return (parse(file) as { services: { migrate: Service; api: Service } }).services
}
export const { migrate, api } = servicesOfGuide()

/** The variables of the API's image, from the guide's Dockerfile. */
function variablesOfImage(): Variables {
  const [, line = ''] = /^FROM packages AS api\nENV (.*)$/m.exec(pageOf('deployment.md')) ?? []
  return Object.fromEntries(line.split(' ').map((each) => each.split('=', 2)))
}
export const image = variablesOfImage()

export const nobody = 65_534
const secret = 'q7Zt-1mKx_9PfVw3RbYc5LsDh8GjNaEu'
const within = { timeout: 60_000, interval: 50 }
export const svc = '../../packages/cli/bin/svc.js'

/**
 * A folder that belongs to a user, like a volume of theirs. It isn't in /tmp, because /tmp inside
 * the container is another folder.
 */
function makeVolume(owner: number) {
  const volume = mkdtempSync('/var/tmp/svc-read-only-')
  onTestFinished(() => rmSync(volume, { recursive: true }))
  chownSync(volume, owner, owner)
  return volume
}

/** The secrets of the guide's file in a volume, and the variables that name them. */
export function withSecrets(variables: Variables, databaseUrl: string) {
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

export function run(place: Place, args: string[], env: Variables) {
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

/** Serves until it is ready, and stops it in order. */
export async function expectServed(place: Place, env: Variables) {
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

/**
 * If the user may not write the folder of an embedded database, the start fails with what to do.
 */
export async function expectRefused(folder: string, owner: number) {
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
    /^The embedded database needs a directory that it can write, but this user cannot write \S+data: mount a volume there/,
  )
  expect(server.output().trim().split('\n')).toHaveLength(1)
}
