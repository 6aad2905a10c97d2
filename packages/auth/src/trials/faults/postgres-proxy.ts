import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { commandTag, createFraming, isIdle, type Message } from './postgres-messages.ts'

/** The first message that is not passed on: the so-manieth of all, or of those that say COMMIT. */
export type Aim = { message: number } | { commit: number }

/** What becomes of the connection on which it was: a stalled one stays open, and says nothing more. */
export type Blow = 'cut' | 'stall' | (() => void)

/** What has passed since the aim was taken, and whether that was reached. */
export interface Shot {
  messages: number
  commits: number
  hasHit: boolean
}

export type PostgresProxy = Awaited<ReturnType<typeof startPostgresProxy>>

/** Stands between an API and PostgreSQL, counts what PostgreSQL says, and strikes at a message. */
export async function startPostgresProxy(databaseUrl: string) {
  const database = new URL(databaseUrl)
  const open = new Set<Socket>()
  let current: { aim: Aim | null; blow: Blow; shot: Shot } | null = null

  /** True for the message that is not passed on. */
  function count(message: Message) {
    if (!current || current.shot.hasHit) return false
    const { aim, shot } = current
    shot.messages += 1
    if (commandTag(message) === 'COMMIT') shot.commits += 1
    if (!aim) return false
    shot.hasHit = 'message' in aim ? shot.messages === aim.message : shot.commits === aim.commit
    return shot.hasHit
  }

  const server = createServer({ noDelay: true }, (client) => {
    const backend = connect({ ...addressOf(database), noDelay: true })
    for (const socket of [client, backend]) open.add(socket)
    const link = { isOurs: false, isIdle: false, isStalled: false }
    const fromClient = createFraming('client')
    const fromBackend = createFraming('backend')

    function pass(message: Message) {
      // Nobody here speaks TLS.
      if (message.kind === 'ssl' || message.kind === 'gss') return client.write('N')
      noteStatement(link, message)
      return backend.write(message.bytes)
    }

    function answer(message: Message) {
      if (link.isStalled) return
      if (link.isOurs && count(message)) return strike()
      if (message.kind === 'Z') link.isIdle = isIdle(message)
      client.write(message.bytes)
    }

    function strike() {
      link.isStalled = true
      if (current?.blow === 'cut') client.end().destroySoon()
      else if (current && current.blow !== 'stall') current.blow()
    }

    client.on('data', (bytes: Buffer) => {
      for (const message of fromClient(bytes)) pass(message)
    })
    backend.on('data', (bytes: Buffer) => {
      for (const message of fromBackend(bytes)) answer(message)
    })
    endTogether(client, backend)
    client.on('close', () => {
      for (const socket of [client, backend]) open.delete(socket)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const url = new URL(database)
  url.search = ''
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    /** Counts from here on. Without an aim nothing is struck. */
    take(aim: Aim | null, blow: Blow = 'cut'): Shot {
      const shot = { messages: 0, commits: 0, hasHit: false }
      current = { aim, blow, shot }
      return shot
    },
    /** Counts and strikes no more. What has stalled stays so. */
    lower() {
      current = null
    },
    stop() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

interface Link {
  isOurs: boolean
  isIdle: boolean
  isStalled: boolean
}

/** The queue looks for work whatever the service does: its statements outside a transaction do not count. */
function noteStatement(link: Link, { kind, bytes }: Message) {
  if (!link.isIdle || !'PQB'.includes(kind)) return
  link.isIdle = false
  link.isOurs = !bytes.includes('svc_jobs')
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
