import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'

const hasIPv6 = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .some(({ address }) => address === '::1')

/** Behind the title of a test at `::1`: why it is skipped. */
export const withoutIPv6 = hasIPv6 ? '' : ' (this machine has no IPv6)'

interface Place {
  port: number
  host: string
}

/** A port of an address that leads to a server which listens elsewhere. */
async function relayTo(to: { path: string } | Place, address = '::1') {
  const open = new Set<Socket>()
  const relay = createServer((near) => {
    const far = connect(to)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy()).on('close', () => open.delete(one))
      one.pipe(other)
    }
  })
  await once(relay.listen(0, address), 'listening')
  return {
    port: (relay.address() as AddressInfo).port, // it listens on a port, not on a pipe
    /** How many connections are open. */
    connections: () => open.size / 2,
    stop() {
      relay.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** The same to a PostgreSQL, whether it listens on a port or on a socket. */
export function relayToDatabase(url: string, address?: string) {
  const { searchParams, port, hostname } = new URL(url)
  const folder = searchParams.get('host')
  const place = { port: Number(port || 5432), host: hostname }
  return relayTo(folder ? { path: `${folder}/.s.PGSQL.${place.port}` } : place, address)
}
