import { Type as t } from 'typebox'
import { defineServer } from '../definition/define-server.ts'
import type { EnvironmentSource } from '../env/env.ts'
import { defineEvent } from '../events/event.ts'
import { defineEventRouter, type HistoryOptions } from '../events/event-router.ts'
import { defineWebSocketRouter } from '../events/web-socket-router.ts'
import { startTestServer } from '../testing/test-server.ts'
import { openTestWebSocket } from './test-socket.ts'
import { openTestStream } from './test-stream.ts'

/** What a stream is told that may have missed events. */
export const interrupted = { reason: 'interrupted' }

interface Options {
  env: EnvironmentSource
  database?: boolean
  multiInstance?: boolean
  history?: HistoryOptions
}

/** An instance with an event of its own making, and a stream of each kind. */
export async function startStreamedInstance({
  env,
  database = false,
  multiInstance = true,
  history,
}: Options) {
  const tick = defineEvent('tick', t.Object({ n: t.Integer() }))
  const options = history && { history }
  const definition = defineServer()
    .events(defineEventRouter({ tick }, options), { multiInstance })
    .websockets(defineWebSocketRouter({ events: { tick }, ...options }), { multiInstance })
  const server = await startTestServer(definition, { env, database })
  const sse = await openTestStream(`${server.url}/events/stream?events=tick`)
  const socket = await openTestWebSocket(`${server.url}/events/ws`)
  const emit = async (from: number, to = from) => {
    for (let n = from; n <= to; n++) await tick.emit({ n })
  }
  /** What each of its streams was told, in its order. */
  const told = () => [
    sse.frames.flatMap(({ event, data }) => toldBy(event, data)),
    socket.frames.flatMap(({ type, data }) => toldBy(type, data)),
  ]
  return { ...server, tick, sse, emit, told }
}

function toldBy(name: string | undefined, data: unknown): unknown[] {
  if (name === 'tick') return [(data as { n: number }).n]
  return name === 'gap' ? [data] : []
}

/** The event stream and the WebSocket are told the same. */
export const both = (told: unknown[]) => [told, told]
