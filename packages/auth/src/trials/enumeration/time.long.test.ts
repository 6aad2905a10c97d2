import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { samples } from '../../test-env.ts'
import { startTestAuth, type TestAuth } from '../../testing.ts'
import { type Told, timesOf, toldBy, worstOf } from './measure.ts'
import { accountsInEachState, imported } from './test-accounts.ts'
import { everyProbe } from './test-probes.ts'

// Attack 1: with 2,000 samples of each.
const most = 0.55

interface Circumstance {
  env?: Record<string, string>
  begin?: (auth: TestAuth) => Promise<unknown>
  titles: string[]
}

const all = Object.keys(everyProbe)
const sending = all.filter((title) => everyProbe[title]?.sends)

const circumstances: Record<string, Circumstance> = {
  'all is well': { titles: all },
  // Nobody listens on a port that nobody may use without being root.
  'the mail provider is down': { env: { SVC_MAIL_URL: 'smtp://127.0.0.1:1' }, titles: sending },
  'the queue is down': {
    begin: ({ auth }) => auth.db.execute(sql`alter table svc_jobs.job rename to gone`),
    titles: sending,
  },
}

let hasHead = false
const rounded = (value: number) => value.toFixed(3)
const row = (...cells: string[]) => `| ${cells.join(' | ')} |\n`

/** A row as soon as it is known, in the form that docs/reference/enumeration.md has. */
function print(title: string, name: string, told: readonly Told[]) {
  const cells = told.map(({ auc }) => rounded(auc))
  const widest = Math.max(...told.flatMap(({ auc, from, to }) => [auc - from, to - auc]))
  const head = ['Operation', 'While', ...told.map(({ state }) => state), '±']
  if (!hasHead) process.stdout.write(row(...head) + row(...head.map(() => '---')))
  hasHead = true
  process.stdout.write(row(title, name, ...cells, rounded(widest)))
}

describe.each(Object.entries(circumstances))('while %s', (name, { env = {}, begin, titles }) => {
  let auth: TestAuth | undefined
  afterAll(() => auth?.stop())

  it.each(titles)('the time tells no account from none: %s', async (title) => {
    if (!auth) {
      auth = await startTestAuth({ env })
      await begin?.(auth)
    }
    const probe = everyProbe[title]
    if (!probe) throw new Error(title)
    const accounts = await accountsInEachState(auth, 8)
    const told = toldBy(await timesOf(probe, { url: auth.url, accounts, samples }))
    print(title, name, told)
    const others = told.filter(({ state }) => state !== imported)
    expect(worstOf(others), JSON.stringify(told)).toBeLessThanOrEqual(most)
    // With four rounds, what makes up for another system's work is one step or none: foreign-time.long.test.ts.
    const foreign = told.find(({ state }) => state === imported)
    expect(foreign?.auc, imported).toBeGreaterThanOrEqual(1 - most)
  })
})
