import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { mailedLinks } from '../links/schema.ts'
import { startTestAuth } from '../testing.ts'
import { revokeAllTokenPurge } from './revoke-all.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())
const { db } = auth.auth

describe('the job auth.revoke-all-token-purge', () => {
  const day = 86_400_000
  const now = auth.clock.now().getTime()
  const ago = (millis: number) => new Date(now - millis)

  const rows = {
    'expired a week ago': { expiresAt: ago(7 * day), gone: true },
    'expired a moment less than a week ago': { expiresAt: ago(7 * day - 1), gone: false },
    live: { expiresAt: ago(-day), gone: false },
    'spent a day ago': { state: 'spent', endedAt: ago(day), expiresAt: ago(day), gone: true },
    'spent less than a day ago': {
      state: 'spent',
      endedAt: ago(day - 1),
      expiresAt: ago(-day),
      gone: false,
    },
    'superseded a day ago': {
      state: 'superseded',
      endedAt: ago(day),
      expiresAt: ago(-day),
      gone: true,
    },
    'superseded less than a day ago': {
      state: 'superseded',
      endedAt: ago(day - 1),
      expiresAt: ago(day),
      gone: false,
    },
    'of another purpose, and older': { purpose: 'signup', expiresAt: ago(70 * day), gone: false },
  } as const

  it('runs at six, and forgets what is old enough to the millisecond (A-352)', async () => {
    expect(revokeAllTokenPurge.declaration.cron).toEqual({
      expression: '0 6 * * *',
      timezone: 'UTC',
    })
    const ids = Object.fromEntries(Object.keys(rows).map((name) => [name, randomUUID()]))
    await db.insert(mailedLinks).values(
      Object.entries(rows).map(([name, { gone: _, ...row }]) => ({
        linkId: ids[name] as string,
        purpose: 'revoke_all' as const,
        subject: name,
        state: 'issued' as const,
        createdAt: ago(80 * day),
        ...row,
      })),
    )
    const { log } = auth.auth
    const context = {
      db,
      log,
      clock: { now: () => ago(0) },
      signal: AbortSignal.any([]),
      attempt: 1,
      env: auth.infrastructure.env,
    }
    await revokeAllTokenPurge['~handler'](undefined, context)

    const kept = new Set((await db.select().from(mailedLinks)).map(({ linkId }) => linkId))
    const gone = Object.keys(rows).filter((name) => !kept.has(ids[name] as string))
    expect(gone).toEqual(
      Object.entries(rows)
        .filter(([, row]) => row.gone)
        .map(([name]) => name),
    )
  })

  it('is one of the jobs that a server with sign-in runs (A-352)', async () => {
    const { rows: scheduled } = await db.execute(sql`
      select name, cron from svc_jobs.schedule where name = ${revokeAllTokenPurge.name}`)
    expect(scheduled).toEqual([{ name: 'auth.revoke-all-token-purge', cron: '0 6 * * *' }])
  })
})
