import { createHash } from 'node:crypto'
import { lchown, lstat, readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseConnectionError } from '../connection-error.ts'
import { isRoot, type User } from './run-as.ts'

/** Of a cluster. */
interface Files {
  readonly directory: string
  readonly pg: string
}

/** The user that root's server ran as once. Other programs do too, and /proc shows each what the others have open. */
const nobody = 65_534

/**
 * PostgreSQL refuses to run as root: then it runs as the owner of its files, who is a user of its own at first. No
 * server may be running there.
 */
export async function serverUser(files: Files): Promise<User | null> {
  if (!isRoot) return null
  const { uid, gid } = await lstat(files.pg)
  if (uid === 0) return ownUser(files)
  // What is left of a killed server has the files open still: PostgreSQL sees that only as the same user, and waits.
  if (!(await isNobodys(files)) || (await isInUse(files))) return { uid, gid }
  const user = await ownUser(files)
  await changeHands(files.pg, { from: nobody, to: user })
  // Last: until then, it says that all has to change hands.
  await lchown(passwordOf(files.pg), user.uid, user.gid)
  return user
}

// The first and the last that change hands. Where the directory is `nobody`'s, an application of theirs uses it.
async function isNobodys({ directory, pg }: Files) {
  const [around, files, password] = await Promise.all(
    [directory, pg, passwordOf(pg)].map(async (path) => (await lstat(path)).uid === nobody),
  )
  return !around && (files || password)
}

/** Whether a process works in there. */
async function isInUse({ pg }: Files) {
  const folder = await realpath(pg)
  const folders = await Promise.all(
    (await processes()).map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')),
  )
  return folders.includes(folder)
}

const passwordName = 'svc.password'
const passwordOf = (pg: string) => join(pg, passwordName)

// Numbers that systemd leaves unused, and Debian gives to packages by name only: those would be in /etc/passwd. All are
// below 65536, the most that many containers have.
const numbers = { first: 60_706, count: 478 }

/** A number that no user has, and that needs no user: the same each time for a directory. */
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
    `The embedded database needs a user of its own, and ${first} to ${first + count - 1} are taken: start as another user than root, or set DATABASE_URL.`,
  )
}

/**
 * Who makes the files: `initdb` asks for its user's name, which a mere number has not. That is half a second as a
 * user of the system who runs nothing, so that no other program can look or meddle; then they change hands.
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
 * From above, so that its former owner can put no other file in the place of one that is next: what contains it has
 * changed hands before. Nothing follows a link.
 */
export async function changeHands(path: string, { from, to }: Change) {
  const { uid } = await lstat(path)
  if (uid === from) await lchown(path, to.uid, to.gid)
  if (!(await lstat(path)).isDirectory()) return
  const names = (await readdir(path)).filter((name) => name !== passwordName)
  await Promise.all(names.map((name) => changeHands(join(path, name), { from, to })))
}
