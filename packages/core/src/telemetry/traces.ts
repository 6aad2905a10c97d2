import type { IncomingMessage } from 'node:http'
import type { Attributes, Context, Span, SpanOptions } from '@opentelemetry/api'
import {
  type Carried,
  ending,
  type Observer,
  type Sighting,
  type Step,
} from '../observation/observation.ts'
import { errorType } from './error-type.ts'
import {
  type RequestEnd,
  type RequestWatcher,
  type WatchedRequest,
  watchedRequest,
} from './requests.ts'
import { spanOf } from './span-of.ts'
import { readTraceparent, writeTraceparent } from './traceparent.ts'

type Api = typeof import('@opentelemetry/api')

/** Spans for a server's work, for the provider that the application has registered. */
export class Traces implements Observer, RequestWatcher {
  readonly #api: Api
  readonly #joinsCallers: boolean

  constructor(api: Api, joinsCallers: boolean) {
    this.#api = api
    this.#joinsCallers = joinsCallers
  }

  around<Result>(step: Step, run: () => Result): Result {
    const carried = 'carried' in step ? step.carried : undefined
    const { context, trace } = this.#api
    const parent = carried ? this.#contextOf(carried) : context.active()
    const { name, options } = spanOf(step, this.#api)
    const span = this.#start(name, options, parent)
    return ending(
      () => context.with(trace.setSpan(parent, span), run),
      (failure) => {
        if (failure) this.#fail(span, errorType(failure.error))
        span.end()
      },
    )
  }

  bind<Given extends unknown[], Result>(run: (...given: Given) => Result) {
    return this.#api.context.bind(this.#api.context.active(), run)
  }

  traceparent() {
    const { context, trace, isSpanContextValid } = this.#api
    const current = trace.getSpanContext(context.active())
    return current && isSpanContextValid(current) ? writeTraceparent(current) : undefined
  }

  saw(sighting: Sighting) {
    if (sighting.kind === 'refusal') this.#note(sighting)
    if (sighting.kind !== 'handler failure') return
    const span = this.#api.trace.getActiveSpan()
    if (span) this.#fail(span, errorType(sighting.error))
  }

  #note({ request, code, requestId }: Sighting & { kind: 'refusal' }) {
    const refused = watchedRequest(request)
    if (refused) Object.assign(refused, { refusal: code, requestId })
  }

  begin(request: WatchedRequest, { headers }: IncomingMessage, answer: () => void) {
    const { context, trace, SpanKind, ROOT_CONTEXT } = this.#api
    const attributes = { 'http.request.method': request.method, 'url.scheme': 'http' }
    const options = { kind: SpanKind.SERVER, attributes }
    const parent = this.#joinsCallers
      ? this.#contextOf({ traceparent: [headers.traceparent].flat()[0] })
      : ROOT_CONTEXT
    const span = this.#start(request.method, options, parent)
    context.with(trace.setSpan(parent, span), answer)
    return (end: RequestEnd) => this.#endRequest(span, request, end)
  }

  #endRequest(span: Span, { method, route, requestId, refusal }: WatchedRequest, end: RequestEnd) {
    const { status } = end
    if (route !== undefined) span.updateName(`${method} ${route}`)
    const facts: Attributes = {
      ...(route !== undefined && { 'http.route': route }),
      ...(requestId !== undefined && { 'svc.request_id': requestId }),
      ...(refusal !== undefined && { 'svc.refusal': refusal }),
      ...(status !== null && { 'http.response.status_code': status }),
    }
    span.setAttributes(facts)
    if (status === null) this.#fail(span, 'aborted')
    else if (status >= 500) this.#fail(span, refusal ?? String(status))
    span.end()
  }

  #start(name: string, options: SpanOptions, parent: Context) {
    // Asked each time: the application may register its provider later.
    return this.#api.trace.getTracer('@svc/core').startSpan(name, options, parent)
  }

  #contextOf({ traceparent }: Carried): Context {
    const { trace, ROOT_CONTEXT } = this.#api
    const remote = readTraceparent(traceparent)
    return remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT
  }

  /** Only its name: the message of an error may quote its input. */
  #fail(span: Span, type: string) {
    span.setAttribute('error.type', type)
    span.setStatus({ code: this.#api.SpanStatusCode.ERROR })
  }
}
