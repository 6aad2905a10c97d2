import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseConnectionError } from '../errors.ts'
import { type Cluster, createCluster, hasCluster } from './cluster.ts'
import { type Lease, takeLease } from './lease.ts'
import {
  addressOf,
  forget,
  isRunning,
  otherTransport,
  pickTransport,
  readPostmaster,
  spawnPostmaster,
} from './postmaster.ts'

export interface Member {
  url: string
  lease: Lease
}

/** A start takes a tenth of a second; recovery after a crash can take longer. */
const patienceMillis = 60_000

/**
 * Joins the server of a directory. Starts it if it does not run, and creates it if there is none.
 */
export async function joinServer(cluster: Cluster): Promise<Member> {
  const starter = createStarter(cluster)
  const deadline = Date.now() + patienceMillis
  while (Date.now() < deadline) {
    if (await hasCluster(cluster)) {
      const member = await joinRunning(cluster)
      if (member) return member
      if (!(await isBusy(cluster))) await starter.start()
    } else {
      await createCluster(cluster)
    }
    await sleep(5)
  }
  throw doesNotStart(cluster, 'it gave no answer for a minute')
}

async function joinRunning(cluster: Cluster) {
  const server = await readPostmaster(cluster)
  if (!server) return null
  try {
    const url = await addressOf(cluster, server)
    const lease = await takeLease(url)
    return lease && { url, lease }
  } catch (error) {
    // At the port of a dead server any program may answer. Its answer does not matter.
    if (await isRunning(cluster, server)) throw error
    return null
  }
}

/** Whether a server is starting or stopping there. Removes the files of a dead one. */
async function isBusy(cluster: Cluster) {
  const server = await readPostmaster(cluster)
  if (!server) return false
  if (await isRunning(cluster, server)) return true
  await forget(cluster, server)
  return false
}

/** Another process has started it first, or the processes of a killed server are not gone yet. */
const passes = /already exists|is empty|still in use|starting up|shutting down/
const addressFails = /Unix-domain socket|TCP\/IP socket/

function createStarter(cluster: Cluster) {
  let transport = pickTransport(cluster)
  let server: Awaited<ReturnType<typeof spawnPostmaster>> | null = null

  return {
    async start() {
      if (server && server.ended === null) return
      if (server) {
        const reason = server.ended ?? ''
        if (addressFails.test(reason)) transport = await otherTransport(cluster, transport)
        else if (!passes.test(reason)) throw doesNotStart(cluster, reason)
      }
      cluster.onProgress(`Starting PostgreSQL in ${cluster.directory}`)
      server = await spawnPostmaster(cluster, transport)
    },
  }
}

function doesNotStart({ directory }: Cluster, reason: string) {
  return new DatabaseConnectionError(
    `The embedded database in ${directory} does not start (${reason}): see postgres.log there.`,
  )
}
