import type { LoggingLevel, ServerContext } from '@modelcontextprotocol/server'
import type { HandlerContext, RawContext } from '@svc/core'

type Handling = Pick<HandlerContext, 'raw'>

/** The calls that run, by the request that has brought them. */
const running = new WeakMap<RawContext, ServerContext>()

/** From now on, a handler that this request calls can report to the agent. */
export function reportsOf(raw: RawContext, call: ServerContext) {
  running.set(raw, call)
}

const callOf = ({ raw }: Handling) => (raw.outer ? running.get(raw.outer)?.mcpReq : undefined)

/**
 * Tells an agent how far its call of a tool is: `await reportProgress(c, 3, { total: 10 })`, with a larger number each
 * time. It does nothing if the agent has not asked for it, or if the route was called in another way.
 */
export async function reportProgress(
  c: Handling,
  progress: number,
  more: { readonly total?: number; readonly message?: string } = {},
): Promise<void> {
  const call = callOf(c)
  // oxlint-disable-next-line no-underscore-dangle -- the protocol's name
  const progressToken = call?._meta?.progressToken
  if (progressToken === undefined) return
  const params = { progressToken, progress, ...more }
  await call?.notify({ method: 'notifications/progress', params }).catch(hasLeft)
}

/**
 * Sends an agent a line of a log while its call of a tool runs. It gets those of the level that it has asked for. It
 * does nothing if the route was called in another way.
 */
export async function reportLog(c: Handling, level: LoggingLevel, data: unknown): Promise<void> {
  // The revision 2026-07-28 advises new clients against it, and those before have nothing else.
  // oxlint-disable-next-line typescript/no-deprecated -- see above
  await callOf(c)?.log(level, data).catch(hasLeft)
}

/** A client that has left needs no reports, and what it has asked for is done all the same. */
const hasLeft = () => undefined
