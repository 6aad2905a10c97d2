import { requestsOf } from '../auth/measure.ts'
import { goalOf, type Options, resultOf, rounded, type Table } from '../harness/result.ts'
import { ratio, type Sample, takeSample } from '../harness/sample.ts'
import { spread } from '../harness/statistics.ts'
import { startVariants, type Variant } from './servers.ts'

interface Plan {
  rounds: number
  millis: number
  connections: number
  /** Signed requests of the direct call, prepared before each measurement. */
  signed: number
}

function planOf({ quick, smoke }: Options): Plan {
  if (smoke) return { rounds: 1, millis: 100, connections: 4, signed: 64 }
  const load = { connections: 64, signed: 8192 }
  return quick ? { ...load, rounds: 2, millis: 1000 } : { ...load, rounds: 7, millis: 3000 }
}

interface Row {
  variant: Variant
  samples: (Sample & { behindMicros: number })[]
}

async function checkAnswers({ running, clients, name }: Variant) {
  const texts = new Set<string>()
  for (const client of clients) {
    const answer = await fetch(`${running.url}/me`, { headers: await client() })
    const text = await answer.text()
    if (!answer.ok || text === 'null')
      throw new Error(`${name}: ${answer.status} ${text.slice(0, 200)}`)
    texts.add(text)
  }
  const isPublic = name === 'plain-proxy' || name === 'by-hand'
  if (!isPublic && texts.size !== clients.length) throw new Error(`${name} mixes its users up`)
}

async function sampleOf(
  { running, behind, clients }: Variant,
  { millis, connections, signed }: Plan,
) {
  const each = await requestsOf(clients, behind === undefined ? signed : connections)
  const before = await behind?.usage()
  const sample = await takeSample(running, {
    method: 'GET',
    path: '/me',
    headers: {},
    each,
    connections,
    millis,
  })
  const after = await behind?.usage()
  const answered = Math.max(1, sample.perSecond * (millis / 1000))
  const behindMicros = ((after?.cpuMicros ?? 0) - (before?.cpuMicros ?? 0)) / answered
  return { ...sample, behindMicros }
}

function tableOf(rows: Row[]): Table {
  const betterAuth = rows.find(({ variant }) => variant.name === 'better-auth')
  return {
    title: 'GET of who is signed in, 64 connections, a session each',
    columns: [
      'Variant',
      'req/s, median',
      'min–max',
      '× better-auth',
      'CPU µs/req',
      'of the API behind it',
      'failed',
    ],
    rows: rows.map((row) => {
      const { median, min, max } = spread(row.samples.map(({ perSecond }) => perSecond))
      const behind = spread(row.samples.map(({ behindMicros }) => behindMicros)).median
      return [
        row.variant.label,
        rounded(median),
        `${rounded(min)}–${rounded(max)}`,
        rounded(ratio(row, betterAuth)),
        rounded(cpuOf(row)),
        row.variant.behind ? rounded(behind) : '–',
        String(row.samples.reduce((sum, { failed }) => sum + failed, 0)),
      ]
    }),
  }
}

function cpuOf(row: Row) {
  return spread(row.samples.map(({ cpuMicros }) => cpuMicros)).median
}

export async function proxy(options: Options) {
  const plan = planOf(options)
  const { variants, close } = await startVariants(plan.connections)
  const rows: Row[] = variants.map((variant) => ({ variant, samples: [] }))
  try {
    for (const variant of variants) await checkAnswers(variant)
    for (let round = -1; round < plan.rounds; round++) {
      for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
        const sample = await sampleOf(row.variant, plan)
        if (round >= 0) row.samples.push(sample)
      }
    }
  } finally {
    await close()
  }

  const find = (name: string) => rows.find(({ variant }) => variant.name === name)
  const svc = find('svc-proxy')
  const drivers = rows.flatMap(({ samples }) => samples.map(({ driverShare }) => driverShare * 100))
  return resultOf('proxy', options, {
    method:
      'Fetch handlers on the same bare node:http host, a process each; one PostgreSQL, the embedded one with fsync. One ' +
      `at a time under 64 keep-alive connections from another process; after a warm-up round, ${plan.rounds} counted ` +
      `rounds of ${plan.millis / 1000} s through all variants, every second one in reverse order. The proxy opens the ` +
      'cookie, signs, and calls the API, a process of its own on the same two cores; its CPU is that of its process alone.',
    tables: [tableOf(rows)],
    goals: [
      goalOf(
        'the proxy costs at most 400 µs CPU a call',
        svc && cpuOf(svc),
        (us) => us <= 400,
        'µs',
      ),
      goalOf(
        'at least 4 × better-auth get-session over HTTP',
        ratio(svc, find('better-auth')),
        (times) => times >= 4,
        '×',
      ),
    ],
    notes: [
      `The driver used ${rounded(spread(drivers).median)} % of a core in the median, ${rounded(spread(drivers).max)} % at most.`,
    ],
  })
}
