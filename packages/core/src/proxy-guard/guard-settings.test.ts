import { describe, expect, it } from 'vitest'
import { defineServer } from '../definition/define-server.ts'
import { createLogger } from '../observation/logger.ts'
import { startServer } from '../server/start-server.ts'
import { useTestStreaming } from '../streams/test-streaming.ts'
import { get, older, secret, signed, useGuardedServers } from './test-guarded.ts'

const { start: startStreams } = useTestStreaming()
const start = useGuardedServers()
const strict = await start({ SVC_PROXY_GUARD: 'strict' })

describe('strict', () => {
  it('tells a client without a signature nothing of what there is', async () => {
    const [there, elsewhere] = await Promise.all([get(strict, {}), get(strict, {}, '/elsewhere')])
    expect([there.status, elsewhere.status]).toEqual([403, 403])
    const headers = await signed({ at: strict, path: '/elsewhere' })
    expect((await get(strict, headers, '/elsewhere')).status).toBe(404)
  })

  it('answers probes, and requests for the time', async () => {
    for (const path of [
      '/_core/health',
      '/_core/health/live',
      '/_core/health/ready',
      '/_core/time',
    ]) {
      expect((await get(strict, {}, path)).status, path).toBe(200)
    }
  })

  it('lets a browser open a stream, with the token that the proxy got for it', async () => {
    const at = await startStreams(
      {},
      { SVC_PROXY_SECRET: `new:${secret}`, SVC_PROXY_GUARD: 'strict' },
    )
    expect((await at.issue()).status).toBe(403)
    const headers = await signed({ at, method: 'POST', path: '/events/token' })
    const issued = await at.fetch('/events/token', {
      method: 'POST',
      headers: { ...headers, 'x-user': 'u1' },
    })
    const { token } = (await issued.json()) as { token: string }
    expect((await at.open(token)).status).toBe(200)
    expect((await at.open(token)).status).toBe(401)
  })
})

describe('a server', () => {
  const boot = async (env: Record<string, string>) => {
    const log = createLogger({ level: 'silent' })
    const server = await startServer(defineServer(), { port: 0, log, env })
    await server.stop()
  }

  it.each([
    secret,
    `a:${secret.slice(1)}`,
    `:${secret}`,
    `a:${secret},`,
    `a:${secret},a:${older}`,
    `a b:${secret}`,
    `a:${secret.slice(0, 20)} ${secret}`,
  ])('does not start with the secret %j, and does not show it', async (SVC_PROXY_SECRET) => {
    const error = await boot({ SVC_PROXY_SECRET }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'EnvironmentError' })
    expect(String(error)).toContain('SVC_PROXY_SECRET must be a list of <keyId>:<secret>')
    expect(String(error)).not.toContain(secret.slice(0, 20))
  })

  it('does not start with a guard that has no secret, or that is none', async () => {
    for (const SVC_PROXY_GUARD of ['tag', 'strict']) {
      await expect(boot({ SVC_PROXY_GUARD })).rejects.toThrow('SVC_PROXY_SECRET is required')
    }
    await expect(boot({ SVC_PROXY_GUARD: 'on' })).rejects.toThrow('SVC_PROXY_GUARD must be one of')
  })

  it('believes no header without a secret, or with the guard off', async () => {
    for (const env of [{ SVC_PROXY_SECRET: '' }, { SVC_PROXY_GUARD: 'off' }]) {
      const at = await start(env)
      expect(await (await get(at, await signed({ at }))).json()).toBe('127.0.0.1')
    }
  })
})
