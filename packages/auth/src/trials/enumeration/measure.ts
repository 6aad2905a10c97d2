import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { directRequest, type PreparedRequest } from '@svc/core/client'
import { routeMap } from '../../route-map.generated.ts'
import { shuffled } from '../shuffled.ts'
import { auc, bootstrap, telling } from './auc.ts'
import { nobody } from './test-accounts.ts'
import type { Probe } from './test-probes.ts'

type Times = Record<string, number[]>

interface Measured {
  url: string
  accounts: Record<string, string[]>
  samples: number
}

// Until the server has compiled what it runs, and its connections are open.
const warmUp = 20

/**
 * How long the answers take for each state of an account, in milliseconds. Each state is asked for once in every round,
 * in an order of its own, so that whatever else the machine does falls on all of them alike.
 */
export async function timesOf(probe: Probe, { url, accounts, samples }: Measured) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: Times = Object.fromEntries(Object.keys(accounts).map((state) => [state, []]))
  for (let round = -warmUp; round < samples; round++) {
    for (const [state, emails] of shuffled(Object.entries(accounts))) {
      const email = emails[Math.abs(round) % emails.length] ?? ''
      const input = { body: probe.ask(email) }
      const asked = directRequest(url, { ...routeMap[probe.operation], input })
      const took = await timeOf(agent, asked)
      if (round >= 0) times[state]?.push(took)
    }
  }
  agent.destroy()
  return times
}

async function timeOf(agent: Agent, { url, method, headers, body }: PreparedRequest) {
  const began = performance.now()
  const sent = request(url, { agent, method, headers }).end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  await answer.toArray()
  return performance.now() - began
}

export interface Told {
  readonly state: string
  /** Of the time of this state against that of no account. */
  readonly auc: number
  readonly from: number
  readonly to: number
}

/** How well the time tells each state from no account at all. */
export function toldBy(times: Times): Told[] {
  const unknown = times[nobody] ?? []
  return Object.entries(times)
    .filter(([state]) => state !== nobody)
    .map(([state, each]) => ({ state, auc: auc(each, unknown), ...bootstrap(each, unknown) }))
}

/** The one that is told best. */
export const worstOf = (told: readonly Told[]) => Math.max(...told.map((each) => telling(each.auc)))
