import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { appendFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestPostgres } from '@svc/core/testing'
import { sql } from 'drizzle-orm'
import { expect, it, onTestFinished } from 'vitest'
import { startTestAuth } from '../../testing.ts'
import { type LoadAnswer, wrongInOutage } from './load.ts'
import { tornRows } from './scenarios/torn-rows.ts'

const small = mkdtempSync(join(tmpdir(), 'svc-small-'))
const missing = mountSmall() ? '' : ' (skipped: only root can mount a small volume)'

/** A volume of its own, so that nothing else is out of room. */
function mountSmall() {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', small], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

it.skipIf(missing)(
  `F16: a full data volume is 503, leaves nothing torn, and is over when there is room${missing}`,
  async () => {
    const postgres = await startTestPostgres()
    const auth = await startTestAuth({ env: { DATABASE_URL: postgres.url } })
    onTestFinished(async () => {
      await auth.stop()
      await postgres.stop()
      execFileSync('umount', ['-l', small])
      rmSync(small, { recursive: true })
    })
    const { db } = auth.auth
    const { database } = auth.server.infrastructure
    const [backend] = (await db.execute(sql`select pg_backend_pid() as pid`)).rows
    const { uid, gid } = statSync(`/proc/${String(backend?.pid)}`)
    chownSync(small, uid, gid)
    await db.execute(sql.raw(`create tablespace small location '${small}'`))
    for (const table of ['device_keys', 'audit_events', 'one_time_tokens']) {
      await db.execute(sql.raw(`alter table svc_auth.${table} set tablespace small`))
    }
    const user = await auth.signedInUser()
    const filler = join(small, 'filler')
    const isFull = () =>
      appendFile(filler, Buffer.alloc(65_536)).then(
        () => false,
        () => true,
      )
    let bytes = 0
    while (!(await isFull())) bytes += 65_536
    expect(bytes).toBeGreaterThan(0)

    const answers: LoadAnswer[] = []
    // What has room in a page that is there already is written all the same.
    while (answers.length < 400 && !answers.some(({ status }) => status === 503)) {
      const began = performance.now()
      const answer = await auth.call('issueOneTimeToken', undefined, user.key)
      answers.push({ ...answer, name: 'issueOneTimeToken', millis: performance.now() - began })
    }
    expect(answers.at(-1)?.status).toBe(503)
    expect(wrongInOutage(answers)).toEqual([])
    expect((await auth.call('getAuthSession', undefined, user.key)).status).toBe(200)
    expect((await fetch(`${auth.url}/_core/health`)).status).toBe(200)
    expect(database && (await tornRows(database.pool))).toEqual([])

    await rm(filler)
    expect((await auth.call('issueOneTimeToken', undefined, user.key)).status).toBe(200)
  },
  120_000,
)
