import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createTestDatabase } from '@svc/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routeMap } from '../../route-map.generated.ts'
import { startTestAuth } from '../../testing.ts'
import { stageVariables } from './scenarios/application.ts'
import { createKillableApi } from './scenarios/killable-api.ts'

const database = await createTestDatabase()
const variables = { ...stageVariables(), DATABASE_URL: database.url }
// It prepares and signs; what is too much goes to the other one.
const auth = await startTestAuth({ env: variables })
const { key } = await auth.signedInUser()
const mail = 'file:/dev/null/none'
const api = createKillableApi(
  { ...variables, SVC_MAIL_URL: mail, SVC_SMS_URL: mail, SVC_SMS_COUNTRIES: '*' },
  () => auth.clock.now(),
)
let url = ''
let port = 0
beforeAll(async () => {
  ;({ url } = await api.up())
  port = Number(new URL(url).port)
}, 120_000)
afterAll(async () => {
  api.kill()
  await auth.stop()
  await database.drop()
})

async function megabytes() {
  const status = await readFile(`/proc/${api.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000
}

async function open() {
  const socket = connect({ port, host: 'localhost', noDelay: true })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** The status that a socket gets, however much more it would send; 0 where it is cut off without a word. */
async function statusOf(socket: Socket) {
  const text = await Promise.race([
    once(socket, 'data').then(([bytes]) => String(bytes)),
    once(socket, 'close').then(() => ''),
  ]).catch(() => '')
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0)
}

/** An operation that anybody may call, which takes 16 KiB, and one of a user, which takes a mebibyte (decisions 16). */
type Operation = 'login' | 'updateUserProfile'

async function prepare(name: Operation, body = '') {
  const { method, path } = routeMap[name]
  const signed =
    name === 'login' ? {} : await auth.signerOf(key)({ method, url: `${url}${path}`, body })
  return { method, path, headers: { 'content-type': 'application/json', ...signed } }
}

async function headOf(name: Operation, ...lines: string[]) {
  const { method, path, headers } = await prepare(name)
  const named = Object.entries(headers).map(([header, value]) => `${header}: ${value}`)
  const all = [`${method} ${path} HTTP/1.1`, 'host: localhost', ...named, ...lines]
  return `${all.join('\r\n')}\r\n\r\n`
}

async function send(name: Operation, body: string) {
  const { path, ...request } = await prepare(name, body)
  return (await fetch(`${url}${path}`, { ...request, body })).status
}

const arrays = (count: number) => '['.repeat(count)
const objects = (count: number) => `${'{"a":'.repeat(count)}1${'}'.repeat(count)}`

/** A good client, who must notice nothing. */
const isWell = async () => (await fetch(`${url}/_core/health`)).status === 200

const missing = process.platform === 'linux' ? '' : ' (memory is read from /proc, which Linux has)'

describe.skipIf(missing)(`F13: what is too much for any server${missing}`, () => {
  it.each<Operation>(['login', 'updateUserProfile'])(
    'a gigabyte that is announced, or that comes unannounced, is 413 or cut off, and stays out of memory: %s',
    async (name) => {
      const before = await megabytes()
      const announced = await open()
      announced.write(await headOf(name, 'content-length: 1000000000'))
      expect(await statusOf(announced)).toBe(413)

      const endless = await open()
      endless.write(await headOf(name, 'transfer-encoding: chunked'))
      const status = statusOf(endless)
      const chunk = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`)
      let sent = 0
      while (!endless.destroyed && endless.writable && sent < 1_000_000_000) {
        sent += chunk.length
        if (!endless.write(chunk)) {
          const isCut = await Promise.race([
            once(endless, 'drain').then(() => false),
            once(endless, 'close').then(() => true),
          ]).catch(() => true)
          if (isCut) break
        }
      }
      expect([413, 0]).toContain(await status)
      expect(sent).toBeLessThan(100_000_000)
      expect((await megabytes()) - before).toBeLessThan(100)
      expect(await isWell()).toBe(true)
    },
  )

  it('a hundred thousand brackets are 400, or 413 where anybody may send them, and ten thousand headers 431', async () => {
    const before = await megabytes()
    for (const brackets of [arrays, objects]) {
      expect(await send('updateUserProfile', brackets(100_000))).toBe(400)
      expect(await send('login', brackets(100_000))).toBe(413)
      // As many as fit.
      expect(await send('login', brackets(2_700))).toBe(400)
    }
    const flooded = await open()
    const headers = Array.from({ length: 10_000 }, (_, index) => `x-${index}: ${index}`)
    flooded.write(await headOf('login', 'content-length: 2', ...headers))
    expect(await statusOf(flooded)).toBe(431)
    expect((await megabytes()) - before).toBeLessThan(100)
    expect(await isWell()).toBe(true)
  })

  it('a thousand clients that send a byte now and then keep no other client waiting, and are all cut off', async () => {
    const before = await megabytes()
    const slow = await Promise.all(Array.from({ length: 1000 }, open))
    for (const socket of slow) socket.write('POST /_auth/login HTTP/1.1\r\nhost: localhost\r\n')
    const gone = slow.map((socket) => once(socket.resume(), 'close'))
    const over = new AbortController()
    const trickling = (async () => {
      for (let at = 0; !over.signal.aborted; at++) {
        for (const socket of slow) if (socket.writable) socket.write(`x-${at}: 1\r\n`)
        await wait(500)
      }
    })()
    const taken: number[] = []
    for (let asked = 0; asked < 100; asked++) {
      const began = performance.now()
      expect(await isWell()).toBe(true)
      taken.push(performance.now() - began)
      await wait(20)
    }
    const grown = (await megabytes()) - before
    await Promise.all(gone)
    over.abort()
    await trickling
    const worst = taken.toSorted((a, b) => a - b).at(-2)
    process.stdout.write(`F13: health p99 ${worst?.toFixed(0)} ms, ${grown.toFixed(0)} MB more\n`)
    expect(worst).toBeLessThan(1000)
    expect(grown).toBeLessThan(100)
  }, 60_000)
})
