// oxlint-disable-next-line typescript/no-deprecated -- see serving.ts
import { Server } from '@modelcontextprotocol/server'
import { type HandlerContext, type OfferedTool, toolsOf } from '@svc/core'
import { permissionsOf } from './permissions.ts'
import { completePrompt, type Prompt, servePrompts } from './prompts.ts'
import { boundResources, completeResource, type Resource, serveResources } from './resources.ts'
import { hideBugs } from './serving.ts'
import { serveTools } from './tools.ts'

/** What clients show of an endpoint. */
export interface About {
  /** The name and the version that clients show. */
  name: string
  version: string
  /** What the server is for, for the model. */
  instructions?: string
}

/** What an endpoint offers. */
export interface Offers {
  readonly tools: readonly OfferedTool[]
  readonly resources: readonly Resource[]
  readonly prompts: Readonly<Record<string, Prompt>>
}

/** The server of the protocol for one request. */
export function protocolServer(c: HandlerContext, about: About, offers: Offers) {
  const { instructions, name, version } = about
  const has = {
    tools: offers.tools.length > 0,
    resources: offers.resources.length > 0,
    prompts: Object.keys(offers.prompts).length > 0,
  }
  const capabilities = {
    logging: {},
    ...(has.tools && { tools: {} }),
    ...(has.resources && { resources: {} }),
    ...(has.prompts && { prompts: {} }),
    ...((has.resources || has.prompts) && { completions: {} }),
  }
  // oxlint-disable-next-line typescript/no-deprecated -- see serving.ts
  const server = new Server(
    { name, version },
    { capabilities, ...(instructions !== undefined && { instructions }) },
  )
  const serving = { server, c, granted: permissionsOf(c) }
  const resources = boundResources(c.raw.server, offers.resources)
  if (has.tools) serveTools(serving, toolsOf(c.raw.server, offers.tools))
  if (has.resources) serveResources(serving, resources)
  if (has.prompts) servePrompts(serving, offers.prompts)
  if (capabilities.completions) {
    server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) =>
      hideBugs(c, async () =>
        ref.type === 'ref/prompt'
          ? completePrompt(serving, offers.prompts, { name: ref.name, argument })
          : completeResource(serving, resources, { uri: ref.uri, argument }),
      ),
    )
  }
  return server
}
