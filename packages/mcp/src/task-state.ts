import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { HandlerContext, ToolTaskState } from '@svc/core'
import { type ReadAnswer, readAnswer, refusalOf } from './answers.ts'
import { invalid } from './serving.ts'
import type { Task } from './task-id.ts'

/** How far a job is, with the answer of the route that says so. */
export interface Found {
  readonly state: ToolTaskState
  readonly answer: ReadAnswer
}

const states = new Set<ToolTaskState>(['working', 'completed', 'failed', 'cancelled'])

/** Calls the route that has the state of a job, in the name of the agent that asks. */
export async function readState(c: HandlerContext, { tool, input }: Task): Promise<Found> {
  const { read, state: stateOf } = tool.task
  const view = read.contents ?? read.view
  let state: ToolTaskState | undefined
  const told = await read.call(c.raw, input, (body) => {
    state = stateOf(body)
    if (!states.has(state)) throw new Error(`The task of "${tool.name}" has no state "${state}".`)
    return view ? view(body) : body
  })
  const answer = await readAnswer(told)
  if (answer.status >= 400) throw refusedBy(answer)
  if (!state) throw new Error(`"${read.name}" has to answer with JSON: a task reads it.`)
  return { state, answer }
}

/** Calls the route that cancels a job. What it refuses is returned: the job may have ended before. */
export async function cancelJob(c: HandlerContext, { tool, input }: Task) {
  const { cancel } = tool.task
  const answer = cancel && (await readAnswer(await cancel.call(c.raw, input)))
  return answer && answer.status >= 400 ? refusedBy(answer) : undefined
}

/** One text for each task that this agent can't read: it must not learn which of them is there. */
export const noSuchTask = () => invalid('There is no such task.')

const unknownTo = new Set([400, 401, 403, 404, 410])

function refusedBy(answer: ReadAnswer) {
  if (unknownTo.has(answer.status)) return noSuchTask()
  return new ProtocolError(ProtocolErrorCode.InternalError, refusalOf(answer))
}
