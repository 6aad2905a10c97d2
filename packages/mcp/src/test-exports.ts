import { setTimeout as wait } from 'node:timers/promises'
import { allow, createAuthLifecycle, createAuthRouter, getUserId } from '@svc/auth/server'
import { startTestAuth, type TestAuth, type TestAuthOptions } from '@svc/auth/testing'
import {
  ConflictError,
  defineJob,
  defineJobRouter,
  defineServer,
  type HandlerContext,
  NotFoundError,
  route,
  type ToolTaskState,
  t,
} from '@svc/core'
import { and, eq, sql } from 'drizzle-orm'
import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { mcp } from './mcp.ts'

const exports = pgTable('exports', {
  id: uuid().primaryKey().defaultRandom(),
  owner: text().notNull(),
  state: text().notNull().default('working').$type<ToolTaskState>(),
  rows: text(),
})

/** The exports that were started, and how those end whose job may end. */
export const started: string[] = []
const ends = new Map<string, 'completed' | 'failed'>()

export const endExport = (id: string, end: 'completed' | 'failed' = 'completed') =>
  void ends.set(id, end)

/** Ends all of them: a job that waits keeps others from running. */
export const endExports = () => {
  for (const id of started) if (!ends.has(id)) endExport(id)
}

const writeExport = defineJob('write-export')
  .input(t.Object({ exportId: t.String() }))
  .handler(async ({ exportId }, { db, signal }) => {
    while (!ends.has(exportId)) await wait(20, undefined, { signal })
    await db
      .update(exports)
      .set({ state: ends.get(exportId) ?? 'completed', rows: 'a,b' })
      .where(and(eq(exports.id, exportId), eq(exports.state, 'working')))
  })

const mine = (c: HandlerContext, id: string) =>
  and(eq(exports.id, id), eq(exports.owner, getUserId(c)))
const params = t.Object({ exportId: t.String({ format: 'uuid' }) })

/** The calls of the routes of the jobs, as the routes see them. */
export const calls: string[] = []

const startExport = allow.may('note:read')(
  route
    .post('/exports')
    .input({ body: t.Object({ of: t.String({ maxLength: 20 }) }) })
    .tool({
      title: 'Export notes',
      describe: 'Writes all notes into a file.',
      task: {
        read: 'readExport',
        cancel: 'cancelExport',
        params: { exportId: 'id' },
        state: ({ state }: { state: ToolTaskState }) => state,
        pollSeconds: 0.1,
      },
      view: ({ state }: { state: string }) => ({ state }),
    })
    .handler(async (c) => {
      if ((await c.data()).body.of === 'nothing') throw new ConflictError({ message: 'No notes.' })
      const row = await c.db.transaction(async () => {
        const [made] = await c.db
          .insert(exports)
          .values({ owner: getUserId(c) })
          .returning()
        if (made) await writeExport.enqueue({ exportId: made.id })
        return made ?? { id: '', state: '' }
      })
      started.push(row.id)
      return c.accepted({ id: row.id, state: row.state })
    }),
)

const readExport = allow.may('note:read')(
  route
    .get('/exports/:exportId')
    .input({ params })
    .tool({
      title: 'Read an export',
      describe: 'Reads an export.',
      view: ({ rows }: { rows: string | null }) => ({ rows }),
    })
    .handler(async (c) => {
      const { exportId } = (await c.data()).params
      calls.push(`read ${exportId}`)
      const [row] = await c.db.select().from(exports).where(mine(c, exportId))
      if (!row) throw new NotFoundError({ resource: 'export' })
      return row
    }),
)

const cancelExport = allow.may('note:read')(
  route
    .delete('/exports/:exportId')
    .input({ params })
    .handler(async (c) => {
      const { exportId } = (await c.data()).params
      calls.push(`cancel ${exportId}`)
      const [row] = await c.db
        .update(exports)
        .set({ state: 'cancelled' })
        .where(and(mine(c, exportId), eq(exports.state, 'working')))
        .returning()
      if (!row) throw new ConflictError({ message: 'The export has ended.' })
      return c.noContent()
    }),
)

/** A tool whose job can't be cancelled, for those who write. */
const startReport = allow.may('note:write')(
  route
    .post('/reports')
    .tool({
      title: 'Report',
      describe: 'Makes a report.',
      task: {
        read: 'readReport',
        params: { reportId: 'id' },
        state: ({ is }: { is: ToolTaskState }) => is,
      },
    })
    .handler((c) => c.created({ id: 7, text: 'a report' })),
)

const readReport = allow.may('note:write')(
  route
    .get('/reports')
    .input({ query: t.Object({ reportId: t.Integer() }) })
    .handler(() => ({ is: 'working' })),
)

const countNotes = allow.may('note:read')(
  route
    .get('/count')
    .tool({ title: 'Count notes', describe: 'Counts notes.' })
    .handler(() => ({ count: 2 })),
)

const options = {
  permissions: [
    { name: 'note:read', displayName: 'Read notes', category: 'note' },
    { name: 'note:write', displayName: 'Write notes', category: 'note' },
  ],
  rolePermissions: { user: ['note:read'], admin: ['note:read', 'note:write'] },
  authorizationServer: {
    scopes: { 'note:read': 'Read notes', 'note:write': 'Write notes' },
    resources: ['/mcp'],
    registration: 'open',
  },
} satisfies TestAuthOptions['options']

const about = { name: 'notes', version: '1.0.0' }
const routes = {
  startExport,
  readExport,
  cancelExport,
  startReport,
  readReport,
  countNotes,
  mcp: mcp({ ...about, path: '/mcp', tools: ['startExport', 'startReport', 'countNotes'] }),
}

/** An application whose exports are jobs. */
export async function startExportApp(): Promise<TestAuth> {
  const definition = defineServer()
    .routes(createAuthRouter({ routes }))
    .jobs(defineJobRouter({ writeExport }))
    .lifecycle(createAuthLifecycle(options))
  const auth = await startTestAuth({ definition })
  await auth.auth.db.execute(sql`
    create table exports (
      id uuid primary key default gen_random_uuid(),
      owner text not null,
      state text not null default 'working',
      rows text
    )`)
  return auth
}

export const deleteExport = ({ auth }: TestAuth, id: string) =>
  auth.db.delete(exports).where(eq(exports.id, id))
