import type { Running } from '../harness/child.ts'
import { type Sample, takeSample } from '../harness/sample.ts'
import type { Client } from './clients.ts'
import { openPeers } from './open-peers.ts'
import type { Variant } from './variants.ts'

export interface Plan {
  rounds: number
  millis: number
  /** Of the round before those that count. 0 means none. */
  warmupMillis: number
  connections: number
  /** How many processes each server has; one unless set. */
  processes?: number
  /** Requests that are prepared before each measurement, and sent in turn. */
  requests: number
}

export interface Row {
  variant: Variant
  samples: Sample[]
}

interface Server {
  running: Running
  clients: Client[]
}

/** It makes no sense to time a server that accepts every client, or none. */
async function checkAnswers({ running, clients }: Server) {
  const me = `${running.url}/me`
  const nobody = await fetch(me)
  await nobody.text()
  if (nobody.status !== 401) throw new Error(`answers ${nobody.status} to nobody`)
  const found = new Set<string>()
  for (const client of clients) {
    const answer = await fetch(me, { headers: await client() })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`answers ${answer.status} ${text.slice(0, 300)}`)
    found.add(JSON.parse(text).userId)
  }
  if (found.size !== clients.length) throw new Error('does not tell its users apart')
}

/** The headers of so many requests, made by all clients in turn. */
export async function requestsOf(clients: Client[], count: number) {
  const each: Record<string, string>[] = []
  while (each.length < count) each.push(...(await Promise.all(clients.map((client) => client()))))
  return each
}

async function sample(
  row: Row,
  { running, clients }: Server,
  plan: Plan & { millis: number },
): Promise<Sample> {
  const measured = await takeSample(running, {
    method: 'GET',
    path: '/me',
    headers: {},
    each: await requestsOf(clients, plan.requests),
    connections: plan.connections,
    millis: plan.millis,
  })
  if (measured.firstFailure !== undefined) {
    console.error(`${row.variant.name}: ${measured.firstFailure}`)
  }
  return measured
}

/** Starts every server, then loads one at a time, round after round, each second round in reverse order. */
export async function measure(variants: Variant[], plan: Plan) {
  const peers = openPeers()
  const servers = new Map<string, Server>()
  const rows: Row[] = []
  const skipped: string[] = []
  try {
    for (const variant of variants) {
      try {
        const peer = await peers.open(variant.file, plan.processes)
        const clients = await variant.enrol(peer, plan.connections)
        const server = { running: peer.running, clients }
        await checkAnswers(server)
        servers.set(variant.name, server)
        rows.push({ variant, samples: [] })
      } catch (error) {
        skipped.push(`${variant.label} is left out: ${String(error)}`)
      }
    }
    for (let round = plan.warmupMillis > 0 ? -1 : 0; round < plan.rounds; round++) {
      for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
        const server = servers.get(row.variant.name)
        if (!server) continue
        const millis = round < 0 ? plan.warmupMillis : plan.millis
        const measured = await sample(row, server, { ...plan, millis })
        if (round >= 0) row.samples.push(measured)
      }
      console.error(round < 0 ? 'warm' : `round ${round + 1} of ${plan.rounds}`)
    }
  } finally {
    await peers.close()
  }
  return { rows, skipped }
}
