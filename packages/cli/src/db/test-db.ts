import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createApplication, orders } from '../testing/application.ts'

/** Says how it was called, and asks nothing of a database. */
const psql = `#!${process.execPath}
const { PGPASSWORD = '' } = process.env
console.log('psql', process.argv[2], PGPASSWORD.length > 0)`

export async function svcDb({ url, hasPsql }: { url?: string; hasPsql: boolean }) {
  const application = await createApplication({ ...orders, ...(hasPsql && { 'bin/psql': psql }) })
  onTestFinished(() => application.remove())
  if (hasPsql) await chmod(join(application.root, 'bin/psql'), 0o755)
  const env = { PATH: join(application.root, 'bin'), ...(url && { DATABASE_URL: url }) }
  return { root: application.root, ...(await application.svc(['db'], { env })) }
}
