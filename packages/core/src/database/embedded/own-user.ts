import { createHash } from 'node:crypto'
import { lchown, lstat, readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseConnectionError } from '../errors.ts'
import { isRoot, type User } from './run-as.ts'

/** The files of a cluster. */
interface Files {
  readonly directory: string
  readonly pg: string
}

/**
 * The user that root's server ran as before. Other programs use it too, and each could see the open
 * files of the others in /proc.
 */
const nobody = 65_534

/**
 * PostgreSQL refuses to run as root. So it runs as the owner of its files, by default a user id of its own. No server
 * may be running there.
 */
export async function serverUser(files: Files): Promise<User | null> {
  if (!isRoot) return null
  const { uid, gid } = await lstat(files.pg)
  if (uid === 0) return ownUser(files)
  // Processes of a killed server may still have the files open. PostgreSQL sees them only as the same user, and waits.
  if (!(await isNobodys(files)) || (await isInUse(files))) return { uid, gid }
  const user = await ownUser(files)
  await changeHands(files.pg, { from: nobody, to: user })
  // Last: until then, its owner shows that the change is not complete.
  await lchown(passwordOf(files.pg), user.uid, user.gid)
  return user
}

// The first and the last whose owner changes. If the directory is `nobody`'s, an application of that user uses it.
async function isNobodys({ directory, pg }: Files) {
  const [around, files, password] = await Promise.all(
    [directory, pg, passwordOf(pg)].map(async (path) => (await lstat(path)).uid === nobody),
  )
  return !around && (files || password)
}

/** Whether a process has its working directory there. */
async function isInUse({ pg }: Files) {
  const folder = await realpath(pg)
  const folders = await Promise.all(
    (await processes()).map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')),
  )
  return folders.includes(folder)
}

const passwordName = 'svc.password'
const passwordOf = (pg: string) => join(pg, passwordName)

// Numbers that systemd leaves unused. Debian assigns them only to named users of packages, which are in /etc/passwd.
// All are below 65536, the limit of many containers.
const numbers = { first: 60_706, count: 478 }

/** A user id that no user has. It is always the same for a directory. */
export async function ownUser({ directory }: Pick<Files, 'directory'>): Promise<User> {
  const named = [...(await readNames('/etc/passwd')), ...(await readNames('/etc/group'))]
  const taken = new Set(named.map(({ id }) => id))
  const { first, count } = numbers
  const start = createHash('sha256').update(directory).digest().readUInt32BE()
  for (let step = 0; step < count; step++) {
    const number = first + ((start + step) % count)
    if (!taken.has(number)) return { uid: number, gid: number }
  }
  throw new DatabaseConnectionError(
    `The embedded database needs a user of its own, and ${first} to ${first + count - 1} are taken: start the server as a user other than root, or set DATABASE_URL.`,
  )
}

/**
 * The user who creates the files: `initdb` needs the name of its user, and a bare number has none. So it runs for half
 * a second as a system user that runs no process, so that no other program can interfere. Then the files change owner.
 */
export async function idleUser(): Promise<User> {
  const busy = new Set(await Promise.all((await processes()).map(userOf)))
  const idle = (await readNames('/etc/passwd')).filter(({ id }) => id < 1000 && !busy.has(id))
  const last = idle.findLast(({ id, rest }) => id > 0 && /(?:nologin|false)$/.test(rest))
  return last
    ? { uid: last.id, gid: Number(last.rest.split(':')[0]) }
    : { uid: nobody, gid: nobody }
}

/** Of users and groups: `name:x:number:…` in both. */
async function readNames(path: string) {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [, id, rest = ''] = /^[^:]+:[^:]*:(\d+):(.*)$/.exec(line) ?? []
    return id === undefined ? [] : [{ id: Number(id), rest }]
  })
}

async function processes() {
  return (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
}

const userOf = (pid: string) =>
  lstat(`/proc/${pid}`).then(
    ({ uid }) => uid,
    () => null,
  )

interface Change {
  readonly from: number
  readonly to: User
}

/**
 * Top down, so that the former owner can't replace a file that is next: its folder already belongs to the new owner. It
 * does not follow links.
 */
export async function changeHands(path: string, { from, to }: Change) {
  const { uid } = await lstat(path)
  if (uid === from) await lchown(path, to.uid, to.gid)
  if (!(await lstat(path)).isDirectory()) return
  const names = (await readdir(path)).filter((name) => name !== passwordName)
  await Promise.all(names.map((name) => changeHands(join(path, name), { from, to })))
}
