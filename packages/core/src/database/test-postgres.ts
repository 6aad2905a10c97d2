import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, keepTestServer } from '../testing/test-database.ts'

/** A PostgreSQL that a test can pause, kill and restart, because no other test uses it. */
export type TestPostgres = Awaited<ReturnType<typeof startTestPostgres>>

/** A PostgreSQL of one's own, which may be killed, stalled and brought back. */
export async function startTestPostgres() {
  const directory = await mkdtemp(join(tmpdir(), 'svc-faults-'))
  // With fsync: what it has acknowledged must be there after a kill.
  const serverUrl = `embedded:${directory}`
  const database = await createTestDatabase({ serverUrl })
  await database.close()
  const files = join(directory, 'pg')
  const away = join(directory, 'away')
  let postmaster = await readPostmaster(files)
  const signal = (name: NodeJS.Signals) => {
    // It starts no process then, which would be missing in the list and go on.
    send(postmaster, 'SIGSTOP')
    for (const pid of [postmaster, ...childrenOf(postmaster)]) send(pid, name)
  }

  async function kill() {
    // Each process that uses an embedded server restarts it when it dies, but not without its
    // files.
    await rename(files, away)
    signal('SIGKILL')
  }

  return {
    url: database.url,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    kill,
    async restart() {
      await rename(away, files)
      // What it answers would stop the server; that is killed in the end.
      await keepTestServer(serverUrl)
      postmaster = await readPostmaster(files)
    },
    async stop() {
      await kill()
      // A process that is just ending may still write a file.
      await rm(directory, { recursive: true, maxRetries: 5 })
    },
  }
}

async function readPostmaster(files: string) {
  return Number.parseInt(await readFile(join(files, 'postmaster.pid'), 'utf8'), 10)
}

function childrenOf(parent: number) {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n')
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.flatMap(([pid, ppid]) => (ppid === parent && pid ? [pid] : []))
}

function send(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch {
    // A connection that has just ended.
  }
}
