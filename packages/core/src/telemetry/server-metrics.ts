import {
  ending,
  type Metrics,
  type Observer,
  type Sighting,
  type Step,
} from '../observation/observation.ts'
import {
  type RequestEnd,
  type RequestWatcher,
  type WatchedRequest,
  watchedRequest,
} from './requests.ts'

/**
 * One label for all paths without a route. Otherwise a client that asks for odd paths makes a
 * series of each.
 */
const unknownRoute = 'none'

/** What every server counts. */
export class ServerMetrics implements Observer, RequestWatcher {
  /** Finds the request of a refusal. */
  readonly #metrics: ReturnType<typeof declare>
  #underWay = 0

  constructor(metrics: Metrics) {
    this.#metrics = declare(metrics)
    metrics.gauge(
      'svc_http_requests_under_way',
      { help: 'Requests that are being answered.' },
      () => this.#underWay,
    )
  }

  around<Result>(step: Step, run: () => Result): Result {
    if (step.kind === 'handler' || step.kind === 'enqueue') return run()
    const beganAt = performance.now()
    return ending(run, (failure) => {
      const seconds = (performance.now() - beganAt) / 1000
      this.#count(step, { seconds, hasFailed: failure !== undefined })
    })
  }

  #count(step: Step, { seconds, hasFailed }: { seconds: number; hasFailed: boolean }) {
    const { emissions, deliveries, fanOuts, jobs, transactions } = this.#metrics
    const outcome = hasFailed ? 'failed' : 'done'
    if (step.kind === 'transaction') transactions.observe(seconds, { outcome })
    else if (step.kind === 'emit') emissions.add({ event: step.name, outcome })
    else if (step.kind === 'deliver') deliveries.add({ event: step.name })
    else if (step.kind === 'fan-out') fanOuts.observe(seconds, { event: step.name })
    else if (step.kind === 'job') {
      const ended = hasFailed && !step.isLast ? 'retried' : outcome
      jobs.observe(seconds, { job: step.name, outcome: ended })
    }
  }

  bind<Given extends unknown[], Result>(run: (...given: Given) => Result) {
    return run
  }

  traceparent() {
    return undefined
  }

  saw(sighting: Sighting) {
    const { refusals, rateLimits, handlerFailures, echoes } = this.#metrics
    if (sighting.kind === 'echo') echoes.observe(sighting.seconds)
    else if (sighting.kind === 'handler failure') handlerFailures.add({ event: sighting.event })
    else {
      const route = watchedRequest(sighting.request)?.route ?? unknownRoute
      refusals.add({ route, code: sighting.code })
      if (sighting.status === 429) rateLimits.add({ route })
    }
  }

  begin(request: WatchedRequest, _incoming: unknown, answer: () => void) {
    this.#underWay += 1
    answer()
    return ({ status, seconds }: RequestEnd) => {
      this.#underWay -= 1
      const { method, route = unknownRoute } = request
      const statusClass = status === null ? 'aborted' : `${Math.floor(status / 100)}xx`
      this.#metrics.requests.observe(seconds, { method, route, status: statusClass })
    }
  }
}

const declare = (metrics: Metrics) => ({
  requests: metrics.histogram('svc_http_request_duration_seconds', {
    help: 'From the first line of a request to the end of its answer. An event stream ends when it opens.',
    labels: ['method', 'route', 'status'],
  }),
  refusals: metrics.counter('svc_refusals_total', {
    help: 'Answers that were errors, by their code.',
    labels: ['route', 'code'],
  }),
  rateLimits: metrics.counter('svc_rate_limit_refusals_total', {
    help: 'Requests that were refused with 429.',
    labels: ['route'],
  }),
  emissions: metrics.counter('svc_events_emitted_total', {
    help: 'Emissions of this process.',
    labels: ['event', 'outcome'],
  }),
  deliveries: metrics.counter('svc_events_delivered_total', {
    help: 'Emissions that were handed to the handlers of this process.',
    labels: ['event'],
  }),
  handlerFailures: metrics.counter('svc_event_handler_failures_total', {
    help: 'Handlers of events that failed.',
    labels: ['event'],
  }),
  echoes: metrics.histogram('svc_broadcast_lag_seconds', {
    help: 'From the publication of an emission to its return over the cache.',
  }),
  fanOuts: metrics.histogram('svc_stream_fan_out_seconds', {
    help: 'From an emission to its last write to a stream.',
    labels: ['event'],
  }),
  jobs: metrics.histogram('svc_job_duration_seconds', {
    help: 'Runs of jobs: done, retried, or failed for good.',
    labels: ['job', 'outcome'],
    bounds: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300],
  }),
  transactions: metrics.histogram('svc_database_transaction_seconds', {
    help: 'Transactions, with their wait for a connection and without what waits for the commit.',
    labels: ['outcome'],
  }),
})
