export { hostAndPort } from './host-and-port.ts'
export { createLogger, type Log, redact } from './logger.ts'

/** A part of what a server does, with a beginning and an end. Names are of the code, never of a request. */
export type Step =
  | { readonly kind: 'handler' | 'emit' | 'enqueue'; readonly name: string }
  | { readonly kind: 'transaction' }
  | { readonly kind: 'deliver'; readonly name: string; readonly carried: Carried | undefined }
  | { readonly kind: 'fan-out'; readonly name: string; readonly streams: number }
  | {
      readonly kind: 'job'
      readonly name: string
      readonly attempt: number
      readonly isLast: boolean
      readonly carried: Carried
    }

/** What came with a message or a row. Without it, undefined, a step is a part of what is under way. */
export interface Carried {
  readonly traceparent: string | undefined
}

/** What happens at one moment. */
export type Sighting =
  | {
      readonly kind: 'refusal'
      readonly code: string
      readonly status: number
      readonly request: object
      readonly requestId: string
    }
  | { readonly kind: 'handler failure'; readonly event: string; readonly error: unknown }
  | { readonly kind: 'echo'; readonly seconds: number }

/** Watches a server at work. There is none unless traces or metrics are on, and then each step costs one look for it. */
export interface Observer {
  around<Result>(step: Step, run: () => Result): Result
  /** The same function as a part of what is under way now, whenever it is called. */
  bind<Given extends unknown[], Result>(run: (...given: Given) => Result): typeof run
  /** What another process goes on with what is under way by. */
  traceparent(): string | undefined
  saw(sighting: Sighting): void
}

/** Ends a step with what it came to: at once, or when its promise has settled. */
export function ending<Result>(
  run: () => Result,
  end: (failure?: { error: unknown }) => void,
): Result {
  let result: Result
  try {
    result = run()
  } catch (error) {
    end({ error })
    throw error
  }
  if (!(result instanceof Promise)) {
    end()
    return result
  }
  // The same promise, so that a failure has one owner.
  result.then(
    () => end(),
    (error: unknown) => end({ error }),
  )
  return result
}

/** Both watch. */
export function together(outer: Observer, inner: Observer): Observer {
  return {
    around: (step, run) => outer.around(step, () => inner.around(step, run)),
    bind: (run) => outer.bind(inner.bind(run)),
    traceparent: () => outer.traceparent() ?? inner.traceparent(),
    saw(sighting) {
      outer.saw(sighting)
      inner.saw(sighting)
    },
  }
}

export type Labels = Readonly<Record<string, string>>

interface MetricOptions {
  /** One sentence on what is measured. */
  help: string
  /** The names of its labels. Their values are of the code: never a user, an address or anything sent. */
  labels?: readonly string[]
}

export interface Counter {
  add(labels?: Labels, count?: number): void
}

export interface Histogram {
  observe(value: number, labels?: Labels): void
}

/** What a gauge shows, for each value of its labels. */
export interface Reading {
  readonly value: number
  readonly labels?: Labels
}

/**
 * What a server counts for `GET /_ops/metrics`, beside its own. A name is declared once a server, in
 * `afterInfrastructure`.
 */
export interface Metrics {
  counter(name: string, options: MetricOptions): Counter
  /** Bounds in seconds, from 5 ms to 10 s, unless others are given. */
  histogram(name: string, options: MetricOptions & { bounds?: readonly number[] }): Histogram
  /** Is read whenever metrics are asked for. One that fails, or takes over a second, is left out of that answer. */
  gauge(
    name: string,
    options: MetricOptions,
    read: () => number | readonly Reading[] | Promise<number | readonly Reading[]>,
  ): void
}
