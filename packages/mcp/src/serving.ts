import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  ProtocolError,
  ProtocolErrorCode,
  // The other class describes tools in a form of its own, and ours are described by their routes.
  // oxlint-disable-next-line typescript/no-deprecated -- see above
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { HandlerContext } from '@svc/core'

/** One request of an agent, and the server of the protocol that answers it. */
export interface Serving {
  readonly server: Server
  /** `modern` is the revision 2026-07-28, and `legacy` are those before. */
  readonly era: Era
  /** That of the endpoint: its caller is the agent. */
  readonly c: HandlerContext
  /** What the agent may do now. */
  readonly granted: readonly string[]
}

export type Era = 'modern' | 'legacy'

// Shorter than the time that proxies and clients wait for an answer.
const mostMillis = 20_000

/** How long a request of an agent waits at most for something that others do. */
export const waitingMillis = ({ raw }: HandlerContext) =>
  Math.min(mostMillis, raw.server.handlerLimitMillis / 2)

/** Ends such a wait: its client has gone, or this server stops. The protocol's own signal knows of neither. */
export function endOfWait({ raw: { outgoing, server } }: HandlerContext): AbortSignal {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  return AbortSignal.any([gone.signal, server.stopping])
}

/** The protocol would send what a bug says to the client. It belongs into the log. */
export async function hideBugs<Made>(c: HandlerContext, run: () => Promise<Made>): Promise<Made> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    c.log.error({ err: error }, 'a request of an agent failed')
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'It failed.')
  }
}

/** What a client says of itself with each request of 2026-07-28. */
export const capabilitiesOf = ({ mcpReq: { envelope } }: ServerContext): ClientCapabilities =>
  (envelope as Record<string, ClientCapabilities> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}

export const invalid = (text: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, text)
