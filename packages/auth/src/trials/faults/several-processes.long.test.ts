import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { requestSigner, type SigningKey } from '@svc/core/client'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openStream, streamToken } from '../../streams/test-stream.ts'
import { createTestKey, startTestAuth, type TestAuth } from '../../testing.ts'
import { application } from './balancers/application.ts'
import { audience } from './balancers/visitors.ts'

// One server in three processes, by SVC_PROCESSES=3 and without a CACHE_URL. Each request has a connection of its own,
// so each comes to the next process.

const program = fileURLToPath(new URL('./balancers/program.ts', import.meta.url))
const cores = 3

let auth: TestAuth
let url: string
let stop: () => Promise<void>

beforeAll(async () => {
  auth = await startTestAuth({ definition: application() })
  const server = spawn(process.execPath, ['--conditions=svc-source', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      SVC_PROCESSES: `${cores}`,
      SVC_PORT: '0',
      SVC_HOST: '127.0.0.1',
      SVC_API_URL: audience,
      SVC_RATE_LIMIT: 'on',
      SVC_AUTH_BCRYPT_SALT_ROUNDS: '4',
      SVC_MAIL_URL: 'none',
      SVC_SMS_URL: 'none',
      DATABASE_URL: auth.infrastructure.database?.url,
      SVC_AUTH_VERIFICATION_TOKEN_SECRET: auth.auth.env.SVC_AUTH_VERIFICATION_TOKEN_SECRET,
    },
  })
  let output = ''
  server.stdout.on('data', (text: Buffer) => (output += text.toString()))
  stop = async () => {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
  await vi.waitFor(() => expect(output).toContain('all processes serve'), 60_000)
  url = /"url":"([^"]+)"/.exec(output)?.[1] ?? ''
}, 90_000)

afterAll(async () => {
  await stop()
  await auth.stop()
})

const times = <Value>(count: number, make: (at: number) => Value) =>
  Array.from({ length: count }, (_, at) => make(at))

interface Asked {
  method: 'GET' | 'POST'
  path: string
  body?: object
}

/** A request with its signature, to be sent once or more often. */
async function signed(key: SigningKey | null, { method, path, body }: Asked) {
  const target = `${url}${path}`
  const text = body && JSON.stringify(body)
  const sign = key && requestSigner(key, { audience })
  const headers = {
    connection: 'close',
    ...(await sign?.({ method, url: target, body: text ?? '' })),
    ...(text && { 'content-type': 'application/json' }),
  }
  return async () => {
    const { status } = await fetch(target, { method, headers, ...(text && { body: text }) })
    return status
  }
}

const count = (statuses: readonly number[], status: number) =>
  statuses.filter((each) => each === status).length

it('takes a signed request once, whichever process its copies come to', async () => {
  const { key } = await auth.signedInUser()
  const send = await signed(key, { method: 'POST', path: '/ticks', body: { n: 1 } })
  const statuses = await Promise.all(times(12, send))
  expect({ taken: count(statuses, 200), refused: count(statuses, 401) }).toEqual({
    taken: 1,
    refused: 11,
  })
})

it('lets ten of sixteen sign-ins to one address pass, whichever process they come to (R35)', async () => {
  const { email } = await auth.createUser()
  const sends = await Promise.all(
    times(16, async () => {
      const { registration } = await createTestKey()
      const body = { email, password: 'a wrong password of a test', ...registration }
      return signed(null, { method: 'POST', path: '/_auth/login', body })
    }),
  )
  const statuses = await Promise.all(sends.map((send) => send()))
  expect({ checked: count(statuses, 401), limited: count(statuses, 429) }).toEqual({
    checked: 10,
    limited: 6,
  })
})

it('lets in no key at any process from the moment that it is revoked, and ends its streams within a second', async () => {
  const { key } = await auth.signedInUser()
  const sign = requestSigner(key, { audience })
  const ask = async () => (await signed(key, { method: 'GET', path: '/where-from' }))()
  const streams = await Promise.all(
    times(6, async () => openStream(url, await streamToken(url, sign), 'tick')),
  )
  expect(streams.map(({ status }) => status)).toEqual(times(6, () => 200))
  expect(await Promise.all(times(9, ask))).toEqual(times(9, () => 200))

  const begin = performance.now()
  expect(await (await signed(key, { method: 'POST', path: '/_auth/logout' }))()).toBeLessThan(300)
  expect(await Promise.all(times(9, ask))).toEqual(times(9, () => 401))
  await Promise.all(streams.map(({ ended }) => ended))
  expect(performance.now() - begin).toBeLessThan(1500)
})

const oneCore = availableParallelism() === 1 ? ' [not run: this machine has one core]' : ''

it.skipIf(oneCore)(
  `hashes passwords on as many threads as there are cores, all processes together${oneCore}`,
  async () => {
    const login = async () => {
      const { registration } = await createTestKey()
      const body = {
        email: `${randomUUID()}@example.com`,
        password: 'some password',
        ...registration,
      }
      return signed(null, { method: 'POST', path: '/_auth/login', body })
    }
    const sends = await Promise.all(times(48, login))
    expect(count(await Promise.all(sends.map((send) => send())), 401)).toBeGreaterThan(0)
    const threads = new Map<number, number>()
    await vi.waitFor(async () => {
      const answer = await fetch(`${url}/threads`, { headers: { connection: 'close' } })
      const { pid, count: started } = (await answer.json()) as { pid: number; count: number }
      threads.set(pid, started)
      expect(threads.size).toBe(cores)
    }, 5000)
    // Each has one at least, and no more than its share.
    const share = Math.max(1, Math.floor(availableParallelism() / cores))
    const [...counts] = threads.values()
    expect(Math.max(...counts)).toBeLessThanOrEqual(share)
    expect(Math.max(...counts)).toBeGreaterThan(0)
  },
)
