import { nearest } from '../nearest.ts'
import type { ToolTask, ToolWords } from '../routes/contract.ts'
import type { TableRow } from '../routes/routes.ts'
import { jsonSchemaOf, propertiesOf } from '../schema/schema.ts'
import { bindTool, type TaskOfTool, type Tool } from './bind-tool.ts'

interface Binding {
  readonly rows: ReadonlyMap<string, TableRow>
  /** Is told why the job can't be one. */
  readonly refuse: (why: string) => void
}

interface Starting {
  readonly tool: Tool
  /** The route that starts the job. */
  readonly row: TableRow
}

/** Binds the routes where the job of a tool goes on. Undefined if one of them can't be bound. */
export function bindTask(
  { tool, row }: Starting,
  { read: readName, cancel: cancelName, pollSeconds = 5, ...task }: ToolTask,
  { rows, refuse }: Binding,
): TaskOfTool | undefined {
  const bindNamed = (name: string) => {
    const found = rows.get(name)
    if (found) return bindPart(found, tool, refuse)
    const meant = nearest(name, [...rows.keys()])
    refuse(
      `its task names the route "${name}", which is not there.${meant ? ` Did you mean "${meant}"?` : ''}`,
    )
    return undefined
  }
  const read = bindNamed(readName)
  const cancel = cancelName === undefined ? undefined : bindNamed(cancelName)
  if (read && read.method !== 'GET') {
    refuse(
      `its task reads the state with "${readName}", which has the method ${read.method}: name a GET route.`,
    )
  }
  if (rows.get(readName)?.route.binding.isStale) {
    refuse(
      `its task reads the state with "${readName}", which is .stale(): a replica may not have the job yet when the agent asks for it. Name a route that reads from the primary.`,
    )
  }
  for (const part of [read, cancel]) if (part) refuseUnfit(part, { tool, task, refuse })
  refuseUnknownMembers(row, task, refuse)
  if (!(pollSeconds > 0 && pollSeconds <= longestPause)) {
    refuse(`its task has pollSeconds ${pollSeconds}: write a number over 0, and at most an hour.`)
  }
  return read && { ...task, read, cancel, pollSeconds }
}

const longestPause = 3600

/** A route of the job, under the words of the tool where it has none of its own. */
function bindPart(row: TableRow, tool: Tool, refuse: (why: string) => void) {
  const { title, describe } = tool
  const words: ToolWords = row.route.operation.tool ?? { title, describe }
  const { name } = row
  if (words.confirm)
    refuse(
      `its task names the route "${name}", whose calls the owner confirms: name one without confirm.`,
    )
  return bindTool(row, words, {
    refuse: (why) => refuse(`its task names the route "${name}", which ${why}`),
    confirm: undefined,
  })
}

interface Fitting {
  readonly tool: Tool
  readonly task: Pick<ToolTask, 'params'>
  readonly refuse: (why: string) => void
}

function refuseUnfit(part: Tool, { tool, task: { params }, refuse }: Fitting) {
  const { name, inputSchema } = part
  const { properties, required } = inputSchema as {
    properties: object
    required: readonly string[]
  }
  const unknown = Object.keys(params).find((member) => !Object.hasOwn(properties, member))
  if (unknown !== undefined) {
    refuse(
      `its task gives "${unknown}" to the route "${name}", which doesn't take it: remove it from params.`,
    )
  }
  const missing = required.find((member) => !Object.hasOwn(params, member))
  if (missing !== undefined) {
    refuse(
      `its task gives no "${missing}" to the route "${name}", which needs it: add it to params.`,
    )
  }
  const lacking = part.permissions.find((names) => !isImplied(names, tool))
  if (lacking !== undefined) {
    refuse(
      `its task needs ${lacking} for the route "${name}", and the tool does not: an agent could start a job that it can't read. Ask for it in both routes.`,
    )
  }
}

/** Whether every program that may call the tool has one of these permissions. */
function isImplied(names: string, tool: Tool) {
  const enough = new Set(names.split(' or '))
  return tool.permissions.some((each) => each.split(' or ').every((name) => enough.has(name)))
}

/** If the answer is declared, it has the members that the job is found by. */
function refuseUnknownMembers(
  { route }: TableRow,
  { params }: Pick<ToolTask, 'params'>,
  refuse: (why: string) => void,
) {
  const { answer } = route.operation
  if (!answer || jsonSchemaOf(answer.schema).type !== 'object') return
  const properties = propertiesOf(answer.schema)
  const unknown = Object.values(params).find((member) => !Object.hasOwn(properties, member))
  if (unknown !== undefined) {
    refuse(`its task takes "${unknown}" from the answer, which doesn't have it.`)
  }
}
