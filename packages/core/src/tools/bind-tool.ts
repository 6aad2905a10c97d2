import { bodyForm } from '../bodies/contract.ts'
import { BadRequestError } from '../errors/contract.ts'
import type { Answer } from '../request/client.ts'
import type { RawContext } from '../request/request.ts'
import { boundOf, Route, type ToolTask, type ToolWords } from '../routes/contract.ts'
import { bindRoute, type HandlerContext, type TableRow } from '../routes/routes.ts'
import {
  type AnySchema,
  type JsonSchema,
  jsonSchemaOf,
  propertiesOf,
  requiredOf,
} from '../schema/schema.ts'
import { callWithin, type PlaceInput } from './call-within.ts'

/** An operation that a server offers to programs that choose among tools. */
export interface Tool extends Omit<ToolWords, 'task'> {
  /** That of the route: `createNotice`. */
  readonly name: string
  /** Who may call it, as `svc routes` shows it. */
  readonly access: string
  /** The permissions that a program needs, all of them; of `order:read or order:write`, one. */
  readonly permissions: readonly string[]
  readonly method: string
  /** The members of the parameters, the query and the body in one object. */
  readonly inputSchema: JsonSchema
  /** That of the declared answer, if it is an object. */
  readonly outputSchema: JsonSchema | undefined
  /** Set if a call of it starts a job. */
  readonly task?: TaskOfTool
  /**
   * Calls the route in the course of a request. A refusal is an answer too. The value of an answer is JSON already: the
   * body, or what the view makes of it. That of the words, unless another one is given.
   */
  readonly call: (
    outer: RawContext,
    input: Readonly<Record<string, unknown>>,
    view?: (body: unknown) => unknown,
  ) => Promise<Answer | Response>
}

/** The job of a tool: its routes are tools themselves, and only the program that has started the job calls them. */
export interface TaskOfTool extends Omit<ToolTask, 'read' | 'cancel'> {
  readonly read: Tool
  readonly cancel: Tool | undefined
  readonly pollSeconds: number
}

const parts = ['params', 'query', 'body'] as const
type Part = (typeof parts)[number]

/** Lets a call in, or refuses it. `operation` is the method and the path. */
export type Confirm = (
  c: HandlerContext,
  call: { readonly operation: string; readonly title: string },
) => Promise<void>

interface Binding {
  /** Is told why an operation can't be a tool. */
  refuse: (why: string) => void
  confirm: Confirm | undefined
}

/** Binds an operation with `.tool(…)`. */
export function bindTool(
  row: TableRow,
  { task, ...words }: ToolWords,
  { refuse, confirm }: Binding,
): Tool {
  const { route, name } = row
  const { operation, binding } = route
  const { method, path, input, answer } = operation
  refuseInput(row, refuse)
  const partOf = partsByName(row, refuse)
  const place = {
    method,
    path,
    chain: chainOf(row, words, confirm),
    maxBodyBytes: boundOf(operation),
  }
  const access = binding.access?.who ?? 'unknown'
  // What a job ends with is another answer, that of the route that reads it.
  const outputSchema =
    answer && !words.view && !words.contents && !task
      ? jsonSchemaOf(answer.schema, { side: 'output', target: 'draft-2020-12' })
      : undefined
  return {
    ...words,
    name,
    method,
    access,
    permissions: permissionsOf(access, words),
    inputSchema: {
      ...furtherKeywords(parts.flatMap((part) => input[part] ?? [])),
      type: 'object',
      properties: Object.assign({}, ...parts.map((part) => propertiesOf(input[part]))),
      required: parts.flatMap((part) => requiredOf(input[part])),
      additionalProperties: false,
    },
    outputSchema: outputSchema?.type === 'object' ? outputSchema : undefined,
    call: (outer, given, view = words.contents ?? words.view) => {
      const read = () => sorted(given, { partOf, name, input })
      return callWithin(outer, place, { read, view })
    },
  }
}

/** That of the route. Where the words want it, each call is confirmed after the route's own check. */
function chainOf(row: TableRow, { confirm: isConfirmed, title }: ToolWords, confirm?: Confirm) {
  if (!isConfirmed || !confirm) return bindRoute(row)
  const { operation, binding } = row.route
  const own = binding.check as ((c: HandlerContext) => Promise<unknown>) | undefined
  const route = new Route(operation, {
    ...binding,
    async check(c: HandlerContext) {
      await own?.(c)
      await confirm(c, { operation: `${operation.method} ${operation.path}`, title })
    },
  })
  return bindRoute({ ...row, route })
}

/** Those that the route asks for, as its access says (`may order:read`), and that of the words. */
function permissionsOf(access: string, { permission }: ToolWords) {
  const [, names = ''] = /(?:^|, )may (.+)$/.exec(access) ?? []
  const ofRoute = names.split(' and ').filter((name) => name !== '')
  return permission === undefined ? ofRoute : [permission, ...ofRoute]
}

/** What else the schemas say: conditions, and the definitions that their members refer to. */
function furtherKeywords(schemas: readonly AnySchema[]) {
  const written = schemas.map((schema) => jsonSchemaOf(schema))
  const definitions = Object.assign({}, ...written.map(({ $defs }) => $defs))
  const keywords: JsonSchema = Object.assign({}, ...written)
  return Object.keys(definitions).length > 0 ? { ...keywords, $defs: definitions } : keywords
}

/** In which part of the request each member belongs. A program gives all of them in one object. */
function partsByName({ route }: TableRow, refuse: (why: string) => void) {
  const found = new Map<string, Part>()
  for (const part of parts) {
    for (const member of Object.keys(propertiesOf(route.operation.input[part]))) {
      const other = found.get(member)
      if (other) refuse(`has "${member}" both in ${other} and in ${part}: rename one of them.`)
      found.set(member, part)
    }
  }
  return found
}

function refuseInput({ route }: TableRow, refuse: (why: string) => void) {
  const { input } = route.operation
  if (input.form) refuse('takes a form: a tool takes JSON.')
  if (requiredOf(input.headers).length > 0) refuse('needs a header, which no tool can send.')
  if (!input.body) return
  const isObject = !bodyForm(input.body) && jsonSchemaOf(input.body).type === 'object'
  if (!isObject)
    refuse('has a body that is not an object of JSON, with members that its schema names.')
}

interface Known {
  partOf: ReadonlyMap<string, Part>
  name: string
  input: TableRow['route']['operation']['input']
}

/** The members by their parts. Those that no part has are refused: a model should learn that it made them up. */
function sorted(given: Readonly<Record<string, unknown>>, { partOf, name, input }: Known) {
  const found: Partial<Record<Part, Record<string, unknown>>> = input.body ? { body: {} } : {}
  for (const [member, value] of Object.entries(given)) {
    const part = partOf.get(member)
    if (!part) throw new BadRequestError({ message: `${name} takes no "${member}".` })
    found[part] = { ...found[part], [member]: value }
  }
  return found as PlaceInput
}
