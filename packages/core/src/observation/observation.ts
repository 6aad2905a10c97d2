export { hostAndPort } from './host-and-port.ts'
export { createLogger, type Log, redact } from './logger.ts'

/**
 * A part of a server's work, with a beginning and an end. Its name comes from the code, never from
 * a request.
 */
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

/**
 * The trace that came with a message or a row. Without it, a step is a part of the current work.
 */
export interface Carried {
  readonly traceparent: string | undefined
}

/** Something that happens at one moment. */
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

/**
 * Watches a server at work. There is none unless traces or metrics are on. Then each step costs one
 * check for it.
 */
export interface Observer {
  around<Result>(step: Step, run: () => Result): Result
  /** The same function, as a part of the current work, even if it is called later. */
  bind<Given extends unknown[], Result>(run: (...given: Given) => Result): typeof run
  /** The current work, in the form in which another process can continue it. */
  traceparent(): string | undefined
  saw(sighting: Sighting): void
}

/** Ends a step with its result: at once, or when its promise has settled. */
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
  // The same promise, so that only one place handles a failure.
  result.then(
    () => end(),
    (error: unknown) => end({ error }),
  )
  return result
}

/** Both of them watch. */
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

/**
 * The labels of a measured value, by name. Their values come from your code, never from a request.
 */
export type Labels = Readonly<Record<string, string>>

interface MetricOptions {
  /** One sentence about what is measured. */
  help: string
  /**
   * The names of its labels. Their values come from the code: never a user, an address or anything
   * sent.
   */
  labels?: readonly string[]
}

/** Counts what happens. `add()` adds one unless you give a `count`. */
export interface Counter {
  add(labels?: Labels, count?: number): void
}

/** Counts values by size, such as how many seconds something took. */
export interface Histogram {
  observe(value: number, labels?: Labels): void
}

/** The value of a gauge, for each set of its labels. */
export interface Reading {
  readonly value: number
  readonly labels?: Labels
}

/**
 * Further metrics of a server for `GET /_ops/metrics`. A name is declared once per server, in
 * `afterInfrastructure`.
 */
export interface Metrics {
  counter(name: string, options: MetricOptions): Counter
  /** Bounds in seconds, from 5 ms to 10 s unless set. */
  histogram(name: string, options: MetricOptions & { bounds?: readonly number[] }): Histogram
  /**
   * Read whenever metrics are requested. A gauge that fails, or takes over a second, is left out of
   * that answer.
   */
  gauge(
    name: string,
    options: MetricOptions,
    read: () => number | readonly Reading[] | Promise<number | readonly Reading[]>,
  ): void
}
