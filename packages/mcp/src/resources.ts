import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server'
import { type Infrastructure, mayUseTool, type Tool, type ToolWords, toolsOf } from '@svc/core'
import { type ReadAnswer, readAnswer, refusalOf } from './answers.ts'
import { type Complete, completionOf } from './completion.ts'
import { lacks, unfitForAgents } from './permissions.ts'
import { hideBugs, invalid, type Serving } from './serving.ts'
import { type UriPattern, uriPattern } from './uri-pattern.ts'

/** A GET route that agents read under an address of the application. */
export interface OfferedResource extends Omit<ToolWords, 'contents' | 'task'> {
  /** The name of the route. */
  readonly name: string
  /**
   * Its address: `board://notices`, or `board://notices/{id}` for each value of the input's member `id`. The scheme is
   * the application's own.
   */
  readonly uri: string
  /** The media type, for clients that choose by it. */
  readonly mimeType?: string
  /** What clients suggest for a part in braces. Values that the schema of the route lists need none. */
  readonly complete?: Readonly<Record<string, Complete>>
}

export interface Resource {
  readonly offered: OfferedResource
  readonly pattern: UriPattern
}

interface Bound extends Resource {
  readonly tool: Tool
}

export const resourceOf = (offered: OfferedResource): Resource => ({
  offered,
  pattern: uriPattern(offered.uri),
})

/** Why a route can't be this resource: then the server does not start. */
export function unfitAsResource({ pattern: { names }, offered: { uri } }: Resource, tool: Tool) {
  if (tool.method !== 'GET') return `is no resource: it has the method ${tool.method}.`
  const { properties, required } = tool.inputSchema as {
    properties: object
    required: readonly string[]
  }
  const unknown = names.find((name) => !Object.hasOwn(properties, name))
  if (unknown !== undefined) return `has no "${unknown}" in its input, which is in ${uri}.`
  const missing = required.find((name) => !names.includes(name))
  if (missing !== undefined) return `needs "${missing}", which is not in ${uri}.`
  return unfitForAgents(tool)
}

export function boundResources(server: Infrastructure, resources: readonly Resource[]): Bound[] {
  return resources.flatMap((each) =>
    toolsOf(server, [each.offered]).map((tool) => ({ ...each, tool })),
  )
}

/** Lists the resources that the caller may read, and reads no other. */
export function serveResources({ server, c, granted }: Serving, resources: readonly Bound[]) {
  const mine = resources.filter(({ tool }) => mayUseTool(tool, granted))
  server.setRequestHandler('resources/list', () => ({
    resources: mine
      .filter(({ pattern }) => pattern.names.length === 0)
      .map((each) => ({ ...listed(each), uri: each.offered.uri })),
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: mine
      .filter(({ pattern }) => pattern.names.length > 0)
      .map((each) => ({ ...listed(each), uriTemplate: each.offered.uri })),
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    hideBugs(c, async () => {
      for (const { pattern, tool } of resources) {
        const input = pattern.match(uri)
        if (!input) continue
        if (!mayUseTool(tool, granted)) throw invalid(lacks(tool))
        return { contents: [contentsOf(uri, await readAnswer(await tool.call(c.raw, input)))] }
      }
      throw new ResourceNotFoundError(uri)
    }),
  )
}

function listed({ tool: { name, title, describe }, offered: { mimeType } }: Bound) {
  return { name, title, description: describe, ...(mimeType !== undefined && { mimeType }) }
}

function contentsOf(uri: string, answer: ReadAnswer) {
  const { status, type: mimeType } = answer
  if (status === 404) throw new ResourceNotFoundError(uri)
  if (status >= 400) {
    const { InternalError, InvalidParams } = ProtocolErrorCode
    throw new ProtocolError(status >= 500 ? InternalError : InvalidParams, refusalOf(answer))
  }
  if (answer.kind === 'bytes') return { uri, mimeType, blob: answer.base64 }
  const text = answer.kind === 'text' ? answer.text : JSON.stringify(answer.value ?? null)
  return { uri, mimeType, text }
}

/** The values for a part in braces of an address. */
export function completeResource(
  { c, granted }: Serving,
  resources: readonly Bound[],
  { uri, argument }: { uri: string; argument: { name: string; value: string } },
) {
  const found = resources.find(({ offered }) => offered.uri === uri)
  if (!found?.pattern.names.includes(argument.name)) {
    throw invalid(`No resource has "${argument.name}" at ${uri}.`)
  }
  if (!mayUseTool(found.tool, granted)) throw invalid(lacks(found.tool))
  const complete =
    found.offered.complete?.[argument.name] ?? listedValues(found.tool, argument.name)
  return completionOf(complete, argument.value, c)
}

interface Listing {
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Listing[]
}

/** The texts that the schema of a member allows, if it lists them. */
function listedValues({ inputSchema }: Tool, name: string): readonly string[] {
  const valuesOf = (schema: Listing): readonly unknown[] =>
    schema.enum ?? schema.anyOf?.flatMap(valuesOf) ?? [schema.const]
  const { [name]: schema = {} } = inputSchema.properties as Record<string, Listing>
  return valuesOf(schema).filter((value) => typeof value === 'string')
}
