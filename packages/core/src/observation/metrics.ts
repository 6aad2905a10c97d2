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
