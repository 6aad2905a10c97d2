import prom, { type Registry } from 'prom-client'
import type { Metrics, Reading } from '../observation/observation.ts'
import { BoundedLabels } from './bounded-labels.ts'

/** A slow gauge that asks the database must not keep the collector from all other metrics. */
const patienceMillis = 1000

const initialBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The metrics of one server, in a registry of its own, and those of the process. */
export function createPrometheus() {
  const registry = new prom.Registry()
  return {
    metrics: metricsIn(registry),
    contentType: registry.contentType,
    /** The present values, in the text format of Prometheus. */
    text: async () => `${await registry.metrics()}${withoutNothing(await ofProcess().metrics())}`,
  }
}

/**
 * For a value without a measurement, the library writes `Nan`, which is not a number in the format.
 */
function withoutNothing(text: string) {
  return text.replace(/^.* Nan\n/gm, '')
}

function metricsIn(registry: Registry): Metrics {
  const registers = [registry]
  return {
    counter(name, { help, labels = [] }) {
      const counter = new prom.Counter({ name, help, labelNames: [...labels], registers })
      const bounded = new BoundedLabels(labels)
      return { add: (given, count = 1) => counter.inc(bounded.of(given), count) }
    },
    histogram(name, { help, labels = [], bounds = initialBounds }) {
      const buckets = [...bounds]
      const histogram = new prom.Histogram({
        name,
        help,
        labelNames: [...labels],
        buckets,
        registers,
      })
      const bounded = new BoundedLabels(labels)
      return { observe: (value, given) => histogram.observe(bounded.of(given), value) }
    },
    gauge(name, { help, labels = [] }, read) {
      const gauge = new prom.Gauge({
        name,
        help,
        labelNames: [...labels],
        registers,
        async collect() {
          const readings = await inTime(read)
          gauge.reset()
          for (const { value, labels: given = {} } of readings) gauge.set({ ...given }, value)
          if (readings.length === 0 && labels.length === 0) gauge.remove()
        },
      })
    },
  }
}

/** No value if there is no answer: a zero would be taken for a measurement. */
async function inTime(read: Parameters<Metrics['gauge']>[2]): Promise<readonly Reading[]> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<readonly Reading[]>((resolve) => {
    timer = setTimeout(resolve, patienceMillis, [])
  })
  try {
    const answer = await Promise.race([read(), patience])
    return typeof answer === 'number' ? [{ value: answer }] : answer
  } catch {
    return []
  } finally {
    clearTimeout(timer)
  }
}

let processRegistry: Registry | undefined

/**
 * Memory, processor, garbage collection and the delay of the event loop: measured once for all
 * servers of a process.
 */
function ofProcess() {
  if (processRegistry) return processRegistry
  processRegistry = new prom.Registry()
  prom.collectDefaultMetrics({ register: processRegistry })
  return processRegistry
}
