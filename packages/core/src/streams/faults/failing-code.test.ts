import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { defineEvent, defineEventRouter, defineServer, t } from '../../index.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { openTestStream } from '../test-stream.ts'

const tick = defineEvent('tick', t.Object({ n: t.Integer() }))
const sent = defineEvent('sent', t.Object({ n: t.Integer() }))

/** The rule of an application, with every way to fail. */
function filter(subject: string) {
  if (subject === 'throws') throw new Error('a bug')
  if (subject === 'throws nothing') throw undefined
  if (subject === 'rejects') return Promise.reject(new Error('a bug')) as unknown as boolean
  if (subject === 'never settles') return new Promise(() => {}) as unknown as boolean
  return true
}

async function recipients() {
  throw new Error('a bug')
}

let server: TestServer

async function open(subject: string) {
  const headers = { 'test-user': subject }
  const issued = await server.fetch('/events/token', { method: 'POST', headers })
  const { token } = (await issued.json()) as { token: string }
  return openTestStream(`${server.url}/events/stream?events=tick,sent&token=${token}`)
}

describe('F19: code of the application that fails', () => {
  const rejections: unknown[] = []
  const note = (error: unknown) => rejections.push(error)
  beforeAll(async () => {
    process.on('unhandledRejection', note)
    const getSubject = (c: { raw: { req: { header(name: string): string | undefined } } }) =>
      c.raw.req.header('test-user')
    const rules = { filter: { tick: filter }, recipients: { sent: recipients as never } }
    const definition = defineServer().events(defineEventRouter({ tick, sent }), {
      auth: { enabled: true, getSubject, ...rules },
    })
    server = await startTestServer(definition)
  })
  afterAll(async () => {
    process.off('unhandledRejection', note)
    await server.stop()
  })

  it('as a filter leaves its own delivery out, and no other’s', async () => {
    const failing = ['throws', 'throws nothing', 'rejects', 'never settles']
    const [first, ...others] = [await open('u1'), ...(await Promise.all(failing.map(open)))]
    const last = await open('u2')
    await tick.emit({ n: 1 })
    await vi.waitFor(() => expect(last.payloads()).toEqual([{ n: 1 }]))
    await wait(50)
    expect(first?.payloads()).toEqual([{ n: 1 }])
    expect(others.map((stream) => [stream.status, stream.payloads()])).toEqual(
      failing.map(() => [200, []]),
    )
    expect(rejections).toEqual([])
  })

  it('as recipients, which answer too late, lets no stream have it and says so', async () => {
    const stream = await open('u1')
    await sent.emit({ n: 1 })
    await tick.emit({ n: 2 })
    await vi.waitFor(() => expect(stream.payloads()).toEqual([{ n: 2 }]))
    await vi.waitFor(() =>
      expect(server.logged.map(({ msg }) => msg)).toEqual(
        expect.arrayContaining(['an event handler failed', 'the recipients of an event failed']),
      ),
    )
    expect(rejections).toEqual([])
  })

  it('as a handler keeps no stream from its frame', async () => {
    const stream = await open('u1')
    const leave = [
      tick.subscribe(() => {
        throw new Error('thrown')
      }),
      tick.subscribe(() => Promise.reject(new Error('rejected'))),
      tick.subscribe(() => new Promise<void>(() => {})),
    ]
    const began = performance.now()
    void tick.emit({ n: 2 })
    void tick.emit({ n: 3 })
    await vi.waitFor(() => expect(stream.payloads()).toEqual([{ n: 2 }, { n: 3 }]))
    expect(performance.now() - began).toBeLessThan(1000)
    for (const each of leave) each()
    expect(rejections).toEqual([])
  })
})
