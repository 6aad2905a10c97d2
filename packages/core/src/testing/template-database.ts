import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import { migrate } from '../database/migrate.ts'
import { type MigrationSource, readMigrations } from '../database/migration-source.ts'
import { createLogger } from '../observation/logger.ts'
import { databaseUrl } from './database-url.ts'

interface Clone {
  url: string
  claim: Client
  name: string
  sources: MigrationSource[]
}

/** Creates a database as a copy of the template for these migrations, which is made when there is none. */
export async function cloneTemplate({ url, claim, name, sources }: Clone) {
  const template = await templateName(sources)
  const strategy = await cloneStrategy(claim)
  const clone = () => claim.query(`create database ${name} template ${template} ${strategy}`)
  try {
    await clone()
  } catch (error) {
    if (!isMissing(error)) throw error
    await makeTemplate({ url, claim, name: template, sources })
    await clone()
  }
}

/** Copying files is twice as fast, but needs a checkpoint, and that costs nothing only without fsync. */
async function cloneStrategy(claim: Client) {
  const { rows } = await claim.query(`
    select current_setting('fsync') = 'off' and current_setting('server_version_num')::int >= 150000 as fast`)
  return rows[0].fast ? 'strategy file_copy' : ''
}

/** Named after the contents, so that an edited migration makes another one. */
export async function templateName(sources: MigrationSource[]) {
  const files = await readMigrations(sources)
  const contents = files.map(({ source, name, checksum }) => `${source}/${name} ${checksum}`)
  return `svc_template_${createHash('sha256').update(contents.join('\n')).digest('hex').slice(0, 20)}`
}

/** It gets its name when it is complete: a process that dies half-way leaves no half template. */
async function makeTemplate({ url, claim, name, sources }: Clone) {
  const unfinished = `${name}_new`
  await claim.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
  try {
    if (await hasDatabase(claim, name)) return
    await claim.query(`drop database if exists ${unfinished} with (force)`)
    await claim.query(`create database ${unfinished} template template0`)
    await migrate({ url: databaseUrl(url, unfinished) }, sources, {
      log: createLogger({ level: 'error' }),
    })
    await claim.query(`alter database ${unfinished} rename to ${name}`)
    await dropOldTemplates(claim)
  } finally {
    await claim.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
  }
}

const templatesToKeep = 6

async function dropOldTemplates(claim: Client) {
  const { rows } = await claim.query<{ name: string }>(`
    select datname as name from pg_database where datname ~ '^svc_template_[0-9a-f]{20}$'
    order by oid desc offset ${templatesToKeep}`)
  for (const { name } of rows) {
    // In use by another process: a later run drops it.
    await claim.query(`drop database if exists ${name}`).catch(() => {})
  }
}

async function hasDatabase(claim: Client, name: string) {
  const { rowCount } = await claim.query('select from pg_database where datname = $1', [name])
  return rowCount === 1
}

function isMissing(error: unknown) {
  return error instanceof Error && 'code' in error && error.code === '3D000'
}
