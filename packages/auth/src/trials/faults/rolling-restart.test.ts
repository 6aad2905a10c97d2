import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, expect, it, vi } from 'vitest'
import { startTestAuth } from '../../testing.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

/** As a balancer does it: whoever says that it is ready is asked. */
async function readyOne(instances: readonly { url: string }[]) {
  for (const instance of instances) {
    const answer = await fetch(`${instance.url}/_core/health`).catch(() => null)
    if (answer?.status === 200) return instance
  }
  throw new Error('Nobody is ready.')
}

it('F21: an instance of a newer release takes over on the same database, and no request fails', async () => {
  const user = await auth.signedInUser()
  // What the newer release has brought, and the older one does not know.
  await auth.auth.db.execute(sql`alter table svc_auth.users add column of_a_newer_release text`)
  const older = await auth.secondInstance()
  const newer = await auth.secondInstance()
  const instances = [older, newer]
  const statuses: number[] = []
  const over = new AbortController()
  // Whose connection was not taken, or was closed while it was idle, has asked nobody yet: a balancer asks the next.
  async function ask(): Promise<number> {
    const at = (await readyOne(instances)) as typeof older
    const answer = auth.call('issueOneTimeToken', undefined, user.key, { at })
    return answer.then(({ status }) => status, ask)
  }
  const clients = Array.from({ length: 8 }, async () => {
    while (!over.signal.aborted) {
      statuses.push(await ask())
      await wait(2)
    }
  })
  const served = (more: number) =>
    vi.waitFor(() => expect(statuses.length).toBeGreaterThan(more), 20_000)
  await served(20)
  await older.stop()
  await served(statuses.length + 20)
  over.abort()
  await Promise.all(clients)
  expect(statuses.filter((status) => status !== 200)).toEqual([])
}, 60_000)
