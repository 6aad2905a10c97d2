import { DefinitionError } from '../definition/errors.ts'
import type { Infrastructure } from '../infrastructure/infrastructure.ts'
import { nearest } from '../nearest.ts'
import type { ToolWords } from '../routes/contract.ts'
import { defineMiddleware, type Middleware, type TableRow } from '../routes/routes.ts'
import { bindTask } from './bind-task.ts'
import { bindTool, type Confirm, type Tool } from './bind-tool.ts'

export type { TaskOfTool, Tool } from './bind-tool.ts'

/** The name of a route with `.tool(…)`; or, for a route of a package, its name with the words of the application. */
export type OfferedTool = string | (ToolWords & { readonly name: string })

/** How an endpoint offers operations. */
export interface Offering {
  /** Why it can't offer a tool; undefined if it can. */
  readonly unfit?: (tool: Tool) => string | undefined
  /** As `tools` unless set. */
  readonly as?: 'tools' | 'resources'
  /** Lets a call in that its words want confirmed, or refuses it. It runs once the input was checked. */
  readonly confirm?: Confirm
}

/** A middleware of an endpoint that offers operations as tools. */
interface Offer extends Middleware, Pick<Offering, 'unfit' | 'confirm'> {
  readonly tools: readonly OfferedTool[]
  readonly as: 'tools' | 'resources'
}

const isOffer = (middleware: Middleware): middleware is Offer => 'tools' in middleware

/**
 * For an endpoint where programs find tools: it offers these operations, to be called or to be read. The server does not
 * start if one of them has no words for those programs, or can't be a tool.
 */
export function offerTools(
  tools: readonly OfferedTool[],
  { as = 'tools', ...offering }: Offering = {},
): Middleware {
  const middleware = defineMiddleware('tools', (_c, next) => next(), { documents: {} })
  const offer: Offer = { ...middleware, ...offering, tools, as }
  return offer
}

interface Served {
  readonly tools: ReadonlyMap<OfferedTool, Tool>
  readonly offers: readonly ToolOffer[]
}

const served = new WeakMap<Infrastructure, Served>()

/** Binds what the endpoints of a server offer, and refuses, by name, what can't be a tool. */
export function serveTools(server: Infrastructure, table: readonly TableRow[]) {
  const offers = offersIn(table)
  const tools = new Map(offers.flatMap(({ bound }) => bound))
  if (tools.size > 0) served.set(server, { tools, offers: byEndpoint(offers) })
}

/** What an endpoint offers. */
export interface ToolOffer {
  /** The name of its route. */
  readonly endpoint: string
  readonly path: string
  readonly tools: readonly Tool[]
  /** Those that programs read by an address. */
  readonly resources: readonly Tool[]
}

/** What each endpoint of `documentedRoutes` offers, for documents: no running server is needed. */
export function toolTable(table: readonly TableRow[]): ToolOffer[] {
  return byEndpoint(offersIn(table))
}

/** The same for a server: what each of its endpoints offers. */
export const toolsServed = (server: Infrastructure): readonly ToolOffer[] =>
  served.get(server)?.offers ?? []

function byEndpoint(offers: ReturnType<typeof offersIn>): ToolOffer[] {
  const endpoints = new Set(offers.map(({ by }) => by))
  return [...endpoints].map((endpoint) => {
    const offered = (as: Offer['as']) =>
      offers
        .filter((offer) => offer.by === endpoint && offer.as === as)
        .flatMap(({ bound }) => bound.map(([, tool]) => tool))
    const { name, route } = endpoint
    return {
      endpoint: name,
      path: route.operation.path,
      tools: offered('tools'),
      resources: offered('resources'),
    }
  })
}

function offersIn(table: readonly TableRow[]) {
  const rows = new Map(table.map((row) => [row.name, row]))
  const problems: string[] = []
  const offers = table.flatMap((by) =>
    by.middlewares.filter(isOffer).map((offer) => ({
      by,
      as: offer.as,
      bound: boundTools({ by: by.name, offer, rows, problems }),
    })),
  )
  if (problems.length > 0) throw new DefinitionError(problems)
  return offers
}

interface Binding {
  by: string
  offer: Offer
  rows: ReadonlyMap<string, TableRow>
  problems: string[]
}

function boundTools({ by, offer, rows, problems }: Binding) {
  const bound: [OfferedTool, Tool][] = []
  for (const offered of offer.tools) {
    const name = nameOf(offered)
    const row = rows.get(name)
    const words = typeof offered === 'string' ? row?.route.operation.tool : offered
    const refuse = (why: string) =>
      problems.push(`Route "${name}" is a tool of "${by}", and ${why}`)
    if (!row) problems.push(unknown(by, name, [...rows.keys()]))
    else if (words) {
      const plain = bindTool(row, words, { refuse, confirm: offer.confirm })
      const task = words.task && bindTask({ tool: plain, row }, words.task, { rows, refuse })
      const tool = task ? { ...plain, task } : plain
      const why = offer.unfit?.(tool)
      if (why) refuse(why)
      bound.push([offered, tool])
    } else problems.push(unspoken(by, name))
  }
  return bound
}

/** The tools of an endpoint: what it has given to `offerTools`. */
export function toolsOf(server: Infrastructure, offered: readonly OfferedTool[]): readonly Tool[] {
  const { tools } = served.get(server) ?? {}
  return offered.flatMap((each) => tools?.get(each) ?? [])
}

/** What a program with these permissions still lacks for a tool. Of `order:read or order:write`, one is enough. */
export const missingPermissions = (
  { permissions }: Pick<Tool, 'permissions'>,
  held: readonly string[],
) =>
  permissions
    .map((names) => names.split(' or '))
    .filter((names) => !names.some((name) => held.includes(name)))

/** Whether a program with these permissions may call a tool, as far as permissions say. */
export const mayUseTool = (tool: Pick<Tool, 'permissions'>, held: readonly string[]) =>
  missingPermissions(tool, held).length === 0

/** What a call does, in a word for users. The hints that an agent gets say the same. */
export function doneBy({ method }: Pick<Tool, 'method'>): 'reads' | 'changes' | 'deletes' {
  if (method === 'GET') return 'reads'
  return method === 'DELETE' ? 'deletes' : 'changes'
}

const nameOf = (offered: OfferedTool) => (typeof offered === 'string' ? offered : offered.name)

function unknown(by: string, name: string, known: readonly string[]) {
  const meant = nearest(name, known)
  return `Route "${by}" offers the tool "${name}", and no route has this name.${meant ? ` Did you mean "${meant}"?` : ''}`
}

const unspoken = (by: string, name: string) =>
  `Route "${by}" offers the tool "${name}", and that route has no words for a model: add .tool({ title, describe }) to it. For a route of a package, give { name, title, describe } instead of the name.`
