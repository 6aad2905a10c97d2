/** The process of the clients: they connect, leave, and reconnect as the bench orders. */
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../harness/statistics.ts'
import { ReturningClient } from './returning-client.ts'
import { variants } from './variants.ts'

export type ClientOrder =
  | { kind: 'open'; variant: string; url: string; clients: number; reached: number }
  | { kind: 'leave' }
  /** All reconnect at once. */
  | { kind: 'return'; url: string; last: number }
  /** A client that is dropped reconnects by itself, after the time that it was told. */
  | { kind: 'follow'; url: string }
  | { kind: 'back' }
  /** Waits until all have reached a number. */
  | { kind: 'reach'; last: number }

export interface Returned {
  lastMillis: number
  medianMillis: number
}

export interface Back {
  /** From the end of the spread, when the last one should reconnect, until all are open. */
  afterSpreadMillis: number
  spreadMillis: number
  /** How often a client came while the server was down. */
  refused: number
}

export interface Reached {
  failed: number
  failure?: string
}

// Fewer than the 511 that may wait until Node accepts them.
const openingAtOnce = 256
const patienceMillis = 60_000
/**
 * How long our client waits if there is no server: twice as long after each attempt, and half of it
 * random.
 */
function delayBefore(attempt: number) {
  return Math.min(30_000, 3000 * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
}

let all: ReturningClient[] = []
let openedAt: number[] = []
let reachedAt: number[] = []
let dueAt = 0
let endedAt: number[] = []
let refused = 0
let awaited = Infinity
let onEnded = (_client: ReturningClient) => {}

const listener = {
  got(n: number) {
    if (n === awaited) reachedAt.push(performance.now())
  },
  opened: () => void openedAt.push(performance.now()),
  ended: (client: ReturningClient) => onEnded(client),
}

async function until(isSo: () => boolean) {
  const end = performance.now() + patienceMillis
  while (!isSo() && performance.now() < end) await sleep(2)
}

async function openAll(url: string) {
  let next = 0
  const openNext = async () => {
    for (let client = all[next++]; client; client = all[next++]) await client.open(url)
  }
  await Promise.all(Array.from({ length: openingAtOnce }, openNext))
}

async function comeAgain(client: ReturningClient, url: string, millis: number) {
  await sleep(millis)
  await client.open(url)
  if (!client.isOpen) refused += 1
}

const carryOut = {
  async open({ variant, url, clients, reached }: ClientOrder & { kind: 'open' }) {
    const found = variants.find(({ name }) => name === variant)
    if (!found) throw new Error(`no variant ${variant}`)
    all = Array.from(
      { length: clients },
      (_, index) => new ReturningClient(found, index, reached + 1, listener),
    )
    await openAll(url)
    return all.filter(({ isOpen }) => isOpen).length
  },

  async leave() {
    for (const client of all) client.leave()
    return 0
  },

  async return({ url, last }: ClientOrder & { kind: 'return' }): Promise<Returned> {
    awaited = last
    reachedAt = []
    const began = performance.now()
    await openAll(url)
    await until(() => reachedAt.length >= all.length)
    return {
      lastMillis: Math.max(...reachedAt) - began,
      medianMillis: quantile(reachedAt, 0.5) - began,
    }
  },

  async follow({ url }: ClientOrder & { kind: 'follow' }) {
    openedAt = []
    endedAt = []
    refused = 0
    dueAt = 0
    const attempts = new Map<ReturningClient, number>()
    onEnded = (client) => {
      const attempt = attempts.get(client) ?? 0
      attempts.set(client, attempt + 1)
      const wait = attempt === 0 ? client.retryMillis : delayBefore(attempt)
      void comeAgain(client, url, wait)
      if (attempt > 0) return
      endedAt.push(performance.now())
      dueAt = Math.max(dueAt, performance.now() + wait)
    }
    return 0
  },

  async back(): Promise<Back> {
    await until(() => openedAt.length >= all.length)
    return {
      afterSpreadMillis: Math.max(...openedAt) - dueAt,
      spreadMillis: dueAt - Math.min(...endedAt),
      refused,
    }
  },

  async reach({ last }: ClientOrder & { kind: 'reach' }): Promise<Reached> {
    await until(() => all.every(({ reached }) => reached >= last))
    // A duplicate would come now.
    await sleep(100)
    const failures = all.flatMap(({ failure, reached, isOpen }) =>
      failure || reached !== last || !isOpen ? [failure ?? `has got to ${reached} of ${last}`] : [],
    )
    const [failure] = failures
    return { failed: failures.length, ...(failure !== undefined && { failure }) }
  },
}

process.on('message', (order: ClientOrder) => {
  // The order and its argument belong together.
  void carryOut[order.kind](order as never).then((answer) => process.send?.(answer))
})
process.on('disconnect', () => process.exit())
