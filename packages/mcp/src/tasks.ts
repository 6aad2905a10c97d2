import { setTimeout as wait } from 'node:timers/promises'
import {
  fromJsonSchema,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { mayUseTool, type Tool, type ToolTaskState } from '@svc/core'
import { lacks, permissionsNow } from './permissions.ts'
import { failure, resultOf } from './results.ts'
import {
  capabilitiesOf,
  endOfWait,
  hideBugs,
  invalid,
  type Serving,
  waitingMillis,
} from './serving.ts'
import { findTask, isTaskTool, type Task, type TaskTool, taskIdOf } from './task-id.ts'
import { cancelJob, type Found, noSuchTask, readState } from './task-state.ts'

/** The extension of the revision 2026-07-28. In 2025-11-25, tasks are a part of the protocol. */
const extension = 'io.modelcontextprotocol/tasks'

/** What an endpoint with these tools says of tasks. */
export function taskCapabilities(era: Serving['era'], tools: readonly Tool[]) {
  const starting = tools.filter(isTaskTool)
  if (starting.length === 0) return {}
  if (era === 'modern') return { extensions: { [extension]: {} } }
  // There is no tasks/list: the application has the jobs, and a tool can list them.
  return {
    tasks: { requests: { tools: { call: {} } }, ...(canCancel(starting) && { cancel: {} }) },
  }
}

const canCancel = (tools: readonly Tool[]) => tools.some(({ task }) => task?.cancel)

const declaresTasks = (call: ServerContext) =>
  capabilitiesOf(call).extensions?.[extension] !== undefined

interface Calling {
  readonly call: ServerContext
  /** Whether a client before 2026-07-28 asks for a task with this call. */
  readonly isAsked: boolean
}

/** Whether the client takes a task in place of the answer. Without one, it gets the answer of the route. */
export function takesTask(
  { era }: Serving,
  tool: Tool,
  { call, isAsked }: Calling,
): tool is TaskTool {
  return isTaskTool(tool) && (era === 'modern' ? declaresTasks(call) : isAsked)
}

/**
 * The answer of a call that has started a job, which is there because the route has answered. The contents are left out
 * when it is sent.
 */
export function createdTask({ c, era }: Serving, tool: TaskTool, input: Task['input']) {
  const task = { tool, input, startedAt: c.clock.now() }
  const fields = fieldsOf({ c, era, task, id: taskIdOf(c, task) }, 'working')
  return era === 'modern'
    ? { content: [], resultType: 'task', ...fields }
    : { content: [], task: fields }
}

interface Asked extends Pick<Serving, 'c' | 'era'> {
  readonly id: string
  readonly task: Task
}

type Answering = (asked: Asked) => Promise<object>

const named = fromJsonSchema<{ taskId: string }>({
  type: 'object',
  properties: { taskId: { type: 'string' } },
  required: ['taskId'],
})

/** Answers what clients ask of the jobs that they have started. */
export function serveTasks(serving: Serving, tools: readonly Tool[]) {
  const { server, era, c, granted } = serving
  const on = (method: string, answer: Answering) =>
    server.setRequestHandler(method, { params: named }, ({ taskId: id }, call) =>
      hideBugs(c, async () => {
        if (era === 'modern' && !declaresTasks(call)) throw undeclared()
        const task = findTask(c, tools, id)
        if (!task) throw noSuchTask()
        if (!mayUseTool(task.tool, granted)) throw invalid(lacks(task.tool))
        return { ...(await answer({ c, era, id, task })) }
      }),
    )
  if (!tools.some(isTaskTool)) return
  on('tasks/get', getTask)
  if (era === 'modern') {
    on('tasks/cancel', cancelTask)
    on('tasks/update', updateTask)
    return
  }
  on('tasks/result', waitForResult)
  if (canCancel(tools)) on('tasks/cancel', cancelledTask)
}

const undeclared = () =>
  new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [extension]: {} } },
  })

