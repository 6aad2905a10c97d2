import { afterEach, vi } from 'vitest'
import type { ServerDefinition } from '../definition/define-server.ts'
import {
  defineEvent,
  defineEventRouter,
  defineServer,
  type EventStreamOptions,
  t,
} from '../index.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { asUser } from './test-socket.ts'
import { openTestStream } from './test-stream.ts'

export type StreamAuth = Partial<NonNullable<EventStreamOptions['auth']>>

export const tick = defineEvent('tick', t.Object({ n: t.Integer() }))
export const tock = defineEvent('tock', t.Object({ n: t.Integer() }))
export const router = defineEventRouter({ tick, tock })

/** Events of one test. */
export const clockEvents = () => ({
  tick: defineEvent('clock.tick', t.Object({ n: t.Integer() })),
  tock: defineEvent('clock.tock', t.Object({ n: t.Integer() })),
  done: defineEvent('clock.done'),
})

/** Servers with event streams, for each test its own. */
export function useTestStreaming() {
  const running: TestServer[] = []
  afterEach(async () => {
    vi.useRealTimers()
    for (const server of running.splice(0)) await server.stop()
  })

  async function serve(definition: ServerDefinition, env = {}) {
    const server = await startTestServer(definition, { env })
    running.push(server)
    const open = (query: string, headers?: Record<string, string>) =>
      openTestStream(`${server.url}/events/stream${query}`, headers)
    return { ...server, open }
  }

  /** One whose streams need tokens. */
  async function start(auth: StreamAuth = {}, env = {}) {
    const definition = defineServer()
      .use([asUser])
      .events(router, { auth: { enabled: true, ...auth } })
    const server = await serve(definition, env)
    const issue = (user = 'u1') =>
      server.fetch('/events/token', { method: 'POST', headers: { 'x-user': user } })
    const token = async (user?: string) => {
      const answer = (await (await issue(user)).json()) as { token: string }
      return answer.token
    }
    const open = (given: string, events = 'tick,tock') =>
      server.open(`?events=${events}&token=${given}`)
    return { ...server, issue, token, open }
  }

  return { serve, start }
}
