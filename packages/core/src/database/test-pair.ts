import { execFile } from 'node:child_process'
import { appendFile, chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort } from '../testing/free-port.ts'
import { unpackBinaries } from './embedded/binaries.ts'
import { type Cluster, createCluster, openDirectory } from './embedded/cluster.ts'
import { readPostmaster, spawnPostmaster } from './embedded/postmaster.ts'

/** A primary and its standby, which a test can kill, pause and promote. */
export type TestPair = Awaited<ReturnType<typeof startTestPair>>

interface Server {
  cluster: Cluster
  port: number
}

/** A primary, and a standby that has each change before it is acknowledged. */
export async function startTestPair() {
  const root = await openDirectory(await mkdtemp(join(tmpdir(), 'svc-pair-')))
  const primary = await newServer(join(root, 'one'))
  const standby = await newServer(join(root, 'two'))
  await createCluster(primary.cluster)
  await promisify(execFile)('cp', ['-a', primary.cluster.pg, standby.cluster.pg])
  const password = (await readFile(join(primary.cluster.pg, 'svc.password'), 'utf8')).trim()
  const urlOf = (...ports: number[]) => {
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
    return `postgres://postgres:${password}@${hosts}/postgres`
  }
  const [primaryUrl, standbyUrl] = [urlOf(primary.port), urlOf(standby.port)]
  await start(primary, primaryUrl)
  await makeStandby(
    standby,
    `host=127.0.0.1 port=${primary.port} user=postgres password=${password}`,
  )
  await start(standby, standbyUrl)
  // The machine goes on, so that nothing needs to be on its disk.
  await run(primaryUrl, 'alter role postgres set synchronous_commit = on')
  await run(primaryUrl, `alter system set synchronous_standby_names = '*'`)
  await run(primaryUrl, 'select pg_reload_conf()')
  return {
    primaryUrl,
    standbyUrl,
    /** Of both: the first is the wrong one after the takeover. */
    url: urlOf(primary.port, standby.port),
    kill: () => stop(primary),
    killStandby: () => stop(standby),
    restartStandby: () => start(standby, standbyUrl),
    /** The standby takes what comes, and shows nothing of it. */
    pauseReplay: () => run(standbyUrl, 'select pg_wal_replay_pause()'),
    resumeReplay: () => run(standbyUrl, 'select pg_wal_replay_resume()'),
    /** The standby asks the primary for nothing any more, and that one does not wait for it. */
    stopFollowing: async () => {
      await run(primaryUrl, `alter system set synchronous_standby_names = ''`)
      await run(primaryUrl, 'select pg_reload_conf()')
      await run(standbyUrl, `alter system set primary_conninfo = ''`)
      await run(standbyUrl, 'select pg_reload_conf()')
    },
    promote: () => run(standbyUrl, 'select pg_promote()'),
    async stop() {
      await Promise.all([stop(primary), stop(standby)])
      await rm(root, { recursive: true })
    },
  }
}

async function newServer(path: string): Promise<Server> {
  const directory = await openDirectory(path)
  const binaries = () => unpackBinaries(() => {})
  const pg = join(directory, 'pg')
  return {
    cluster: { directory, pg, binaries, fsync: false, onProgress: () => {} },
    port: await freePort(),
  }
}

/** It follows the other one instead of opening what was copied. */
async function makeStandby({ cluster: { pg } }: Server, conninfo: string) {
  await appendFile(join(pg, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`)
  const signal = join(pg, 'standby.signal')
  await writeFile(signal, '')
  const { uid, gid } = await stat(pg)
  await chown(signal, uid, gid)
}

async function start({ cluster, port }: Server, url: string) {
  const server = await spawnPostmaster(cluster, { on: 'loopback', port })
  while (server.ended === null) {
    if (await run(url, 'select').catch(() => false)) return
    await wait(20)
  }
  throw new Error(`PostgreSQL did not start: ${server.ended}`)
}

/** At once, as after a crash. */
async function stop({ cluster }: Server) {
  const server = await readPostmaster(cluster)
  if (!server) return
  process.kill(server.pid, 'SIGQUIT')
  while ((await readPostmaster(cluster))?.pid === server.pid) await wait(10)
}

async function run(url: string, statement: string) {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return await client.query(statement)
  } finally {
    await client.end().catch(() => {})
  }
}
