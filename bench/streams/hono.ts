import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { serveStreams } from './serve-streams.ts'

const streams = new Set<SSEStreamingApi>()
const app = new Hono()
app.get('/', (c) =>
  streamSSE(c, async (stream) => {
    streams.add(stream)
    await new Promise<void>((resolve) => stream.onAbort(resolve))
    streams.delete(stream)
  }),
)

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  void serveStreams(`http://127.0.0.1:${port}`, (payload) => {
    const data = JSON.stringify(payload)
    for (const stream of streams) void stream.writeSSE({ event: 'tick', data })
  })
})
