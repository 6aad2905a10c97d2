import type { SpanContext } from '@opentelemetry/api'

/** W3C Trace Context, 3.2: version 00 alone, and ids that are not all zeros. */
const form = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/

/** Null for what is none, whoever has sent it. */
export function readTraceparent(text: unknown): SpanContext | null {
  const [, traceId, spanId, flags] = (typeof text === 'string' && form.exec(text)) || []
  if (!traceId || !spanId || !flags) return null
  // Of the flags, the first bit is the one that there is.
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}

export function writeTraceparent({ traceId, spanId, traceFlags }: SpanContext) {
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`
}
