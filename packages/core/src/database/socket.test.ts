import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { defineServer } from '../definition/define-server.ts'
import { defineEvent, defineEventRouter, defineJob, defineJobRouter, t } from '../index.ts'
import { createLogger } from '../observation/logger.ts'
import { startServer } from '../server/server.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { connectDatabase } from './server.ts'

const log = createLogger({ level: 'silent' })
const isWindows = process.platform === 'win32'
const missing = isWindows ? ' [not run: no such name of a folder on Windows]' : ''

let root: string
let database: TestDatabase
let login: string
let name: string
/** Where PostgreSQL's socket is: as of Cloud SQL, with colons in its name. */
let folder: string

beforeAll(async () => {
  if (isWindows) return
  root = await mkdtemp(join(tmpdir(), 'svc-socket-'))
  database = await createTestDatabase({
    serverUrl: `embedded:${join(root, 'project:region:instance')}?fsync=off`,
  })
  const url = new URL(database.url)
  folder = url.searchParams.get('host') ?? ''
  login = `${url.username}:${url.password}`
  name = url.pathname.slice(1)
})
afterAll(async () => {
  if (isWindows) return
  await database.drop()
  await rm(root, { recursive: true })
})

const encoded = () => encodeURIComponent(folder)

/** How people write it, each of the same socket. */
const spellings = {
  'no host and ?host=': () => `postgres://${login}@/${name}?host=${folder}`,
  'no host and an encoded ?host=': () => `postgresql://${login}@/${name}?host=${encoded()}`,
  'no host, no user before the path': () => {
    const [user, password] = login.split(':')
    return `postgres:///${name}?host=${folder}&user=${user}&password=${password}`
  },
  'a host that does not count': () => `postgres://${login}@localhost/${name}?host=${folder}`,
  'a port that names the socket': () => `postgres://${login}@localhost:5432/${name}?host=${folder}`,
  'the folder in the place of the host': () => `postgres://${login}@${encoded()}/${name}`,
  'the folder with a port': () => `postgres://${login}@${encoded()}:5432/${name}`,
  'several folders, of which one has a server': () =>
    `postgres://${login}@/${name}?host=/nowhere,${folder}&target_session_attrs=read-write`,
  'several folders and ports': () =>
    `postgres://${login}@/${name}?host=${folder},${folder}&port=1,5432`,
  'several folders in the place of hosts': () =>
    `postgres://${login}@%2Fnowhere,${encoded()}/${name}?query_timeout=3000`,
}

const told = defineEvent('told', t.Object({ word: t.String() }))

describe.skipIf(isWindows)(
  `a socket in a folder with colons${missing}`,
  { timeout: 60_000 },
  () => {
    it('has them, as that of Cloud SQL', () => {
      expect(folder).toMatch(/project:region:instance/)
    })

    it.each(Object.entries(spellings))('is found by %s', async (_, spelling) => {
      const opened = await connectDatabase(spelling(), { log })
      onTestFinished(() => opened.close())
      const { rows } = await opened.pool.query('select current_database() as name')
      expect(rows).toEqual([{ name }])
      expect(await opened.health()).toBe('up')
      expect(await opened.keepsSessions()).toBe(true)
    })

    it('serves migrations, jobs, messages, a history and a second address', async () => {
      const heard: string[] = []
      const worked = vi.fn()
      const work = defineJob('work').handler(() => worked())
      const define = () =>
        defineServer()
          .jobs(defineJobRouter({ work }))
          .events(defineEventRouter({ told }, { history: { size: 10, ttl: 60_000 } }))
          .lifecycle({
            name: 'listener',
            afterInfrastructure: () => {
              told.subscribe(({ word }) => void heard.push(word))
            },
          })
      const env = {
        DATABASE_URL: spellings['no host and ?host='](),
        DATABASE_URL_DIRECT: spellings['several folders, of which one has a server'](),
        CACHE_URL: 'postgres:',
        SVC_MIGRATE: 'apply',
      }
      const start = async () => {
        const server = await startServer(define(), { env, port: 0, log })
        onTestFinished(() => server.stop())
        return server
      }
      const [one, other] = [await start(), await start()]
      const health = await fetch(`${one.url}/_core/health/ready`)
      expect(health.status).toBe(200)
      await one.within(() => work.enqueue())
      await other.within(() => told.emit({ word: 'hello' }))
      await vi.waitFor(() => expect(worked).toHaveBeenCalled(), 10_000)
      // Once on each instance: one of them heard it by LISTEN.
      await vi.waitFor(() => expect(heard).toEqual(['hello', 'hello']), 10_000)
    })

    it('that is not there is named, without the password', async () => {
      const url = `postgres://ada:hunter2@/${name}?host=/cloudsql/a:b:c`
      await expect(connectDatabase(url, { log })).rejects.toThrow(
        'Nothing answers at /cloudsql/a:b:c: start PostgreSQL there, or correct DATABASE_URL.',
      )
    })
  },
)
