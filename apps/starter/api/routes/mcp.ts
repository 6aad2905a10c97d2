import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { accessTokenAuth, allow } from '@svc/auth/server'
import type { RawContext } from '@svc/core'
import { route, t } from '@svc/core/contract'
import { toolServer } from '../mcp/tool-server.ts'

/**
 * The tools of the board for agents (MCP over HTTP, without sessions): each request is one message, and its answer is
 * the reply. There is no stream to open and no session to end, so GET and DELETE are answered with 405.
 */
export const mcp = allow.by(accessTokenAuth('/mcp'))(
  route
    .post('/mcp')
    .describe({ summary: 'The tools of the board for agents, over the Model Context Protocol.' })
    .input({ body: t.Object({ jsonrpc: t.Literal('2.0') }, { additionalProperties: true }) })
    .handler(async (c) => {
      const { body: parsedBody } = await c.data()
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
      const server = toolServer(c)
      await server.connect(transport)
      try {
        return await transport.handleRequest(webRequest(c.raw), { parsedBody })
      } finally {
        await server.close()
      }
    }),
)

const read = ['accept', 'content-type', 'mcp-protocol-version']

/** The part of a request that the transport reads: its body has been read already. */
function webRequest({ req }: RawContext) {
  const headers = read.map((name): [string, string] => [name, req.header(name) ?? ''])
  const given = headers.filter(([, value]) => value !== '')
  return new Request(`http://api.internal${req.target}`, { method: 'POST', headers: given })
}
