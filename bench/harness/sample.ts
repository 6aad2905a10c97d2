import { fileURLToPath } from 'node:url'
import { forked, nextMessage, type Running, stopChild } from './child.ts'
import type { LoadOrder, LoadResult } from './load.ts'
import { spread } from './statistics.ts'

export interface Sample {
  perSecond: number
  cpuMicros: number
  /** PostgreSQL's, in addition. */
  databaseMicros: number
  failed: number
  /** How much of one core the driver used. Near 1, the driver was measured, not the server. */
  driverShare: number
  firstFailure?: string
}

const loadFile = fileURLToPath(new URL('./load.ts', import.meta.url))

/** Loads a server once, from a process of its own. */
export async function takeSample(running: Running, order: Omit<LoadOrder, 'url'>): Promise<Sample> {
  const driver = forked(loadFile)
  try {
    const before = await running.usage()
    driver.send({ url: running.url, ...order })
    const load = await nextMessage<LoadResult>(driver, order.millis + 30_000)
    const after = await running.usage()
    return {
      perSecond: load.answered / (load.millis / 1000),
      cpuMicros: (after.cpuMicros - before.cpuMicros) / Math.max(1, load.answered),
      databaseMicros:
        ((after.databaseMicros ?? 0) - (before.databaseMicros ?? 0)) / Math.max(1, load.answered),
      failed: load.failed,
      driverShare: load.cpuMicros / 1000 / load.millis,
      ...(load.firstFailure !== undefined && { firstFailure: load.firstFailure }),
    }
  } finally {
    await stopChild(driver)
  }
}

interface Sampled {
  samples: Sample[]
}

/** The median, over rounds, of one row's rate as a share of another's in the same round. */
export function ratio(row: Sampled | undefined, base: Sampled | undefined) {
  if (!row || !base) return Number.NaN
  const shares = row.samples.map(
    (sample, round) => sample.perSecond / (base.samples[round]?.perSecond ?? Number.NaN),
  )
  return spread(shares).median
}
