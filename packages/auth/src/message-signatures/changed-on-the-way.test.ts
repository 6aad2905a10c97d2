import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { machineOf } from '../machine-keys/testing/machines.ts'
import { done } from '../test-answers.ts'
import { startSigning } from './testing/test-application.ts'
import { type Message, signMessage } from './testing/test-message.ts'

const { auth, user, machine } = await startSigning()
afterAll(() => auth.stop())
const { host, port } = new URL(auth.url)

/** Sends bytes as they are, which no client would. */
async function sendRaw(pieces: (string | (() => Promise<unknown>))[]) {
  const socket = connect(Number(port), '127.0.0.1')
  for (const piece of pieces)
    if (typeof piece === 'string') socket.write(piece, 'latin1')
    else await piece()
  const answer = await text(socket)
  return { status: Number(answer.split(' ')[1]), answer }
}

const head = (line: string, headers: readonly (readonly [string, string])[]) =>
  [
    `${line} HTTP/1.1`,
    `host: ${host}`,
    'connection: close',
    ...headers.map((each) => each.join(': ')),
  ]
    .map((each) => `${each}\r\n`)
    .join('') + '\r\n'

type Given = Partial<Message> & { path?: string; key?: typeof machine }

async function signed({ path = '/me', key = machine, ...given }: Given) {
  const url = `${auth.url}${path}`
  return Object.entries(await signMessage(key, { url, now: auth.clock.now(), ...given }))
}

const bare = ['@method', '@target-uri']

describe('a request with a message signature that is changed on its way', () => {
  it('is refused if what a handler reads of a signed header is something else', async () => {
    const headers = await signed({
      fields: [...bare, 'user-agent'],
      headers: { 'user-agent': 'a, b' },
    })
    const without = headers.filter(([name]) => name !== 'user-agent')
    const send = async (...agents: string[]) => {
      const lines = agents.map((agent) => ['user-agent', agent] as const)
      return (await sendRaw([head('GET /me', [...without, ...lines])])).status
    }
    expect(await send('a, b')).toBe(200)
    expect(await send('  a, b\t')).toBe(200)
    expect(await send('a, b\u00a0')).toBe(401)
    expect(await send('\u00a0a, b')).toBe(401)
    // Node reads the first line only.
    expect(await send('a', 'b')).toBe(401)
    expect(await send('a, b', 'c')).toBe(401)
    const split = await signed({ fields: [...bare, 'accept'], headers: { accept: 'a/b, c/d' } })
    const lines = [
      ...split.filter(([name]) => name !== 'accept'),
      ...['a/b', 'c/d'].map((each) => ['accept', each] as const),
    ]
    expect((await sendRaw([head('GET /me', lines)])).status).toBe(200)
    expect(await send()).toBe(401)
  })

  it('is for the target as it was sent, in every spelling', async () => {
    const send = async (asked: string, sent: string) =>
      (await sendRaw([head(`GET ${sent}`, await signed({ path: asked }))])).status
    expect(await send('/me', '/me')).toBe(200)
    const spellings = [
      '/me?',
      '/me?x',
      '/%6de',
      '/me#x',
      '/me/',
      '//me',
      '/x/../me',
      '/ME',
      '/me;x',
    ]
    const answers = await Promise.all(spellings.map((other) => send('/me', other)))
    // The last ones are no route.
    expect(answers).toEqual([401, 401, 401, 404, 404, 404, 404, 404, 404])
    // A target that names a server.
    for (const origin of [auth.url, 'http://evil.example'])
      expect(await send('/me', `${origin}/me`), origin).toBe(401)
  })

  it('is refused with a body that is not signed, or that is read in another way', async () => {
    const body = '{"a":1}'
    const asked = { method: 'POST', path: '/change', body }
    const send = async (more: [string, string][], sent = body) =>
      (await sendRaw([head('POST /change', [...(await signed(asked)), ...more]) + sent])).status
    const length: [string, string] = ['content-length', String(body.length)]
    expect(await send([length])).toBe(200)
    expect(await send([length], '{"a":2}')).toBe(401)
    expect(await send([length, ['content-encoding', 'gzip']])).toBe(415)
    expect(await send([length, ['content-type', 'text/plain']])).toBe(401)
    expect(await send([['transfer-encoding', 'chunked']], `7\r\n${body}\r\n0\r\n\r\n`)).toBe(200)
    expect(await send([['transfer-encoding', 'chunked']], '0\r\n\r\n')).toBe(401)
    const digest = createHash('sha256').update('{"a":2}').digest('base64')
    expect(
      await send(
        [['transfer-encoding', 'chunked']],
        `7\r\n{"a":2}\r\n0\r\ncontent-digest: sha-256=:${digest}:\r\n\r\n`,
      ),
    ).toBe(401)
    const bodyless = await signed({ method: 'POST', path: '/poke', fields: bare })
    expect((await sendRaw([head('POST /poke', [...bodyless, length]) + body])).status).toBe(401)
    const reading = await signed({ fields: bare })
    expect((await sendRaw([head('GET /me', [...reading, length]) + body])).status).toBe(401)
  })

  it('is refused if the key ends before its body does', async () => {
    const own = await machineOf(auth, user)
    const body = '{"a":1}'
    const asked = { method: 'POST', path: '/change', body, key: own }
    const send = async (between: () => Promise<unknown>) => {
      const headers = [...(await signed(asked)), ['content-length', String(body.length)] as const]
      return (
        await sendRaw([head('POST /change', headers) + body.slice(0, 3), between, body.slice(3)])
      ).status
    }
    expect(await send(() => delay(100))).toBe(200)
    expect(
      await send(async () => {
        await delay(100)
        await done(auth.call('logout', undefined, own))
      }),
    ).toBe(401)
  })
})
