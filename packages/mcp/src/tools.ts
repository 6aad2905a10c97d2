import {
  type CallToolRequestParams,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { mayUseTool, type Tool } from '@svc/core'
import { type ReadAnswer, readAnswer, refusalOf } from './answers.ts'
import { approvedAnswer } from './approval.ts'
import { lacks } from './permissions.ts'
import { reportsOf } from './report.ts'
import { failure, resultOf } from './results.ts'
import { hideBugs, invalid, type Serving } from './serving.ts'
import { isTaskTool, type TaskInput, type TaskTool, taskInput } from './task-id.ts'
import { createdTask, takesTask } from './tasks.ts'

/** Lists the tools that the caller may use, and runs no other. */
export function serveTools(serving: Serving, tools: readonly Tool[]) {
  const { server, c, granted } = serving
  server.setRequestHandler('tools/list', () => ({
    tools: tools.filter((tool) => mayUseTool(tool, granted)).map(listed),
  }))
  server.setRequestHandler('tools/call', ({ params }, call) =>
    hideBugs(c, async () => {
      const tool = tools.find(({ name }) => name === params.name)
      if (!tool) throw invalid('There is no such tool. List the tools to see their names.')
      reportsOf(c.raw, call)
      const isAsked = serving.era === 'legacy' && params.task !== undefined
      // An endpoint without any task ignores it.
      if (isAsked && !isTaskTool(tool) && tools.some(isTaskTool)) throw noTask(tool)
      const calling = { call, given: params.arguments ?? {} }
      return takesTask(serving, tool, { call, isAsked })
        ? startTask(serving, tool, calling)
        : callTool(serving, tool, calling)
    }),
  )
}

interface Calling {
  readonly call: ServerContext
  readonly given: NonNullable<CallToolRequestParams['arguments']>
}

async function callTool({ c, granted }: Serving, tool: Tool, { call, given }: Calling) {
  if (!mayUseTool(tool, granted)) return failure(lacks(tool))
  const { answer, asking, failed } = await approvedAnswer({ c, call, tool }, async () =>
    readAnswer(await tool.call(c.raw, given)),
  )
  if (asking) return asking
  return answer ? resultOf(tool, answer) : failure(failed)
}

async function startTask(serving: Serving, tool: TaskTool, { call, given }: Calling) {
  const { c, era, granted } = serving
  // A client before 2026-07-28 takes nothing here but a task, or an error.
  const refused = (text: string) => {
    if (era === 'legacy') throw invalid(text)
    return failure(text)
  }
  if (!mayUseTool(tool, granted)) return refused(lacks(tool))
  const view = (body: unknown) => taskInput(tool, body)
  const { answer, asking, failed } = await approvedAnswer({ c, call, tool }, async () =>
    readAnswer(await tool.call(c.raw, given, view)),
  )
  if (asking) return asking
  if (!answer) return refused(failed)
  if (answer.status >= 400) return refused(refusalOf(answer))
  return createdTask(serving, tool, inputIn(tool, answer))
}

function inputIn({ name }: TaskTool, answer: ReadAnswer) {
  if (answer.kind !== 'json')
    throw new Error(`"${name}" has to answer with JSON: it starts a task.`)
  // The view has made it.
  return answer.value as TaskInput
}

const noTask = ({ name }: Tool) =>
  new ProtocolError(
    ProtocolErrorCode.MethodNotFound,
    `${name} doesn't support tasks. Call it without one.`,
  )

function listed({ name, title, describe, method, task, inputSchema, outputSchema }: Tool) {
  return {
    name,
    title,
    description: describe,
    inputSchema: inputSchema as { type: 'object' },
    ...(outputSchema && { outputSchema: outputSchema as { type: 'object' } }),
    // The revision 2026-07-28 has no such member: there the server decides.
    ...(task && { execution: { taskSupport: 'optional' as const } }),
    annotations: {
      title,
      readOnlyHint: method === 'GET',
      destructiveHint: method === 'DELETE',
      idempotentHint: method !== 'POST' && method !== 'PATCH',
      openWorldHint: false,
    },
  }
}
