import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const repository = join(import.meta.dirname, '../../../..')
const launcher = join(import.meta.dirname, '../../bin/svc.js')

type Files = Record<string, string>

export interface Run {
  env?: Record<string, string>
  /** A folder inside the application. */
  from?: string
}

export type TestApplication = Awaited<ReturnType<typeof createApplication>>

/** An application in a folder of its own, on which the real command runs as a process of its own. */
export async function createApplication(files: Files) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'svc-application-')))
  const pathOf = (name: string) => join(root, name)
  const write = async (name: string, text: string) => {
    await mkdir(dirname(pathOf(name)), { recursive: true })
    await writeFile(pathOf(name), text)
  }
  await symlink(join(repository, 'node_modules'), pathOf('node_modules'), 'junction')
  for (const [name, text] of Object.entries(files)) await write(name, text)

  return {
    root,
    write,
    read: (name: string) => readFile(pathOf(name), 'utf8'),
    svc: (args: string[], { env, from = '.' }: Run = {}) =>
      runSvc(args, { env, from: pathOf(from) }),
    remove: () => rm(root, { recursive: true }),
  }
}

/** Runs the command from its sources. */
export async function runSvc(
  args: string[],
  { env = {}, from = tmpdir() }: { env?: Run['env']; from?: string } = {},
) {
  const { DATABASE_URL, NO_COLOR, FORCE_COLOR, ...inherited } = process.env
  // What one run compiled, the next finds: a third of the time of each.
  const cache = { NODE_COMPILE_CACHE: join(tmpdir(), 'svc-compile-cache') }
  const options = { cwd: from, env: { ...inherited, ...cache, ...env } }
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['--conditions=svc-source', launcher, ...args],
      options,
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

/** A small application with two routes and a table. */
export const orders = {
  'package.json': '{ "name": "orders", "version": "1.2.0", "type": "module" }',
  'schema.ts': `import { pgTable, text } from 'drizzle-orm/pg-core'

export const orders = pgTable('orders', { id: text().primaryKey() })
export const noTable = 5
`,
  'server.ts': `import { defineRouter, defineServer, route, t } from '@svc/core'
import * as schema from './schema.ts'

const listOrders = route.get('/orders').handler(() => [])
const getOrder = route
  .get('/orders/:orderId')
  .input({ params: t.Object({ orderId: t.String() }) })
  .handler(() => ({}))

export default defineServer()
  .routes(defineRouter({ listOrders, getOrder }))
  .database({ schema, migrations: new URL('./migrations/', import.meta.url) })
`,
}
