import { type Answer, type Clock, type Db, EnvironmentError, type Log } from '@svc/core'
import type { RateLimit } from '@svc/core/contract'
import { type Counted, tooMany } from '@svc/core/limits'
import { deriveKey, keyedHash } from '../crypto/crypto.ts'
import type { AuthEnv } from '../env.ts'
import { openWindows } from '../limits/limits.ts'

/**
 * How much each agent of an account may do, such as `{ calls: [perMinute(60), perDay(5000)] }`. What it has passed on to
 * other clients counts as its own.
 */
export interface AgentBudget {
  /** Requests with its tokens. */
  readonly calls?: readonly RateLimit[]
  /**
   * Rows in the answers it gets: the elements of the lists in an answer. An answer without a list is one row. The server
   * knows them only when the answer is there, so the last answer may go over.
   */
  readonly rows?: readonly RateLimit[]
}

type Kind = keyof AgentBudget

interface Window extends RateLimit {
  readonly kind: Kind
}

/** A window of an agent's budget, and how much of it is used up. */
interface BudgetUse extends RateLimit {
  of: Kind
  used: number
  /** Not set before the first call. */
  endsAtMillis?: number
}

/** Counts what agents do. */
export interface Budgets {
  /** Counts a request, and refuses it if the agent has used up its calls or its rows. */
  take(grant: BudgetOf): Promise<void>
  /** Counts the rows of an answer. */
  answered(grant: BudgetOf, answer: Answer | Response | undefined): Promise<void>
  /** None while limits are off. */
  usesOf(grant: BudgetOf): Promise<BudgetUse[]>
}

/** The part of a grant that says which budget it has. */
export interface BudgetOf {
  readonly userId: string
  readonly tenant: string | null
  readonly clientId: string
  readonly actors: readonly string[] | null
}

interface Needs {
  db: Db
  clock: Clock
  log: Log
  env: Pick<AuthEnv, 'SVC_RATE_LIMIT' | 'SVC_AUTH_VERIFICATION_TOKEN_SECRET'>
}

export function createBudgets({ db, clock, log, env }: Needs, budget: AgentBudget = {}): Budgets {
  const windows = windowsOf(budget)
  const rows = windows.filter(({ kind }) => kind === 'rows')
  const key = deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, 'budgets of agents')
  const counts = openWindows(db)
  const isOn = env.SVC_RATE_LIMIT && windows.length > 0
  const idOf = (grant: BudgetOf, { kind, windowMillis }: Window) =>
    keyedHash(key, JSON.stringify([kind, windowMillis, ...subjectOf(grant)]))

  /** All windows of one call share a statement. */
  const add = (grant: BudgetOf, some: readonly Window[], amount: (window: Window) => number) =>
    Promise.all(
      some.map((window) => {
        const { windowMillis } = window
        const attempt = { id: idOf(grant, window), windowMillis, now: clock.now() }
        return counts.add({ ...attempt, amount: amount(window) })
      }),
    )

  return {
    async take(grant) {
      if (!isOn) return
      const counted = await add(grant, windows, ({ kind }) => (kind === 'calls' ? 1 : 0))
      const ends = windows.flatMap((window, at) => usedUp(window, counted[at]) ?? [])
      const last = ends.toSorted((one, other) => other.getTime() - one.getTime())[0]
      if (last) throw tooMany(last, clock.now())
    },
    async answered(grant, answer) {
      if (!isOn || rows.length === 0 || !answer || answer instanceof Response) return
      if (answer.status >= 400) return
      try {
        await add(grant, rows, () => rowsIn(answer.value))
      } catch (error) {
        // The operation is done. An agent that gets an error would call it again.
        log.error({ err: error }, 'the rows of an agent were not counted')
      }
    },
    async usesOf(grant) {
      if (!isOn) return []
      const found = await counts.read(
        windows.map((window) => idOf(grant, window)),
        clock.now(),
      )
      return windows.map((window) => {
        const { kind, limit, windowMillis } = window
        const open = found.get(idOf(grant, window))
        const use = { of: kind, limit, windowMillis, used: Math.min(open?.count ?? 0, limit) }
        return { ...use, ...(open && { endsAtMillis: open.endsAt.getTime() }) }
      })
    },
  }
}

const windowsOf = ({ calls = [], rows = [] }: AgentBudget): Window[] => [
  ...calls.map((window) => ({ ...window, kind: 'calls' as const })),
  ...rows.map((window) => ({ ...window, kind: 'rows' as const })),
]

/**
 * The client that was allowed, which is the last of a chain, and the tenant or the account that has allowed it. Another
 * grant of both has the same budget. For a tenant, each grant has an account of its own.
 */
const subjectOf = ({ userId, tenant, clientId, actors }: BudgetOf) => [
  tenant ?? userId,
  actors?.at(-1) ?? clientId,
]

/** When a used-up window ends. A call is counted before it runs, and a row after it is read. */
function usedUp({ kind, limit }: Window, counted: Counted | undefined) {
  const isOver = counted && (kind === 'calls' ? counted.count > limit : counted.count >= limit)
  return isOver ? counted.endsAt : null
}

/** Lists further inside count too, as in `c.success({ items })`. A list inside an element belongs to its row. */
export function rowsIn(value: unknown): number {
  const lengths = lengthsIn(value)
  return lengths.length === 0 ? 1 : lengths.reduce((sum, length) => sum + length, 0)
}

function lengthsIn(value: unknown): number[] {
  if (Array.isArray(value)) return [value.length]
  // The values of a text would be its letters.
  return typeof value === 'object' ? Object.values(value ?? {}).flatMap(lengthsIn) : []
}

// A count has 32 bits, and the answers that reach the limit still have to fit.
const mostOfOne = 1_000_000_000
const longestMillis = 366 * 86_400_000

/** Refuses a budget that can't be counted, when the server starts. */
export function checkBudget(budget: AgentBudget = {}) {
  const windows = windowsOf(budget)
  const problems = windows.flatMap(({ kind, limit, windowMillis }, at) => {
    const named = `authorizationServer.budget.${kind}`
    if (!isWhole(limit, mostOfOne)) {
      return `${named} must have whole numbers over 0 and up to ${mostOfOne}, such as perDay(5000)`
    }
    if (!isWhole(windowMillis, longestMillis)) {
      return `${named} must have windows of whole milliseconds and of at most 366 days`
    }
    const same = windows.findIndex(
      (each) => each.kind === kind && each.windowMillis === windowMillis,
    )
    return same < at ? `${named} has two limits for one length of time: leave out one` : []
  })
  if (problems.length > 0) throw new EnvironmentError(problems)
}

const isWhole = (number: number, most: number) =>
  Number.isSafeInteger(number) && number >= 1 && number <= most
