import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { createLogger } from '../observation/logger.ts'
import { startServer } from '../server/start-server.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { defineServer } from './define-server.ts'

const folder = await mkdtemp(join(tmpdir(), 'svc-migrations-'))
await writeFile(join(folder, '0001_things.sql'), 'create table things (id int)')
const definition = defineServer().database({ migrations: pathToFileURL(`${folder}/`) })
const database = await createTestDatabase()
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

const start = (env: Record<string, string>) =>
  startServer(definition, {
    env: { DATABASE_URL: database.url, ...env },
    port: 0,
    log: createLogger({ level: 'silent' }),
  })

describe('a database that is behind', () => {
  it('keeps a server in production from starting, and says what to do', async () => {
    await expect(start({ NODE_ENV: 'production' })).rejects.toThrow(
      'The database is not up to date: svc-core/0001_cache.sql is pending, svc-core/0002_event_log.sql is pending, svc-core/0003_presence.sql is pending, svc-core/0004_numbers.sql is pending, svc-core/0005_answers.sql is pending, svc-core/0006_attempts.sql is pending, app/0001_things.sql is pending. Run "npx @svc/cli migrate", or start with SVC_MIGRATE=apply.',
    )
  })

  it('keeps any server from starting that is told to refuse', async () => {
    await expect(start({ SVC_MIGRATE: 'refuse' })).rejects.toThrow('0001_things.sql is pending')
  })

  it('is brought up to date in production when told so, and then starts without being told', async () => {
    const told = await start({ NODE_ENV: 'production', SVC_MIGRATE: 'apply' })
    expect(told.infrastructure.migrations).toEqual({ applied: 7, pending: 0 })
    await told.stop()
    const untold = await start({ NODE_ENV: 'production' })
    await untold.stop()
  })

  it('is refused when a migration was edited after it was applied', async () => {
    await writeFile(join(folder, '0001_things.sql'), 'create table things (id bigint)')

    await expect(start({ NODE_ENV: 'production' })).rejects.toThrow('0001_things.sql is changed')
    await expect(start({})).rejects.toThrow('0001_things.sql')
  })
})

describe('an application with tables', () => {
  it('refuses to start in production without DATABASE_URL', async () => {
    const failure = startServer(definition, { env: { NODE_ENV: 'production' }, port: 0 })

    await expect(failure).rejects.toThrow(
      'DATABASE_URL is required: this application has tables or jobs',
    )
  })
})
