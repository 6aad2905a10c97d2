import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { addressOf, type Client, jsonFrom } from '../auth/clients.ts'
import { requestsOf } from '../auth/measure.ts'
import { openPeers } from '../auth/open-peers.ts'
import { forked, nextMessage, stopChild } from '../harness/child.ts'
import type { Login, LoginAnswer, LoginStorm } from './logins.ts'
import type { StormPeer } from './peers.ts'
import type { Read } from './reads.ts'

export interface StormPlan {
  rounds: number
  /** Whether a round comes before those that count. */
  warms: boolean
  idleMillis: number
  /** How many log in at the same moment, each from an address of its own. */
  people: number
  /** For how long they log in repeatedly; 0 means until all are signed in. */
  stormMillis: number
  perSecond: number
}

export interface StormRound {
  idle: Read[]
  storm: Read[]
  answers: LoginAnswer[]
  millis: number
}

export interface StormRow {
  peer: StormPeer
  rounds: StormRound[]
}

interface Server {
  url: string
  clients: Client[]
}

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url))

// The slowest peer takes a minute for all logins that it has accepted.
const patienceMillis = 300_000

/** Logins of all accounts in turn, each from an address of its own. */
function loginsOf(peer: StormPeer, url: string, count: number): Promise<Login[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const login = await peer.login(url, index % peer.accounts)
      return { ...login, headers: { ...jsonFrom(url), ...addressOf(index) } }
    }),
  )
}

async function stormOnce(peer: StormPeer, { url, clients }: Server, plan: StormPlan) {
  const logins = await loginsOf(peer, url, Math.max(plan.people, peer.accounts))
  const each = await requestsOf(clients, 2048)
  const reading = forked(path('./reads.ts'))
  const loggingIn = forked(path('./logins.ts'))
  try {
    reading.send({ url, each, perSecond: plan.perSecond })
    await sleep(plan.idleMillis)
    loggingIn.send({ logins, people: plan.people, millis: plan.stormMillis })
    const { startedAt, endedAt, answers } = await nextMessage<LoginStorm>(loggingIn, patienceMillis)
    reading.send('stop')
    const reads = await nextMessage<Read[]>(reading)
    // The first second is for warming up.
    const warmAt = startedAt - plan.idleMillis + 1000
    return {
      idle: reads.filter(({ sentAt }) => sentAt >= warmAt && sentAt < startedAt),
      storm: reads.filter(({ sentAt }) => sentAt >= startedAt && sentAt < endedAt),
      answers,
      millis: endedAt - startedAt,
    }
  } finally {
    await Promise.all([stopChild(reading), stopChild(loggingIn)])
  }
}

/** Lets people log in during a steady rate of signed requests, one server after another. */
export async function storms(chosen: StormPeer[], plan: StormPlan) {
  const peers = openPeers()
  const skipped: string[] = []
  const rows: StormRow[] = []
  const servers = new Map<StormRow, Server>()
  try {
    for (const peer of chosen) {
      try {
        const opened = await peers.open(peer.file)
        const clients = await peer.enrol(opened, peer.accounts)
        const row: StormRow = { peer, rounds: [] }
        rows.push(row)
        servers.set(row, { url: opened.url, clients })
      } catch (error) {
        skipped.push(`${peer.label} is left out of the storm: ${String(error)}`)
      }
    }
    for (let round = plan.warms ? -1 : 0; round < plan.rounds; round++) {
      for (const [{ peer, rounds }, server] of servers) {
        if (round < 0)
          await stormOnce(peer, server, {
            ...plan,
            people: Math.min(plan.people, 8),
            stormMillis: 0,
          })
        else rounds.push(await stormOnce(peer, server, plan))
      }
      console.error(round < 0 ? 'warm' : `storm ${round + 1} of ${plan.rounds}`)
    }
  } finally {
    await peers.close()
  }
  return { rows, skipped }
}
