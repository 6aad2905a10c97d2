import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'
import * as events from '../../../events.ts'
import type { Aim, Blow, PostgresProxy } from '../postgres-proxy.ts'
import { type Heard, isDone, isOutage, send, unheard } from './answers.ts'
import { type Counts, countRows, movesBetween } from './moves.ts'
import type { Ask, Scenario, Stage } from './stage.ts'
import { tornRows } from './torn-rows.ts'

/** The parts of a rig: who prepares, who is asked through the proxy, and the database beside it. */
export interface Rig {
  stage: Stage
  proxy: PostgresProxy
  pool: Pool
  /** Whom the operation is asked of; in another process, one that is up again when this is asked after a kill. */
  instance: () => Promise<{ url: string }>
}

/** What an operation answers and moves, once and when it is sent again, where nothing fails. */
export interface Usual {
  first: string
  moved: string[]
  again: string
  movedTwice: string[]
  messages: number
  commits: number
}

export async function usual({ stage, proxy, pool, instance }: Rig, { prepare }: Scenario) {
  const asks = bothOf(await prepare(stage))
  const before = await settled(pool)
  const shot = proxy.take(null)
  const { said: first } = await send(asks.first, await instance())
  proxy.lower()
  const moved = movesBetween(before, await settled(pool))
  const { said: again } = await send(asks.again, await instance())
  const movedTwice = movesBetween(before, await settled(pool))
  return { first, moved, again, movedTwice, ...shot } satisfies Usual
}

/** Strikes once. Answers whether that hit, and what was wrong then or after the repeat. */
export async function struck(
  rig: Rig,
  given: Scenario,
  at: { aim: Aim; blow: Blow; usual: Usual },
) {
  const { stage, proxy, pool, instance } = rig
  await stage.emptyOutbox()
  const asks = bothOf(await given.prepare(stage))
  const target = await instance()
  const before = await settled(pool)
  const told = listen()
  const shot = proxy.take(at.aim, at.blow)
  const heard = await send(asks.first, target)
  proxy.lower()
  told.leave()
  const after = await settled(pool)
  const moved = movesBetween(before, after)
  const wrong = [
    ...judge(at.usual, given, { said: heard.said, moved, told: told.names }),
    ...(await tornRows(pool)),
  ]
  const repeat = await repeated(rig, asks, { given, usual: at.usual, before, moved })
  if (given.givenOnce)
    repeat.push(...(await givenTwice(rig, asks, { ...at, given, before, heard })))
  return { hasHit: shot.hasHit, wrong: [...wrong, ...repeat, ...(await tornRows(pool))] }
}

const same = (one: readonly string[], other: readonly string[]) =>
  JSON.stringify(one) === JSON.stringify(other)

interface Outcome {
  said: string
  moved: string[]
  told: string[]
}

function* judge(expected: Usual, { spendsFirst }: Scenario, { said, moved, told }: Outcome) {
  const isWhole = same(moved, expected.moved)
  const isNothing = moved.length === 0 || same(moved, spendsFirst?.moved ?? [])
  if (isDone(said) ? said !== expected.first : !isOutage(said) && said !== unheard) {
    yield `it says ${said}`
  }
  if (isDone(said) && !isWhole) yield `it says ${said}, and this is what has moved: ${moved.join()}`
  if (!isWhole && !isNothing) yield `half of it is done: ${moved.join()}`
  if (!isWhole && told.length > 0) yield `it was told and is not so: ${told.join()}`
}

interface Before {
  given: Scenario
  usual: Usual
  before: Counts
  moved: string[]
}

/** What was done is answered as the scenario says; what was not is done now, unless something is spent for good. */
async function repeated(
  { pool, instance }: Rig,
  asks: Asks,
  { given, usual: expected, before, moved }: Before,
) {
  const isWhole = same(moved, expected.moved)
  const { said } = await send(isWhole ? asks.again : asks.first, await instance())
  const movedNow = movesBetween(before, await settled(pool))
  const isRefused = !isWhole && said === given.spendsFirst?.said
  const [answer, moves] = isRefused
    ? [said, given.spendsFirst?.moved]
    : isWhole
      ? [expected.again, expected.movedTwice]
      : [expected.first, expected.moved]
  return [
    ...(said === answer ? [] : [`said again, it says ${said} in place of ${answer}`]),
    ...(same(movedNow, moves ?? [])
      ? []
      : [`said again, ${movedNow.join()} has moved in place of ${moves?.join()}`]),
  ]
}

interface Given extends Omit<Before, 'moved'> {
  /** What was heard of the blow. */
  heard: Heard
}

/** However often it is said, there is one answer, and it is done once. */
async function givenTwice(
  { pool, instance }: Rig,
  { again }: Asks,
  { given: { givenOnce = [] }, usual: expected, before, heard }: Given,
) {
  const repeats = [await send(again, await instance()), await send(again, await instance())]
  const answers = [heard, ...repeats].filter(({ said }) => isDone(said)).map(bodyOf)
  const differing = givenOnce.filter((name) => new Set(answers.map((body) => body[name])).size > 1)
  const moved = movesBetween(before, await settled(pool))
  return [
    ...differing.map((name) => `another ${name} is given again`),
    ...(same(moved, expected.moved) ? [] : [`given again, ${moved.join()} has moved`]),
  ]
}

const bodyOf = ({ text }: Heard): Record<string, unknown> => JSON.parse(text)

interface Asks {
  first: Ask
  again: Ask
}

const bothOf = (prepared: Ask | Asks): Asks =>
  typeof prepared === 'function' ? { first: prepared, again: prepared } : prepared

/** The events of the service that are told from here on. */
function listen() {
  const names: string[] = []
  const leaving = Object.values(events).map((event) =>
    event.subscribe(() => void names.push(event.name)),
  )
  return { names, leave: () => leaving.map((leave) => leave()) }
}

/** The rows once no transaction is open any more: PostgreSQL finds out a little later that a client is gone. */
async function settled(pool: Pool): Promise<Counts> {
  for (let tries = 0; tries < 1000; tries++) {
    const { rows } = await pool.query<{ open: number }>(`
      select count(*)::int as open from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`)
    if (rows[0]?.open === 0) return countRows(pool)
    await wait(5)
  }
  throw new Error('A transaction stays open.')
}
