import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isAlive } from './run-as.ts'
import { startEmbedded } from './start-embedded.ts'
import { isGone, kill, leave, nobody, ownerIds, query, useCluster } from './test-embedded.ts'
import { lootOf, processesOf } from './test-loot.ts'

const cluster = await useCluster()
const { start, startProcess, serverPid } = cluster

describe('startEmbedded', () => {
  it('creates a database that sorts and folds as Unicode says, and keeps UTC', async () => {
    const { url } = await start(cluster.blank)
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
    expect((await stat(cluster.directory)).mode & 0o777).toBe(0o700)
    expect((await stat(join(cluster.directory, 'pg'))).mode & 0o777).toBe(0o700)
    expect((await stat(join(cluster.directory, 'pg', 'svc.password'))).mode & 0o777).toBe(0o600)
  })

  it('keeps what was written, with fsync unless told otherwise', async () => {
    const first = await startEmbedded(cluster.directory, { fsync: true })
    expect(await query(first.url, 'show fsync')).toEqual([{ fsync: 'on' }])
    await query(first.url, 'create table kept as select 42 as answer')
    await first.stop()
    const { url } = await start()
    expect(await query(url, 'select * from kept')).toEqual([{ answer: 42 }])
    expect(await query(url, 'show fsync')).toEqual([{ fsync: 'off' }])
  })
})

describe('several processes on one directory', () => {
  it('join the server that runs, within 100 ms', async () => {
    const first = await start()
    const steps: string[] = []
    const millis: number[] = []
    for (let round = 0; round < 5; round++) {
      const began = performance.now()
      const second = await start(cluster.directory, (step) => steps.push(step))
      millis.push(performance.now() - began)
      expect(second.url).toBe(first.url)
    }
    expect(Math.min(...millis)).toBeLessThan(100)
    expect(steps).toEqual([])
  })

  it('start one server when eight of them begin at once in an empty directory', async () => {
    const processes = await Promise.all(
      Array.from({ length: 8 }, () => startProcess(cluster.blank)),
    )
    expect(new Set(processes.map(({ url }) => url)).size).toBe(1)
    const log = await readFile(join(cluster.blank, 'postgres.log'), 'utf8')
    expect(log.match(/ready to accept connections/g)).toHaveLength(1)
    expect((await readdir(cluster.blank)).toSorted()).toEqual(['pg', 'postgres.log'])
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
})

describe.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'for root, on Linux (others have no uid to give)',
  () => {
    it('the server is a user of its own, and no other process finds its password or its socket', async () => {
      const { url } = await start(cluster.blank)
      const pid = (await serverPid(cluster.blank)) as number
      const { uid } = await stat(`/proc/${pid}`)
      const names = await readFile('/etc/passwd', 'utf8')
      expect(names.split('\n').map((line) => line.split(':')[2])).not.toContain(String(uid))
      expect([0, nobody]).not.toContain(uid)
      expect(await ownerIds(join(cluster.blank, 'pg'))).toEqual([uid])

      const { password } = new URL(url)
      const pids = processesOf(pid)
      expect(pids.length).toBeGreaterThan(3)
      for (const other of [nobody, uid + 1]) {
        const loot = lootOf(cluster.blank, other, pids)
        expect(loot).not.toContain(password)
        expect(loot).not.toMatch(/connected|PG_VERSION|pg_hba/)
        expect(new Set(loot.match(/^E[A-Z]+$/gm))).toEqual(new Set(['EACCES', 'EPERM']))
      }
      // The attempts can succeed: the server's own user finds it.
      expect(lootOf(cluster.blank, uid, pids)).toContain(password)
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
})

describe('a directory that cannot be used', () => {
  it('names the version when another PostgreSQL wrote it', async () => {
    await writeFile(join(cluster.directory, 'pg', 'PG_VERSION'), '16\n')
    await expect(start()).rejects.toThrow(
      /written by PostgreSQL 16, but the embedded one is 18: dump/,
    )
  })
})
