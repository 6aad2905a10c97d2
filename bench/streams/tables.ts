import { rounded, type Table } from '../harness/result.ts'
import { spread } from '../harness/statistics.ts'
import type { Row } from './measure.ts'
import type { Sample } from './take-sample.ts'

export type Figure = (sample: Sample) => number

export const single: Figure = (sample) => sample.single.perSecond
export const singlePerCpu: Figure = (sample) => sample.single.perCpuSecond
export const burst: Figure = (sample) => sample.burst?.perSecond ?? Number.NaN
export const burstPerCpu: Figure = (sample) => sample.burst?.perCpuSecond ?? Number.NaN
export const burstGain: Figure = (sample) => burst(sample) / single(sample)
export const memory: Figure = (sample) => sample.bytesPerConnection / 1024
export const used: Figure = (sample) => sample.usedBytesPerConnection / 1024
export const held: Figure = ({ heldBytesPerConnection }) =>
  heldBytesPerConnection === null ? Number.NaN : heldBytesPerConnection / 1024
export const blocked: Figure = (sample) => sample.blockedMillis

export function find(rows: Row[], name: string, connections: number) {
  return rows.find((row) => row.variant.name === name && row.connections === connections)
}

/** A round may lack a figure. */
function known(values: number[]) {
  return spread(values.filter((value) => !Number.isNaN(value)))
}

export function figureOf(row: Row | undefined, figure: Figure) {
  return known((row?.samples ?? []).map(figure))
}

/** The median, over rounds, of one row's figure as a share of another's in the same round. */
export function shareOf(row: Row | undefined, base: Row | undefined, figure: Figure) {
  const shares = (row?.samples ?? []).map((sample, round) => {
    const beside = base?.samples[round]
    return beside ? figure(sample) / figure(beside) : Number.NaN
  })
  return known(shares).median
}

/** The row of the hand-written server of the same form. */
export function handWritten(rows: Row[], { variant, connections }: Row) {
  return find(rows, variant.form === 'SSE' ? 'hand-sse' : 'hand-ws', connections)
}

const median = (row: Row, figure: Figure) => rounded(figureOf(row, figure).median)

function range(row: Row, figure: Figure) {
  const { min, max } = figureOf(row, figure)
  return `${rounded(min)}–${rounded(max)}`
}

export function deliveryTable(rows: Row[], connections: number, burstSize: number): Table {
  return {
    title: `Deliveries of 200 bytes to ${connections.toLocaleString('en')} connections`,
    columns: [
      'Variant',
      'one emission at a time, deliveries/s',
      'min–max',
      '× by hand',
      'per CPU-second',
      '× by hand',
      `${burstSize} emissions in a turn, deliveries/s`,
      '× by hand',
      'burst ÷ one',
    ],
    rows: rows
      .filter((row) => row.connections === connections)
      .map((row) => {
        const base = handWritten(rows, row)
        return [
          row.variant.label,
          median(row, single),
          range(row, single),
          rounded(shareOf(row, base, single)),
          median(row, singlePerCpu),
          rounded(shareOf(row, base, singlePerCpu)),
          median(row, burst),
          rounded(shareOf(row, base, burst)),
          median(row, burstGain),
        ]
      }),
  }
}

export function quietTable(rows: Row[], connections: number): Table {
  return {
    title: `Memory, latency and the longest block of the event loop at ${connections.toLocaleString('en')} connections`,
    columns: [
      'Variant',
      'KiB RSS per idle connection',
      'min–max',
      '× by hand',
      'young generation of 2 MB, KiB',
      '× by hand',
      'in use of the heap, KiB',
      'p50, ms',
      'p99, ms',
      'longest block, ms',
      'min–max',
    ],
    rows: rows
      .filter((row) => row.connections === connections)
      .map((row) => [
        row.variant.label,
        median(row, memory),
        range(row, memory),
        rounded(shareOf(row, handWritten(rows, row), memory)),
        median(row, held),
        rounded(shareOf(row, handWritten(rows, row), held)),
        median(row, used),
        median(row, (sample) => sample.p50Millis),
        median(row, (sample) => sample.p99Millis),
        median(row, blocked),
        range(row, blocked),
      ]),
  }
}
