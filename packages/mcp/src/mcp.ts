import { createMcpHandler } from '@modelcontextprotocol/server'
import { accessTokenAuth, allow, requireApproval } from '@svc/auth/server'
import { type HandlerContext, type OfferedTool, offerTools, type RawContext } from '@svc/core'
import { route, t } from '@svc/core/contract'
import { neededBy } from './needed-by.ts'
import { refuseMissingScope, unfitForAgents } from './permissions.ts'
import type { Prompt } from './prompts.ts'
import { type About, protocolServer } from './protocol-server.ts'
import { type OfferedResource, resourceOf, unfitAsResource } from './resources.ts'

/** A message of JSON-RPC. The protocol's own package checks the rest. */
const message = t.Object(
  {
    jsonrpc: t.Literal('2.0'),
    method: t.Optional(t.Unknown()),
    id: t.Optional(t.Unknown()),
    params: t.Optional(t.Unknown()),
  },
  { additionalProperties: true },
)

/** Where an endpoint is, and what it offers. */
export interface McpOptions extends About {
  /** The path. Tokens have to be for it: the `authorizationServer` of sign-in names it among its `resources`. */
  path: `/${string}`
  /** What agents can call: names of routes with `.tool(…)`; for a route of a package, `{ name, title, describe }`. */
  tools?: readonly OfferedTool[]
  /** What agents can read: GET routes, each with its address. */
  resources?: readonly OfferedResource[]
  /** Texts that a user can choose in a client, by name: each is made by `prompt(…)`. */
  prompts?: Readonly<Record<string, Prompt>>
}

/**
 * An endpoint of the Model Context Protocol for agents: `mcp: mcp({ path: '/mcp', name, version, tools })` among the
 * routes of `createAuthRouter`. It answers clients of the revision 2026-07-28 and of those before, each request by
 * itself: there is no session to keep and no stream to open.
 */
export function mcp({ path, tools = [], resources = [], prompts = {}, ...about }: McpOptions) {
  const contexts = new WeakMap<Request, HandlerContext>()
  const offers = { tools, resources: resources.map(resourceOf), prompts }
  const { fetch } = createMcpHandler(
    ({ era, requestInfo }) => {
      const c = requestInfo && contexts.get(requestInfo)
      if (!c) throw new Error('The protocol has made a request of its own.')
      return protocolServer({ c, era }, about, offers)
    },
    // The method is refused below, and is no stream in any case.
    { maxSubscriptions: 0 },
  )
  const offering = [
    offerTools(tools, { unfit: unfitForAgents, confirm: requireApproval }),
    ...offers.resources.map((each) =>
      offerTools([each.offered], {
        unfit: (tool) => unfitAsResource(each, tool),
        as: 'resources',
        confirm: requireApproval,
      }),
    ),
  ]
  return allow.by(accessTokenAuth(path))(
    route
      .post(path)
      .describe({ summary: 'Tools for agents, over the Model Context Protocol.' })
      .use(offering)
      .input({ body: message })
      .handler(async (c) => {
        const { body: parsedBody } = await c.data()
        // A stream would have to end with its grant, and what is offered does not change while a server runs.
        if (parsedBody.method === 'subscriptions/listen') return unknownMethod(c, parsedBody.id)
        const needing = neededBy(c, offers, parsedBody)
        if (needing) refuseMissingScope(c, needing)
        const request = webRequest(c.raw)
        contexts.set(request, c)
        return fetch(request, { parsedBody })
      }),
  )
}

/** As the protocol answers a method that a server does not have. */
const unknownMethod = (c: HandlerContext, id: unknown) =>
  c.json({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } }, 404)

const read = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']

/** The part of a request that the protocol reads: its body has been read already. */
function webRequest({ req }: RawContext) {
  const headers = read.map((name): [string, string] => [name, req.header(name) ?? ''])
  const given = headers.filter(([, value]) => value !== '')
  return new Request(`http://api.internal${req.target}`, { method: 'POST', headers: given })
}
