/** The variable that tells a process that our supervisor started it. */
export const supervised = 'SVC_SUPERVISED'

/** The messages between the processes of a server and their supervisor. */
export type Message =
  /** The process serves. */
  | { readonly svc: 'ready' }
  /** The process was asked for metrics, and needs those of all. */
  | { readonly svc: 'metrics wanted'; readonly by: number }
  /** The supervisor asks for the process's own metrics. */
  | { readonly svc: 'metrics asked'; readonly round: number }
  | { readonly svc: 'metrics of one'; readonly round: number; readonly text: string }
  | { readonly svc: 'metrics of all'; readonly by: number; readonly parts: readonly MetricsPart[] }

/** The metrics of one process, in the text format of Prometheus. */
export interface MetricsPart {
  /** Its place among the others. A process that replaces it has the same. */
  readonly place: number
  readonly text: string
}

const isNumber = (given: unknown) => typeof given === 'number'

type Given = Readonly<Record<string, unknown>>

const hasShape: Readonly<Record<Message['svc'], (given: Given) => boolean>> = {
  ready: () => true,
  'metrics wanted': ({ by }) => isNumber(by),
  'metrics asked': ({ round }) => isNumber(round),
  'metrics of one': ({ round, text }) => isNumber(round) && typeof text === 'string',
  'metrics of all': ({ by, parts }) => isNumber(by) && Array.isArray(parts),
}

/** Others use these channels too: messages that are not ours are ignored. */
export function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null || !('svc' in value)) return false
  const { svc } = value
  return isKind(svc) && hasShape[svc](value)
}

function isKind(svc: unknown): svc is Message['svc'] {
  return typeof svc === 'string' && Object.hasOwn(hasShape, svc)
}
