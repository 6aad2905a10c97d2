import { type Goal, goalOf, rounded } from '../harness/result.ts'
import type { Row } from './measure.ts'
import {
  blocked,
  burst,
  burstGain,
  burstPerCpu,
  figureOf,
  find,
  held,
  memory,
  shareOf,
  single,
  singlePerCpu,
  used,
} from './tables.ts'

const modes = {
  'one by one': { figure: single, perCpu: singlePerCpu },
  'in a burst': { figure: burst, perCpu: burstPerCpu },
}

interface Contest {
  svc: 'svc-sse' | 'svc-ws'
  base: string
  bound: number
  goal: string
}

const byHand: Contest[] = [
  { svc: 'svc-sse', base: 'hand-sse', bound: 0.9, goal: 'SSE at least 0.9 × by hand' },
  { svc: 'svc-ws', base: 'hand-ws', bound: 0.9, goal: 'WebSocket at least 0.9 × by hand' },
]
/** One by one, up to the most connections. */
const closerByHand: Contest = {
  svc: 'svc-sse',
  base: 'hand-sse',
  bound: 0.95,
  goal: 'SSE at least 0.95 × by hand',
}
const peers: Contest[] = [
  { svc: 'svc-sse', base: 'hono', bound: 7, goal: 'SSE at least 7 × Hono streamSSE' },
  { svc: 'svc-sse', base: 'better-sse', bound: 2, goal: 'SSE at least 2 × better-sse' },
  { svc: 'svc-ws', base: 'socket-io', bound: 2, goal: 'WebSocket at least 2 × Socket.IO' },
]
/** A subscriber that never reconnects costs as much as without a history. */
const withHistory = [
  { svc: 'svc-sse-history', base: 'svc-sse', form: 'SSE' },
  { svc: 'svc-ws-history', base: 'svc-ws', form: 'WebSocket' },
] as const
const forms = { 'svc-sse': 'SSE', 'svc-ws': 'WebSocket' } as const

const least = (bound: number) => (value: number) => value >= bound
const most = (bound: number) => (value: number) => value <= bound

/** The goals of streams. Those for memory and blocks are for the most connections. */
export function streamGoals(rows: Row[], sizes: number[]): Goal[] {
  const [smallest = 0, largest = 0] = [sizes[0], sizes.at(-1)]
  return [
    ...ratesAt(rows, smallest, byHand),
    ...ratesAt(rows, largest, [closerByHand, ...byHand.slice(1)]),
    ...quietAt(rows, largest),
    ...historyAt(rows, smallest),
    ...historyAt(rows, largest),
    ...idleHistoryAt(rows, largest),
  ]
}

/** By the cost of a delivery: with one emission at a time, only our server waits for its log. */
function historyAt(rows: Row[], connections: number): Goal[] {
  const row = (name: string) => find(rows, name, connections)
  const at = `at ${connections.toLocaleString('en')}`
  return withHistory.map(({ svc, base, form }) => {
    const goal = `${form} with history on at least 0.95 × without, one by one, ${at}`
    const perSecond = rounded(shareOf(row(svc), row(base), single))
    const unit = `× per CPU-second (${perSecond} × a second)`
    return goalOf(goal, shareOf(row(svc), row(base), singlePerCpu), least(0.95), unit)
  })
}

function idleHistoryAt(rows: Row[], connections: number): Goal[] {
  const row = (name: string) => find(rows, name, connections)
  const at = `at ${connections.toLocaleString('en')}`
  return withHistory.map(({ svc, base, form }) => {
    const goal = `${form}: memory of an idle connection with history on at most 1.1 × without, ${at}`
    const resident = rounded(shareOf(row(svc), row(base), memory))
    const unit = `× of the heap in use (${resident} × RSS)`
    return goalOf(goal, shareOf(row(svc), row(base), used), most(1.1), unit)
  })
}

function ratesAt(rows: Row[], connections: number, oneByOne: Contest[]): Goal[] {
  const row = (name: string) => find(rows, name, connections)
  const at = `at ${connections.toLocaleString('en')}`

  function rate({ svc, base, bound, goal }: Contest, mode: keyof typeof modes) {
    const { figure, perCpu } = modes[mode]
    const share = shareOf(row(svc), row(base), figure)
    const unit = `× (${rounded(shareOf(row(svc), row(base), perCpu))} × per CPU-second)`
    return goalOf(`${goal}, ${mode}, ${at}`, share, least(bound), unit)
  }

  function gain({ svc }: Contest) {
    const goal = `${forms[svc]} in a burst at least 10 × one by one, ${at}`
    return goalOf(goal, figureOf(row(svc), burstGain).median, least(10), '×')
  }

  return [
    ...oneByOne.map((contest) => rate(contest, 'one by one')),
    ...byHand.map((contest) => rate(contest, 'in a burst')),
    ...byHand.map(gain),
    ...peers.map((contest) => rate(contest, 'one by one')),
  ]
}

function quietAt(rows: Row[], connections: number): Goal[] {
  const row = (name: string) => find(rows, name, connections)
  const at = `at ${connections.toLocaleString('en')}`

  function memoryShare({ svc, base }: Contest) {
    const goal = `${forms[svc]}: memory of an idle connection at most 1.15 × by hand, ${at}`
    const young = rounded(shareOf(row(svc), row(base), held))
    const unit = `× (${young} × with a young generation of 2 MB)`
    return goalOf(goal, shareOf(row(svc), row(base), memory), most(1.15), unit)
  }

  function longestBlock({ svc }: Contest) {
    const { median, max } = figureOf(row(svc), blocked)
    const goal = `${forms[svc]}: no block over 10 ms, ${at}`
    return goalOf(goal, median, most(10), `ms in the median of rounds, ${rounded(max)} ms at most`)
  }

  return [...byHand.map(memoryShare), ...byHand.map(longestBlock)]
}
