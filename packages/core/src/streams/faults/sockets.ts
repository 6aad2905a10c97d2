import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { WebSocket } from 'ws'
import { CheapStream, type Place } from './crowd.ts'

type Socket = Awaited<ReturnType<typeof openSocket>>

export async function openSocket(place: Place, port = place.port) {
  const minting = new CheapStream(place.port)
  const token = await minting.token(place)
  minting.socket.destroy()
  const ws = new WebSocket(`ws://127.0.0.1:${port}/events/ws`, ['svc.v1', `svc.token.${token}`])
  const got: number[] = []
  const gaps: number[] = []
  ws.on('error', () => {})
  ws.on('message', (bytes: Buffer) => {
    const { type, data } = JSON.parse(bytes.toString()) as { type: string; data: { n: number } }
    if (type === 'tick') got.push(data.n)
    if (type === 'gap') gaps.push(performance.now())
  })
  const closed = once(ws, 'close').then(([code]) => Number(code))
  await once(ws, 'open')
  return { ws, got, gaps, closed }
}

export async function openSockets(count: number, place: Place) {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(50, count - sockets.length) }, () =>
      openSocket(place),
    )
    sockets.push(...(await Promise.all(some)))
  }
  return sockets
}
