import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../testing/free-port.ts'
import { withoutIPv6 } from '../../testing/ipv6.ts'
import { redisProgram, startTestRedis, type TestRedis } from '../test-redis.ts'
import { startTestSentinel } from './test-sentinel.ts'

const run = promisify(execFile)
const openssl = 'openssl'
const hasOpenssl = spawnSync(openssl, ['version']).status === 0
const missing = [redisProgram ? '' : 'redis-server', hasOpenssl ? '' : 'openssl'].filter(Boolean)
const reason = missing.length > 0 ? ` (no ${missing.join(' and no ')} on PATH)` : ''

/** What a process says that trusts this authority, as Node reads it when it starts. */
const program = `
  const { connectCache } = await import('./server.ts')
  const silent = { info() {}, warn() {}, error() {} }
  try {
    const cache = await connectCache(process.env.CACHE_URL, { log: silent })
    await cache.set('key', 'over TLS', 60_000)
    const heard = Promise.withResolvers()
    await cache.subscribe('news', heard.resolve)
    await cache.publish('news', 'heard')
    console.log(await cache.take('key'), await heard.promise)
    await cache.close()
  } catch (error) {
    console.log(error.message)
  }`

describe.skipIf(reason)(`Redis over TLS${reason}`, () => {
  let folder: string
  let server: TestRedis
  let port: number
  const file = (name: string) => join(folder, name)

  const addresses = ['--bind', '127.0.0.1', ...(withoutIPv6 ? [] : ['::1'])]
  const tlsAt = (at: number) => [
    '--tls-port',
    String(at),
    '--tls-auth-clients',
    'no',
    '--tls-cert-file',
    file('cert.pem'),
    '--tls-key-file',
    file('key.pem'),
    '--tls-ca-cert-file',
    file('cert.pem'),
  ]

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-tls-'))
    execFileSync(openssl, [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-keyout',
      file('key.pem'),
      '-out',
      file('cert.pem'),
      '-days',
      '2',
      '-subj',
      '/CN=svc',
      '-addext',
      'subjectAltName=DNS:localhost,IP:::1',
    ])
    port = await freePort()
    server = await startTestRedis(...addresses, ...tlsAt(port))
  })
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  async function said(url: string, env = { NODE_EXTRA_CA_CERTS: file('cert.pem') }) {
    const given = ['--conditions=svc-source', '--input-type=module', '--eval', program]
    const cwd = new URL('..', import.meta.url)
    const { stdout } = await run(process.execPath, given, { cwd, env: { ...env, CACHE_URL: url } })
    return stdout.trim()
  }

  it('works where the authority is named in NODE_EXTRA_CA_CERTS (F26)', async () => {
    expect(await said(`rediss://localhost:${port}`)).toBe('over TLS heard')
  })

  it.skipIf(withoutIPv6)(
    `works at an address of IPv6 that the certificate is for (F26)${withoutIPv6}`,
    async () => {
      expect(await said(`rediss://[::1]:${port}`)).toBe('over TLS heard')
    },
  )

  it('leads to the nodes of a Cluster by the names that they announce (F26)', async () => {
    const [tlsPort, busPort] = [await freePort(), await freePort()]
    const node = await startTestRedis(
      '--cluster-enabled',
      'yes',
      '--cluster-port',
      String(busPort),
      '--tls-cluster',
      'yes',
      '--cluster-announce-hostname',
      'localhost',
      '--cluster-preferred-endpoint-type',
      'hostname',
      ...tlsAt(tlsPort),
    )
    await node.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383)
    const isOk = async () => String(await node.call('CLUSTER', 'INFO')).includes('state:ok')
    await vi.waitFor(async () => expect(await isOk()).toBe(true), 5000)
    expect(await said(`rediss+cluster://localhost:${tlsPort}`)).toBe('over TLS heard')
    await node.stop()
  })

  it('leads over Sentinels to the primary, and to the next one when that is gone (F26)', async () => {
    const sentinel = await startTestSentinel({ tlsAt, host: 'localhost' })
    const url = `rediss+sentinel://localhost:${sentinel.tlsPort}?name=mymaster`
    expect(await said(url)).toBe('over TLS heard')
    expect(await said(url, { NODE_EXTRA_CA_CERTS: '' })).toMatch(
      /is not trusted: name its authority in NODE_EXTRA_CA_CERTS\.$/,
    )
    await sentinel.primary.kill()
    const isPrimary = async () => String(await sentinel.replica.call('ROLE')).startsWith('master')
    await vi.waitFor(async () => expect(await isPrimary()).toBe(true), 10_000)
    await vi.waitFor(async () => expect(await said(url)).toBe('over TLS heard'), 5000)
    await sentinel.stop()
  }, 30_000)

  it('is refused where the authority is not known (F26)', async () => {
    expect(await said(`rediss://localhost:${port}`, { NODE_EXTRA_CA_CERTS: '' })).toMatch(
      /is not trusted: name its authority in NODE_EXTRA_CA_CERTS\.$/,
    )
  })

  it('is refused where the certificate is of another name (F26)', async () => {
    expect(await said(`rediss://127.0.0.1:${port}`)).toMatch(
      /is for another name: correct the host in CACHE_URL\.$/,
    )
  })

  it('is refused where the server asks for a certificate of the client (F26)', async () => {
    await server.call('CONFIG', 'SET', 'tls-auth-clients', 'yes')
    expect(await said(`rediss://localhost:${port}`)).toMatch(
      /asks for a client certificate, which is not supported: set tls-auth-clients no/,
    )
    await server.call('CONFIG', 'SET', 'tls-auth-clients', 'no')
  })
})
