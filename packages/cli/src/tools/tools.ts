import {
  documentedRoutes,
  doneBy,
  mayUseTool,
  type Tool,
  type ToolOffer,
  toolTable,
} from '@svc/core'
import type { Application } from '../application/application.ts'
import { CommandFailure } from '../failure.ts'
import { findRole } from '../find-role.ts'
import type { Flags } from '../flags.ts'
import { printJson, printTable, printText } from '../print-answer.ts'

/** Prints what the application offers to agents; with --role, what one of a user with that role sees. */
export async function printTools({ definition }: Application, flags: Flags) {
  const offers = toolTable(documentedRoutes(definition))
  if (offers.length === 0) throw new CommandFailure(none)
  const role = flags.role === undefined ? undefined : await findRole(definition, flags, flags.role)
  const seen = role ? offers.map((offer) => seenWith(role.permissions, offer)) : offers
  if (flags.json) return printJson(seen.map(asRead))
  for (const [index, offer] of seen.entries()) {
    if (index > 0) console.log()
    print(offer, offers[index] ?? offer)
  }
  return 0
}

const none = `The application offers no tools: no route of it is an endpoint for agents. The guide "Agents" shows how
to add one with @svc/mcp, and "svc docs search tool" finds it.`

function seenWith(held: readonly string[], { tools, resources, ...offer }: ToolOffer): ToolOffer {
  const isSeen = (tool: Tool) => mayUseTool(tool, held)
  return { ...offer, tools: tools.filter(isSeen), resources: resources.filter(isSeen) }
}

function print({ endpoint, path, tools, resources }: ToolOffer, all: ToolOffer) {
  const seen = [
    counted(tools.length, all.tools.length, 'tool'),
    ...(all.resources.length > 0
      ? [counted(resources.length, all.resources.length, 'resource')]
      : []),
  ]
  printText(`${path} (${endpoint}): ${seen.join(', ')}`)
  if (tools.length > 0) {
    const rows = tools.map((tool) => [tool.name, tool.title, does(tool), needs(tool)])
    printTable(['Tool', 'Title', 'Does', 'Needs'], rows)
  }
  if (resources.length > 0) {
    const rows = resources.map((resource) => [resource.name, resource.title, needs(resource)])
    printTable(['Resource', 'Title', 'Needs'], rows)
  }
}

/** A job goes on after the call. */
const does = (tool: Tool) => (tool.task ? `${doneBy(tool)}, as a task` : doneBy(tool))

const needs = ({ permissions }: Tool) => permissions.join(' and ')

function counted(seen: number, all: number, what: string) {
  return `${seen < all ? `${seen} of ${all}` : all} ${what}${all === 1 ? '' : 's'}`
}

const asRead = ({ endpoint, path, tools, resources }: ToolOffer) => ({
  endpoint,
  path,
  tools: tools.map((tool) => ({
    ...wordsOf(tool),
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
    task: tool.task && { read: tool.task.read.name, cancel: tool.task.cancel?.name },
  })),
  resources: resources.map(wordsOf),
})

const wordsOf = ({ name, title, describe, permissions }: Tool) => ({
  name,
  title,
  description: describe,
  permissions,
})
