import { type HandlerContext, type OfferedTool, toolsOf } from '@svc/core'
import { EndpointServer } from './endpoint-server.ts'
import { permissionsOf } from './permissions.ts'
import { completePrompt, type Prompt, servePrompts } from './prompts.ts'
import { boundResources, completeResource, type Resource, serveResources } from './resources.ts'
import { type Era, hideBugs } from './serving.ts'
import { serveTasks, taskCapabilities } from './tasks.ts'
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

/** A request, and the kind of revision that it is of. */
interface Asking {
  readonly c: HandlerContext
  readonly era: Era
}

/** The server of the protocol for one request. */
export function protocolServer({ c, era }: Asking, about: About, offers: Offers) {
  const { instructions, name, version } = about
  const tools = toolsOf(c.raw.server, offers.tools)
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
    ...taskCapabilities(era, tools),
  }
  const server = new EndpointServer(
    { name, version },
    { capabilities, ...(instructions !== undefined && { instructions }) },
  )
  const serving = { server, era, c, granted: permissionsOf(c) }
  const resources = boundResources(c.raw.server, offers.resources)
  if (has.tools) serveTools(serving, tools)
  serveTasks(serving, tools)
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
