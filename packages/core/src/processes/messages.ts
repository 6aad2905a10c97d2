/** The variable by which a process knows that it was started by our supervisor, and by no other. */
export const supervised = 'SVC_SUPERVISED'

/** What the processes of a server and their supervisor say to each other. */
export type Message =
  /** It serves. */
  | { readonly svc: 'ready' }
  /** It was asked for metrics, which are those of all. */
  | { readonly svc: 'metrics wanted'; readonly by: number }
  /** The supervisor wants its part. */
  | { readonly svc: 'metrics asked'; readonly round: number }
  | { readonly svc: 'metrics of one'; readonly round: number; readonly text: string }
  | { readonly svc: 'metrics of all'; readonly by: number; readonly parts: readonly MetricsPart[] }

/** The metrics of one process, in the text format of Prometheus. */
export interface MetricsPart {
  /** Its place among the others: the process that replaces it has the same. */
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

/** Others post messages on these channels, too: all that is not ours is passed over. */
export function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null || !('svc' in value)) return false
  const { svc } = value
  return isKind(svc) && hasShape[svc](value)
}

function isKind(svc: unknown): svc is Message['svc'] {
  return typeof svc === 'string' && Object.hasOwn(hasShape, svc)
}
