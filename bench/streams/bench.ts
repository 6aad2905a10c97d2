import { execSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepTestServer } from '@svc/core/testing'
import { chosenOf, type Options, resultOf, rounded } from '../harness/result.ts'
import { spread } from '../harness/statistics.ts'
import { streamGoals } from './goals.ts'
import { measure, type Row } from './measure.ts'
import { deliveryTable, quietTable } from './tables.ts'
import type { Plan } from './take-sample.ts'
import { variants } from './variants.ts'

const whole: Omit<Plan, 'serverUrl'> = {
  rounds: 5,
  heldRounds: 1,
  sizes: [1000, 5000, 10_000],
  warmupMillis: 500,
  floodMillis: 800,
  burst: 30,
  burstLimitMillis: 4000,
  pacedPerSecond: 10_000,
  paceMillis: 1200,
}

const quick: typeof whole = {
  ...whole,
  rounds: 2,
  heldRounds: 1,
  sizes: [200, 1000],
  warmupMillis: 300,
  floodMillis: 400,
  paceMillis: 1000,
}

const smoke: typeof whole = {
  ...quick,
  rounds: 1,
  heldRounds: 0,
  sizes: [10],
  warmupMillis: 50,
  floodMillis: 50,
  burst: 5,
  pacedPerSecond: 1000,
  paceMillis: 50,
}

/** Each process has one end of every connection, and some more files. The limit is not raised. */
function sizesWithin(sizes: number[], openFiles: number) {
  return sizes.filter((size) => size + 200 < openFiles)
}

function clientShares(rows: Row[], kind: 'single' | 'burst') {
  const rates = rows.flatMap(({ samples }) => samples.map((sample) => sample[kind]))
  const { median, max } = spread(rates.flatMap((rate) => (rate ? [rate.clientShare * 100] : [])))
  return `${rounded(median)} % in the median and ${rounded(max)} % at most`
}

export async function streams(options: Options) {
  const openFiles = Number(execSync('ulimit -n')) || Infinity
  const wanted = options.smoke ? smoke : options.quick ? quick : whole
  const directory = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const serverUrl = `embedded:${directory}/data`
  const plan = { ...wanted, serverUrl, sizes: sizesWithin(wanted.sizes, openFiles) }
  const letGo = await keepTestServer(serverUrl)
  const measuring = measure(chosenOf(options, variants, 7), plan)
  await Promise.allSettled([measuring])
  await letGo()
  rmSync(directory, { recursive: true, force: true })
  const { rows, skipped } = await measuring

  return resultOf('streams', options, {
    method:
      'A server process and a client process of raw sockets for each sample, over loopback, payloads of 200 bytes of ' +
      `JSON; ${plan.rounds} rounds through all variants and sizes, every second one in reverse order. The emissions of ` +
      `a turn are made when those before have reached everybody, for ${plan.floodMillis / 1000} s; CPU is that of the ` +
      'server process. Memory is taken after three collections of garbage, less that of the server without ' +
      `connections, and in ${plan.heldRounds} rounds once more in a process of its own with --max-semi-space-size=2. ` +
      'A server with history on holds more in reserve before it has connections, so that its heap in use is compared ' +
      'too; its events go through the log in PostgreSQL, the embedded one with fsync, on the same cores. ' +
      'Latency is from the stamp in the payload to its reading, at ' +
      `${plan.pacedPerSecond.toLocaleString('en')} deliveries a second to all connections together; meanwhile the ` +
      'longest block of the event loop is sampled every millisecond, so that it may read one too long. Streams of Svc ' +
      'are authenticated, those of the others are open to everybody. By hand, the frames of a turn are bytes that are ' +
      'built once and go to every socket in one write. Ratios are the median over rounds of two figures of the same round.',
    tables: plan.sizes.flatMap((size) => [
      deliveryTable(rows, size, plan.burst),
      quietTable(rows, size),
    ]),
    goals: streamGoals(rows, plan.sizes),
    notes: [
      `The client used ${clientShares(rows, 'single')} of a core one by one, ${clientShares(rows, 'burst')} in ` +
        'bursts; near 100 % it would be the client that is measured, and deliveries per CPU-second still tell.',
      `A burst that would take longer than ${plan.burstLimitMillis / 1000} s to deliver is left out (–).`,
      `A process may open ${openFiles.toLocaleString('en')} files here (ulimit -n); that and all else was left as found.`,
    ],
    leftOut: skipped,
  })
}
