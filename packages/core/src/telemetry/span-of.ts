import type { Attributes, SpanOptions } from '@opentelemetry/api'
import type { Step } from '../observation/observation.ts'

type Api = typeof import('@opentelemetry/api')

interface Named {
  readonly name: string
  readonly options: SpanOptions
}

const messaging = (type: 'send' | 'process', name: string): Attributes => ({
  'messaging.system': 'svc',
  'messaging.operation.type': type,
  'messaging.destination.name': name,
})

/** The name of a step in a trace, according to OpenTelemetry's semantic conventions. */
export function spanOf(step: Step, { SpanKind }: Pick<Api, 'SpanKind'>): Named {
  const { INTERNAL, PRODUCER, CONSUMER, CLIENT } = SpanKind
  if (step.kind === 'transaction') {
    const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': 'transaction' }
    return { name: 'transaction', options: { kind: CLIENT, attributes } }
  }
  const { kind, name } = step
  if (kind === 'handler') {
    const attributes = { 'code.function.name': name }
    return { name: `handle ${name}`, options: { kind: INTERNAL, attributes } }
  }
  const isTaken = kind === 'deliver' || kind === 'job'
  const attributes = {
    ...messaging(isTaken ? 'process' : 'send', name),
    ...(kind === 'fan-out' && { 'svc.streams': step.streams }),
    ...(kind === 'job' && { 'svc.job.attempt': step.attempt }),
  }
  const options = { kind: isTaken ? CONSUMER : PRODUCER, attributes }
  return { name: `${verbs[kind]} ${name}`, options }
}

const verbs = {
  emit: 'emit',
  deliver: 'deliver',
  enqueue: 'enqueue',
  job: 'run',
  'fan-out': 'stream',
} as const
