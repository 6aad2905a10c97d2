import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'

/** All that is said of a span to the outside. */
function shown(span: ReadableSpan) {
  const { name, kind, attributes, events, links, status } = span
  const { traceId, spanId } = span.spanContext()
  const parentId = span.parentSpanContext?.spanId
  return { name, kind, attributes, events, links, status, traceId, spanId, parentId }
}

export type ShownSpan = ReturnType<typeof shown>

/** What an application does before its server starts, with an exporter that keeps what it is given. */
export function recordSpans() {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  return {
    spans: () => exporter.getFinishedSpans().map(shown),
    forget: () => exporter.reset(),
    async stop() {
      trace.disable()
      context.disable()
      await provider.shutdown()
    },
  }
}