const getTask: Answering = async (asked) => {
  const found = await readState(asked.c, asked.task)
  const fields = fieldsOf(asked, found.state)
  const isOver = found.state === 'completed' || found.state === 'failed'
  return asked.era === 'modern' && isOver ? { ...fields, result: endOf(asked, found) } : fields
}

/** In 2026-07-28, a client only says that it does not need the job any more. */
const cancelTask: Answering = async ({ c, task }) => {
  const { state } = await readState(c, task)
  const refusal = state === 'working' ? await cancelJob(c, task) : undefined
  // It may have ended meanwhile.
  if (refusal && (await readState(c, task)).state === 'working') throw refusal
  return {}
}

/** No task asks for anything, so an answer to a question of it is ignored. */
const updateTask: Answering = async ({ c, task }) => {
  await readState(c, task)
  return {}
}

/** In 2025-11-25, a task is cancelled when the request is answered, or the request is refused. */
const cancelledTask: Answering = async (asked) => {
  const { c, task } = asked
  const before = await readState(c, task)
  if (before.state !== 'working') throw invalid(`The task is ${before.state} already.`)
  if (!task.tool.task.cancel) throw invalid(`A task of ${task.tool.name} can't be cancelled.`)
  const refusal = await cancelJob(c, task)
  const { state } = await readState(c, task)
  if (state === 'working' && refusal) throw refusal
  if (state === 'completed' || state === 'failed') throw invalid(`The task is ${state} already.`)
  return fieldsOf(asked, state)
}

const waitForResult: Answering = async (asked) => {
  const result = endOf(asked, await untilOver(asked))
  // oxlint-disable-next-line no-underscore-dangle -- the protocol's name
  return { ...result, _meta: { [RELATED_TASK_META_KEY]: { taskId: asked.id } } }
}

// A request that waits must not ask the database all the time, even if an agent may.
const leastMillis = 250

async function untilOver({ c, task }: Asked): Promise<Found> {
  const { tool } = task
  const signal = endOfWait(c)
  const until = performance.now() + waitingMillis(c)
  for (;;) {
    const found = await readState(c, task)
    if (found.state !== 'working') return found
    const left = until - performance.now()
    if (left <= 0 || signal.aborted) throw stillWorking()
    const pause = Math.min(left, Math.max(leastMillis, pollMillis(tool)))
    await wait(pause, undefined, { signal }).catch(() => undefined)
    // What the user takes away must not be given to a request that waits.
    if (!mayUseTool(tool, await permissionsNow(c))) throw noSuchTask()
  }
}

const stillWorking = () =>
  new ProtocolError(
    ProtocolErrorCode.InternalError,
    'The task is still working. Ask for its state with tasks/get.',
  )

const pollMillis = ({ task }: TaskTool) => Math.ceil(task.pollSeconds * 1000)

/** What the call of the tool would have answered, if it had waited. */
function endOf({ task: { tool } }: Asked, { state, answer }: Found) {
  if (state === 'cancelled') return failure('The task was cancelled.')
  const result = resultOf(tool.task.read, answer)
  return state === 'failed' ? { ...result, isError: true } : result
}

function fieldsOf({ c, era, id: taskId, task }: Asked, state: ToolTaskState) {
  const fields = {
    taskId,
    // What fails in a tool is a result of it. In 2026-07-28, only what fails in the protocol is a failed task.
    status: era === 'modern' && state === 'failed' ? 'completed' : state,
    createdAt: task.startedAt.toISOString(),
    // The application does not say when its job has changed, so this is when it was read.
    lastUpdatedAt: c.clock.now().toISOString(),
  }
  const pause = pollMillis(task.tool)
  // The task is there for as long as the application keeps its job.
  return era === 'modern'
    ? { ...fields, ttlMs: null, pollIntervalMs: pause }
    : { ...fields, ttl: null, pollInterval: pause }
}
