import {
  ProtocolError,
  ProtocolErrorCode,
  // The other class describes tools in a form of its own, and ours are described by their routes.
  // oxlint-disable-next-line typescript/no-deprecated -- see above
  type Server,
} from '@modelcontextprotocol/server'
import type { HandlerContext } from '@svc/core'

/** One request of an agent, and the server of the protocol that answers it. */
export interface Serving {
  readonly server: Server
  /** That of the endpoint: its caller is the agent. */
  readonly c: HandlerContext
  /** What the agent may do now. */
  readonly granted: readonly string[]
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

export const invalid = (text: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, text)
