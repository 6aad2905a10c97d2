import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openToProcesses, processUrl } from '../process-role.ts'
import { unpackBinaries } from './binaries.ts'
import { type Cluster, hasCluster, openDirectory } from './cluster.ts'
import { joinServer, type Member } from './join-server.ts'
import { leaveLast } from './lease.ts'
import { readPostmaster, stopPostmaster } from './postmaster.ts'

interface EmbeddedOptions {
  /** Turn it off only for data that you can lose: a crash of the machine then corrupts it. */
  fsync: boolean
  onProgress?: (step: string) => void
}

/**
 * A private PostgreSQL in a directory. The first process starts it, others join it, and the last
 * one ends it. If all its users were killed, the next process takes the server over.
 */
export async function startEmbedded(path: string, options: EmbeddedOptions) {
  const cluster = await openCluster(path, options)
  let member = await joinServer(cluster)
  await letProcessesIn(member)
  const state = { leaving: false }
  let rejoining = Promise.resolve()
  watch()

  function watch() {
    member.lease.once('end', () => {
      if (!state.leaving) rejoining = rejoin()
    })
  }

  /**
   * Restarts a server that crashed or was ended from outside, but not if its directory was deleted.
   */
  async function rejoin() {
    while (!state.leaving && (await hasCluster(cluster).catch(() => false))) {
      try {
        member = await joinServer(cluster)
        return watch()
      } catch {
        await sleep(1000, undefined, { ref: false })
      }
    }
  }

  return {
    /** As the superuser, who owns the tables. */
    url: member.url,
    processUrl: processUrl(member.url),
    stop: async () => {
      if (state.leaving) return
      state.leaving = true
      await rejoining
      await leave(cluster, member)
    },
  }
}

async function letProcessesIn({ lease, url }: Member) {
  lease.ref()
  try {
    await openToProcesses(lease, url)
  } finally {
    lease.unref()
  }
}

/** Whether there is a database in a directory. It makes nothing. */
export async function hasEmbedded(path: string) {
  const directory = resolve(path)
  return hasCluster({ directory, pg: join(directory, 'pg') })
}

async function openCluster(path: string, { fsync, onProgress = () => {} }: EmbeddedOptions) {
  const directory = await openDirectory(path)
  let binaries: Promise<string> | undefined
  return {
    directory,
    pg: join(directory, 'pg'),
    fsync,
    onProgress,
    binaries: () => (binaries ??= unpackBinaries(onProgress)),
  }
}

async function leave(cluster: Cluster, { lease }: Member) {
  try {
    const server = await readPostmaster(cluster)
    if ((await leaveLast(lease)) && server) await stopPostmaster(cluster, server)
  } catch {
    // The server is gone already, so there is nothing to leave.
  } finally {
    await lease.end().catch(() => {})
  }
}
