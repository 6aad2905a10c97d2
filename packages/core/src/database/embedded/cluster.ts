import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import {
  access,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseConnectionError } from '../errors.ts'
import { changeHands, idleUser, ownUser } from './own-user.ts'
import { asUser, exitOf, handOver, isAlive, isRoot } from './run-as.ts'

/** A directory of ours, with the PostgreSQL cluster in its `pg`. */
export interface Cluster {
  directory: string
  pg: string
  /** Where the programs are. They are unpacked at the first call. */
  binaries: () => Promise<string>
  fsync: boolean
  onProgress: (step: string) => void
}

export async function openDirectory(path: string) {
  const directory = resolve(path)
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch(refuseUnwritable(directory))
  const { uid } = await lstat(directory)
  const mine = process.getuid === undefined || isRoot || uid === process.getuid()
  if (!mine) {
    throw new DatabaseConnectionError(
      `${directory} belongs to another user: start as that user, or name another directory in DATABASE_URL.`,
    )
  }
  await access(directory, constants.W_OK).catch(refuseUnwritable(directory))
  return directory
}

/** On a read-only file system, Node says `ENOENT` for a folder that it should make. */
const unwritable = /^(?:EACCES|ENOENT|EPERM|EROFS)$/

const refuseUnwritable = (directory: string) => (cause: NodeJS.ErrnoException) => {
  if (!unwritable.test(cause.code ?? '')) throw cause
  throw new DatabaseConnectionError(
    `The embedded database needs a directory that it can write, but this user cannot write ${directory}: mount a volume there that belongs to the user, or name another directory in DATABASE_URL.`,
    { cause },
  )
}

/** True if there is a cluster that this PostgreSQL can open. */
export async function hasCluster({ pg, directory }: Pick<Cluster, 'pg' | 'directory'>) {
  const version = await readFile(join(pg, 'PG_VERSION'), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null
    throw new DatabaseConnectionError(
      `${directory} cannot be read by this user: start as its owner, or name another directory in DATABASE_URL.`,
      { cause: error },
    )
  })
  if (version === null) return false
  if (version.trim() === '18') return true
  throw new DatabaseConnectionError(
    `${directory} was written by PostgreSQL ${version.trim()}, but the embedded one is 18: dump it with that version and load the dump here, or move the directory away to start with an empty database.`,
  )
}

/**
 * Makes the cluster under another name and moves it into place, so that there is never half a
 * cluster. Processes that arrive together leave the work to the first one. If two do it after all,
 * one move wins.
 */
export async function createCluster(cluster: Cluster) {
  const name = `pg.new-${Date.now()}-${process.pid}-${randomBytes(4).toString('hex')}`
  const unfinished = join(cluster.directory, name)
  const passwordFile = `${unfinished}.password`
  await mkdir(unfinished, { mode: 0o700 })
  try {
    if ((await firstCreator(cluster.directory)) !== name) return
    cluster.onProgress(`Creating a database in ${cluster.directory}`)
    await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
    await runInitdb(cluster, unfinished, passwordFile)
    await rename(passwordFile, join(unfinished, 'svc.password'))
    await rename(unfinished, cluster.pg).catch(() => {})
  } finally {
    await rm(unfinished, { recursive: true, force: true })
    await rm(passwordFile, { force: true })
  }
}

async function firstCreator(directory: string) {
  const names = (await readdir(directory)).filter((name) => name.startsWith('pg.new-')).toSorted()
  const abandoned = names.filter((name) => !isAtWork(name))
  await Promise.all(
    abandoned.map((name) => rm(join(directory, name), { recursive: true, force: true })),
  )
  return names.find(isAtWork)
}

/**
 * A creation takes a second. The process id of one that crashed long ago may belong to another
 * program by now.
 */
function isAtWork(name: string) {
  const [, millis, pid] = name.split('-').map(Number)
  return isAlive(pid as number) && Date.now() - (millis as number) < 60_000
}

const initdbOptions = [
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
]

async function runInitdb(cluster: Cluster, target: string, passwordFile: string) {
  const program = join(await cluster.binaries(), 'bin', 'initdb')
  const user = isRoot ? await idleUser() : null
  if (user) {
    await chown(target, user.uid, user.gid)
    await chown(passwordFile, user.uid, user.gid)
  }
  const folder = await handOver(target, 3)
  const password = await handOver(passwordFile, 4)
  const quick = cluster.fsync ? [] : ['--no-sync', '--no-data-checksums']
  const settings = [`--pgdata=${folder.path}`, `--pwfile=${password.path}`]
  let output = ''
  try {
    const child = spawn(program, [...settings, ...initdbOptions, ...quick], {
      ...asUser(user),
      stdio: ['ignore', 'pipe', 'pipe', folder.stdio, password.stdio],
    })
    child.stdout?.on('data', (text) => (output += text))
    child.stderr?.on('data', (text) => (output += text))
    const failure = await exitOf(child)
    if (failure) throw creationFailure(cluster, output, failure)
  } finally {
    await Promise.all([folder.close(), password.close()])
  }
  if (!user) return
  const change = { from: user.uid, to: await ownUser(cluster) }
  await changeHands(target, change)
  await changeHands(passwordFile, change)
}

function creationFailure({ directory }: Cluster, output: string, failure: string) {
  const reason = /error: (.*)/.exec(output)?.[1] ?? output.trim().split('\n').at(-1)
  return new DatabaseConnectionError(
    `The embedded database could not be created in ${directory}: ${reason || failure}`,
  )
}
