import { openPeers, type Peer } from '../auth/open-peers.ts'
import { goalOf, type Options, resultOf, rounded, type Table } from '../harness/result.ts'
import { ratio, type Sample, takeSample } from '../harness/sample.ts'
import { spread } from '../harness/statistics.ts'
import { type AgentClient, addAgents } from './clients.ts'
import { type Kind, requestsOf } from './variants.ts'

const labels: Record<Kind, string> = {
  signed: 'the route, signed by a device',
  newest: 'the tool, revision 2026-07-28',
  before: 'the tool, revision 2025-11-25',
  calls: 'the tool, 2026-07-28, with a budget of calls',
  rows: 'the tool, 2026-07-28, with a budget of calls and rows',
  sdk: 'the SDK alone, 2026-07-28: no caller, no database',
}
const kinds = Object.keys(labels) as Kind[]

interface Plan {
  rounds: number
  millis: number
  connections: number
  signed: number
}

function planOf({ smoke, quick }: Options): Plan {
  if (smoke) return { rounds: 1, millis: 100, connections: 4, signed: 2048 }
  // None is sent twice: enough for 10,000 calls a second.
  const load = { connections: 64, signed: 32_768 }
  return quick ? { ...load, rounds: 3, millis: 1000 } : { ...load, rounds: 7, millis: 3000 }
}

type Rows = Record<Kind, { samples: Sample[] }>

/** A server, and the accounts and agents in its database. */
interface Served {
  peer: Peer
  clients: AgentClient[]
}

async function openOurs({ open }: ReturnType<typeof openPeers>, file: string, plan: Plan) {
  const peer = await open(`../agents/${file}`)
  return { peer, clients: await addAgents(peer, plan.connections) }
}

async function sampleOf({ peer: { url, running }, clients }: Served, { kind, plan }: Asked) {
  const requests = await requestsOf[kind](url, clients, plan.signed)
  await refuseFailure(url, requests)
  const { connections, millis } = plan
  const sample = await takeSample(running, { method: 'POST', ...requests, connections, millis })
  if (sample.failed > 0) throw new Error(`${kind}: ${sample.failed} failed: ${sample.firstFailure}`)
  return sample
}

interface Asked {
  kind: Kind
  plan: Plan
}

/** A call of a tool that is refused has the status 200 too. */
async function refuseFailure(
  url: string,
  { path, headers, each = [{}], body = '' }: Awaited<ReturnType<(typeof requestsOf)[Kind]>>,
) {
  const own = each.at(-1)
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, ...own },
    body,
  })
  const text = await answer.text()
  if (!answer.ok || !text.includes('A note of some words.') || text.includes('"isError":true')) {
    throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
  }
}

async function measure(plan: Plan): Promise<Rows> {
  const peers = openPeers()
  try {
    const ours = await openOurs(peers, 'server.ts', plan)
    const sdk = { peer: await peers.open('../agents/sdk-server.ts'), clients: [] }
    const servers: Record<Kind, Served> = {
      signed: ours,
      newest: ours,
      before: ours,
      calls: await openOurs(peers, 'calls-budget-server.ts', plan),
      rows: await openOurs(peers, 'rows-budget-server.ts', plan),
      sdk,
    }
    const rows = Object.fromEntries(kinds.map((kind) => [kind, { samples: [] }])) as unknown as Rows
    for (let round = -1; round < plan.rounds; round++) {
      for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
        const sample = await sampleOf(servers[kind], { kind, plan })
        if (round >= 0) rows[kind].samples.push(sample)
      }
    }
    return rows
  } finally {
    await peers.close()
  }
}

/** How many times the time of a signed request it takes. */
const costOf = (rows: Rows, kind: Kind) => ratio(rows.signed, rows[kind])

function tableOf(rows: Rows): Table {
  return {
    title: 'Calls a second, 64 connections, an account with a device and an agent each',
    columns: [
      'Call',
      'calls/s, median',
      'min–max',
      '× the time of a signed request',
      'CPU µs/call',
    ],
    rows: kinds.map((kind) => {
      const { samples } = rows[kind]
      const rate = spread(samples.map(({ perSecond }) => perSecond))
      return [
        labels[kind],
        rounded(rate.median),
        `${rounded(rate.min)}–${rounded(rate.max)}`,
        rounded(costOf(rows, kind)),
        rounded(spread(samples.map(({ cpuMicros }) => cpuMicros)).median),
      ]
    }),
  }
}

export async function agents(options: Options) {
  const plan = planOf(options)
  const rows = await measure(plan)
  const most = (bound: number) => (value: number) => value <= bound
  return resultOf('agents', options, {
    method:
      'One route with a permission that answers what it was given: called by a signed request, and as a tool of ' +
      '@svc/mcp with an access token. A budget has two windows, which are counted in the database. One server at a time under 64 keep-alive connections from a second process; ' +
      `after a warm-up round, ${plan.rounds} counted rounds of ${plan.millis / 1000} s through all variants, every ` +
      'second one in reverse order. The embedded PostgreSQL with fsync. Ratios are the median over rounds.',
    tables: [tableOf(rows)],
    goals: [
      goalOf(
        'a tool call at most 1.3 × the same signed request',
        costOf(rows, 'newest'),
        most(1.3),
        '×',
      ),
      goalOf('the same for clients of 2025-11-25', costOf(rows, 'before'), most(1.3), '×'),
      goalOf('the same with a budget of calls', costOf(rows, 'calls'), most(1.3), '×'),
      goalOf('the same with a budget of calls and rows', costOf(rows, 'rows'), most(1.3), '×'),
    ],
    notes: [],
  })
}
