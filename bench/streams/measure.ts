import { type Plan, type Sample, takeSample } from './take-sample.ts'
import type { Variant } from './variants.ts'

export interface Row {
  variant: Variant
  connections: number
  /** One for each round. */
  samples: Sample[]
}

/** A stalled machine may cost a sample. A server that fails twice is not timed. */
async function sampleTwice(row: Row, round: number, plan: Plan) {
  const size = { connections: row.connections, round }
  try {
    return await takeSample(row.variant, size, plan)
  } catch (error) {
    console.error(`${row.variant.name}: ${String(error)}`)
    return await takeSample(row.variant, size, plan)
  }
}

/** Every variant at every size, round after round, each second round in reverse order. */
export async function measure(variants: Variant[], plan: Plan) {
  let rows: Row[] = plan.sizes.flatMap((connections) =>
    variants.map((variant) => ({ variant, connections, samples: [] })),
  )
  const skipped: string[] = []
  for (let round = 0; round < plan.rounds; round++) {
    for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
      try {
        row.samples.push(await sampleTwice(row, round, plan))
      } catch (error) {
        rows = rows.filter((other) => other !== row)
        skipped.push(`${row.variant.label} is left out at ${row.connections}: ${String(error)}`)
      }
    }
    console.error(`round ${round + 1} of ${plan.rounds}`)
  }
  return { rows, skipped }
}
