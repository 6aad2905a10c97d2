import type { Carried } from '../observation/observation.ts'

/**
 * A message on the channel of an event: its payload as JSON, and before it, on a line, the trace
 * that it belongs to.
 */
const traced = /^(00-[\da-f-]{52})\n/

export function messageOf(json: string, traceparent: string | undefined) {
  return traceparent === undefined ? json : `${traceparent}\n${json}`
}

/** Throws if the payload is not JSON. */
export function readMessage(message: string): { payload: unknown; carried: Carried } {
  // JSON can't begin with two digits of which the first is a zero.
  const [line = '', traceparent] = (message.startsWith('00-') && traced.exec(message)) || []
  return { payload: JSON.parse(message.slice(line.length)), carried: { traceparent } }
}
