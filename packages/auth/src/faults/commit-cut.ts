import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

// What PostgreSQL says when a transaction is in its log: CommandComplete with the tag COMMIT.
const committed = Buffer.from('C\0\0\0\x0bCOMMIT\0')

/** Stands between an API and PostgreSQL, and can cut a connection as its COMMIT comes back: done, and nobody heard. */
export async function startCommitCut(databaseUrl: string) {
  const database = new URL(databaseUrl)
  let isArmed = false
  const server = createServer((client) => {
    const backend = connect(addressOf(database))
    let isOurs = false
    client.on('data', (bytes: Buffer) => {
      if (bytes.includes('begin\0')) isOurs = false
      if (bytes.includes('"svc_auth"')) isOurs = true
      backend.write(bytes)
    })
    backend.on('data', (bytes: Buffer) => {
      if (isArmed && isOurs && bytes.includes(committed)) {
        isArmed = false
        client.destroy()
      } else client.write(bytes)
    })
    endTogether(client, backend)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const url = new URL(database)
  url.search = ''
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    /** The next transaction of the service is committed, and its connection cut before anybody hears of it. */
    cutNext() {
      isArmed = true
    },
    hasCut: () => !isArmed,
    stop: () => server.close(),
  }
}

function addressOf({ hostname, port, searchParams }: URL) {
  const directory = searchParams.get('host')
  return directory
    ? { path: `${directory}/.s.PGSQL.${port || 5432}` }
    : { host: hostname, port: Number(port || 5432) }
}

function endTogether(one: Socket, other: Socket) {
  for (const [socket, peer] of [
    [one, other],
    [other, one],
  ] as const) {
    socket.on('error', () => {}).on('close', () => peer.destroy())
  }
}
