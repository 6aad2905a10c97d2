import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Wire = Awaited<ReturnType<typeof startWire>>

/** A line to the database that can be cut, also in the place of an answer, or held so that nothing comes back. */
export async function startWire(target: string) {
  const { hostname, port, searchParams } = new URL(target)
  const folder = searchParams.get('host')
  const sockets = new Set<Socket>()
  const state: { held: boolean; last?: string } = { held: false }
  const server = createServer((near) => {
    const far = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(Number(port), hostname)
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}))
    let isLast = false
    near.on('data', (bytes) => {
      isLast ||= state.last !== undefined && bytes.includes(state.last)
      if (!state.held) far.write(bytes)
    })
    far.on('data', (bytes) => {
      if (isLast) near.destroy()
      else if (!state.held) near.write(bytes)
    })
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const url = new URL(target)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  url.searchParams.delete('host')
  const cut = () => sockets.forEach((socket) => socket.destroy())
  return {
    url: url.href,
    cut,
    /** Cuts a line when the answer to what contains this comes: the database has done it. */
    cutAfter: (statement: string) => {
      state.last = statement
    },
    hold: (held: boolean) => {
      state.held = held
    },
    close() {
      server.close()
      cut()
    },
  }
}
