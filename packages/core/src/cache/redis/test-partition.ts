import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../testing/free-port.ts'
import { launchRedis, startTestRedis } from '../test-redis.ts'
import { settingsOf, untilKnown } from './test-sentinel.ts'

/** The replica and the Sentinels connect from this address, and the server under test from 127.0.0.1. */
const theirs = '127.0.0.2'

type Side = 'theirs' | 'ours'

/**
 * A port whose traffic from one side can be held up, as by a failing switch. Neither end gets an
 * error.
 */
async function startWay(port: number) {
  const open = new Map<Socket, Side>()
  const cut = new Set<Side>()
  const held = new WeakMap<Socket, Socket>()
  const way = createServer((socket) => {
    const side = socket.remoteAddress?.endsWith(theirs) ? 'theirs' : 'ours'
    open.set(socket, side)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    if (cut.has(side)) {
      socket.pause()
      return
    }
    const server = connect(port, '127.0.0.1')
    server.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.on('close', () => server.destroy())
    socket.pipe(server).pipe(socket)
    held.set(socket, server)
  }).listen(0, '127.0.0.1')
  await once(way, 'listening')
  const each = (side: Side, then: (socket: Socket) => void) => {
    for (const [socket, of] of open) if (of === side) then(socket)
  }
  return {
    port: (way.address() as AddressInfo).port,
    cut(side: Side) {
      cut.add(side)
      each(side, (socket) => {
        socket.unpipe()
        held.get(socket)?.unpipe()
      })
    },
    heal(side: Side) {
      cut.delete(side)
      each(side, (socket) => socket.destroy())
    },
    close() {
      way.close()
      for (const socket of open.keys()) socket.destroy()
    },
  }
}

export type TestPartition = Awaited<ReturnType<typeof startTestPartition>>

/** A primary, its replica and three Sentinels, two of which have to agree. All of them meet on ways that can be cut. */
export async function startTestPartition(...flagsOfPrimary: string[]) {
  const quick = [
    '--repl-diskless-sync-delay',
    '0',
    '--repl-timeout',
    '4',
    '--repl-ping-replica-period',
    '1',
  ]
  const primary = await startTestRedis(...quick, ...flagsOfPrimary)
  const toPrimary = await startWay(primary.port)
  const replica = await startTestRedis(
    ...quick,
    // Of those without a password, it would listen to 127.0.0.1 alone.
    '--protected-mode',
    'no',
    '--bind-source-addr',
    theirs,
    '--replicaof',
    '127.0.0.1',
    String(toPrimary.port),
  )
  const directory = await mkdtemp(join(tmpdir(), 'svc-sentinels-'))
  const sentinels = await Promise.all(
    Array.from({ length: 3 }, async (_, at) => {
      const port = await freePort()
      const settings = join(directory, `${at}.conf`)
      const monitor = `127.0.0.1 ${toPrimary.port}`
      await writeFile(settings, settingsOf({ port, directory, password: '', monitor, quorum: 2 }))
      const given = [settings, '--sentinel', '--bind-source-addr', theirs]
      return { port, way: await startWay(port), ...(await launchRedis(port, given)) }
    }),
  )
  for (const { port } of sentinels) await untilKnown(port)
  const hosts = sentinels.map(({ way }) => `127.0.0.1:${way.port}`).join(',')
  const ways = [toPrimary, ...sentinels.map(({ way }) => way)]
  return {
    primary,
    replica,
    sentinels,
    /** The replica and the Sentinels are cut off from the primary. */
    cutPrimary: () => toPrimary.cut('theirs'),
    healPrimary: () => toPrimary.heal('theirs'),
    /** The server under test is cut off from the Sentinels. */
    cutSentinels: () => sentinels.forEach(({ way }) => way.cut('ours')),
    healSentinels: () => sentinels.forEach(({ way }) => way.heal('ours')),
    url: `redis+sentinel://${hosts}?name=mymaster`,
    /** As one on the other side of a cut knows them. */
    urlOfOthers: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}?name=mymaster`,
    async stop() {
      await Promise.all(sentinels.map((sentinel) => sentinel.kill()))
      await Promise.all([primary.stop(), replica.stop()])
      for (const way of ways) way.close()
      await rm(directory, { recursive: true })
    },
  }
}
