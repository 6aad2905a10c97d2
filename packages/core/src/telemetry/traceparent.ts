import type { SpanContext } from '@opentelemetry/api'

/** W3C Trace Context, 3.2: only version 00, and ids that are not all zeros. */
const form = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/

/** Null if the text is not a valid traceparent. */
export function readTraceparent(text: unknown): SpanContext | null {
  const [, traceId, spanId, flags] = (typeof text === 'string' && form.exec(text)) || []
  if (!traceId || !spanId || !flags) return null
  // Of the flags, only the first bit is defined.
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}

export function writeTraceparent({ traceId, spanId, traceFlags }: SpanContext) {
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`
}
