import type { Dispatch } from '../http/http.ts'
import { type Metrics, type Observer, together } from '../observation/observation.ts'
import { isMember, metricsOfAll } from '../processes/processes.ts'
import type { TableRow } from '../routes/routes.ts'
import type { TelemetryEnv } from './env.ts'
import type { Requests, RequestWatcher } from './requests.ts'

export type { Requests } from './requests.ts'

/** Watches a server if traces or metrics are on. */
export interface Telemetry {
  readonly observer: Observer
  readonly requests: Requests
  readonly metrics?: Metrics
  /** The route of the metrics. */
  readonly rows: readonly TableRow[]
}

type Watcher = Observer & RequestWatcher

/** Undefined if both are off: then neither is loaded. */
export async function startTelemetry(env: TelemetryEnv): Promise<Telemetry | undefined> {
  const { SVC_TRACING: tracing, SVC_OPS_METRICS_TOKEN: token } = env
  const traces = tracing === 'off' ? undefined : await openTraces(tracing === 'continue')
  const counts = token === undefined ? undefined : await openMetrics(token)
  const watchers: Watcher[] = [...(traces ? [traces] : []), ...(counts ? [counts.watcher] : [])]
  const [first, second] = watchers
  if (!first) return undefined
  const observer = second ? together(first, second) : first
  const { Requests } = await import('./requests.ts')
  const requests = new Requests(watchers, observer)
  const { metrics, rows = [] } = counts ?? {}
  return { observer, requests, rows, ...(metrics && { metrics }) }
}

async function openTraces(joinsCallers: boolean): Promise<Watcher> {
  const { Traces } = await import('./traces.ts')
  return new Traces(await tracingApi(), joinsCallers)
}

async function tracingApi() {
  try {
    return await import('@opentelemetry/api')
  } catch (cause) {
    throw new Error(
      'SVC_TRACING is on, but @opentelemetry/api is not installed: run npm install @opentelemetry/api and add an SDK that exports traces (docs/guide/observability.md), or set SVC_TRACING=off.',
      { cause },
    )
  }
}

async function openMetrics(token: string) {
  const { createPrometheus } = await import('./prometheus.ts')
  const { ServerMetrics } = await import('./server-metrics.ts')
  const { metricsRows } = await import('./metrics-route.ts')
  const { metrics, contentType, text } = createPrometheus()
  // A request reaches one of several processes, but asks for all of them.
  const shown = isMember() ? metricsOfAll(text) : text
  const rows = metricsRows({ token, contentType, text: shown })
  return { metrics, rows, watcher: new ServerMetrics(metrics) }
}

/** The handler of a request, watched or not. */
export function watched(dispatch: Dispatch, telemetry: Telemetry | undefined): Dispatch {
  return telemetry ? telemetry.requests.dispatch(dispatch) : dispatch
}
