import { getAccessToken, isSealedForAgent, sealForAgent } from '@svc/auth/server'
import type { HandlerContext, TaskOfTool, Tool } from '@svc/core'

/** A tool whose call starts a job. */
export type TaskTool = Tool & { readonly task: TaskOfTool }

/** What the routes of a job take. */
export type TaskInput = Readonly<Record<string, string | number>>

/** A job that an agent has started. The application keeps its state: this is only where to read it. */
export interface Task {
  readonly tool: TaskTool
  readonly input: TaskInput
  readonly startedAt: Date
}

export const isTaskTool = (tool: Tool): tool is TaskTool => tool.task !== undefined

/** What the routes of a job take, of the answer that has started it. */
export function taskInput({ name, task: { params } }: TaskTool, body: unknown): TaskInput {
  const members = (body ?? {}) as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(params).map(([given, member]) => {
      const value = Object.hasOwn(members, member) ? members[member] : undefined
      if (typeof value !== 'string' && typeof value !== 'number') {
        throw new Error(`The answer of "${name}" has no text or number "${member}" for its task.`)
      }
      return [given, value]
    }),
  )
}

// Clients repeat it in a header.
const longest = 2000
const use = 'MCP task'

/**
 * The id of a task is what its routes take, with a seal: another agent's, or one that an agent has made up, is none, and
 * no route is called for it.
 */
export function taskIdOf(c: HandlerContext, { tool, input, startedAt }: Task): string {
  const content = JSON.stringify([tool.name, startedAt.getTime(), input])
  const text = Buffer.from(content).toString('base64url')
  const id = `${text}.${sealOver(c, text)}`
  if (id.length > longest) throw new Error(`The id of a task of "${tool.name}" is too long.`)
  return id
}

/** The task of an id that this agent was given; null for every other text. */
export function findTask(c: HandlerContext, tools: readonly Tool[], id: string): Task | null {
  const [text = '', seal = '', ...more] = id.length > longest ? [] : id.split('.')
  const { grantId } = getAccessToken(c)
  if (more.length > 0 || !isSealedForAgent(c, seal, { use, text, grantId })) return null
  const content: [string, number, TaskInput] = JSON.parse(
    Buffer.from(text, 'base64url').toString('utf8'),
  )
  const [name, startedAt, input] = content
  // The application may have changed since.
  const tool = tools.filter(isTaskTool).find((each) => each.name === name)
  return tool ? { tool, input, startedAt: new Date(startedAt) } : null
}

function sealOver(c: HandlerContext, text: string) {
  const { grantId } = getAccessToken(c)
  return sealForAgent(c, { use, text, grantId })
}
