import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Wire = Awaited<ReturnType<typeof startWire>>

/** A line to the database that can be cut, or held so that nothing comes back. */
export async function startWire(target: string) {
  const { hostname, port, searchParams } = new URL(target)
  const folder = searchParams.get('host')
  const sockets = new Set<Socket>()
  const state = { held: false }
  const server = createServer((near) => {
    const far = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(Number(port), hostname)
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}))
    near.on('data', (bytes) => state.held || far.write(bytes))
    far.on('data', (bytes) => state.held || near.write(bytes))
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
    hold: (held: boolean) => {
      state.held = held
    },
    close() {
      server.close()
      cut()
    },
  }
}
