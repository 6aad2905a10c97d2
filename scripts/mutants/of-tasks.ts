import type { Mutation } from './mutation.ts'

const of = 'mcp'
const through = { of, folder: '', test: 'tasks.test.ts' } as const
const guarded = { of, folder: '', test: 'task-guards.test.ts' } as const
const bound = { of: 'core', folder: 'tools', test: 'task-tools.test.ts' } as const

const isolated = { ...through, title: 'is not there for another account' }
const declared = { ...through, title: 'is a task for a client that says with the call' }

/** The jobs that agents have started: whose they are, who is told of them, and what a server starts with. */
export const ofTasks: Mutation[] = [
  {
    name: 'a task is found by an id that an agent has made up',
    file: 'task-id.ts',
    find: 'if (more.length > 0 || !isSealedForAgent(c, seal, { use, text, grantId })) return null',
    replace: 'if (more.length > 0) return null',
    ...isolated,
  },
  {
    name: 'a task is found by another agent of the account',
    file: 'oauth2/agent-seal.ts',
    find: 'JSON.stringify([grantId, text])',
    replace: 'JSON.stringify([text])',
    ...isolated,
    of: 'auth',
    testedIn: of,
  },
  {
    name: 'a request waits on for a client that has gone',
    file: 'serving.ts',
    find: "  outgoing.once('close', () => gone.abort())\n",
    replace: '',
    ...guarded,
    title: 'reads the state no more once its client has gone',
  },
  {
    name: 'a request waits on although the server stops',
    file: 'serving.ts',
    find: 'AbortSignal.any([gone.signal, server.stopping])',
    replace: 'gone.signal',
    ...guarded,
    title: 'has its answer at once when the server stops',
  },
  {
    name: 'an approved call is made for a grant that ended meanwhile',
    file: 'approval.ts',
    find: '  if (!mayUseTool(tool, await permissionsNow(c))) return { failed: lacks(tool) }\n',
    replace: '',
    ...guarded,
    test: 'approval.test.ts',
    title: 'does nothing once the user has taken the grant back',
  },
  {
    name: 'a client that takes no task gets one',
    file: 'tasks.ts',
    find: "(era === 'modern' ? declaresTasks(call) : isAsked)",
    replace: "(era === 'modern' || isAsked)",
    ...declared,
  },
  {
    name: 'a client that takes no task is told of one',
    file: 'tasks.ts',
    find: "        if (era === 'modern' && !declaresTasks(call)) throw undeclared()\n",
    replace: '',
    ...declared,
  },
  {
    name: 'an agent is told of a task whose tool it may not use any more',
    file: 'tasks.ts',
    find: '        if (!mayUseTool(task.tool, granted)) throw invalid(lacks(task.tool))\n',
    replace: '',
    ...through,
    title: 'ends the reading of it',
  },
  {
    name: 'a client is not told which scope its token lacks for a task',
    file: 'needed-by.ts',
    find: 'return findTask(c, toolsOf(server, tools), taskId)?.tool',
    replace: 'return undefined',
    ...guarded,
    title: 'needs the scope of its tool',
  },
  {
    name: 'a request that waits gets the result after the end of its grant',
    file: 'tasks.ts',
    find: '    if (!mayUseTool(tool, await permissionsNow(c))) throw noSuchTask()\n',
    replace: '',
    ...guarded,
    title: 'has nothing once the user has taken the grant back',
  },
  {
    name: 'a task that is not there looks other than one of another agent',
    file: 'task-state.ts',
    find: 'if (unknownTo.has(answer.status)) return noSuchTask()',
    replace: '',
    ...through,
    title: 'is not there once the application does not have it any more',
  },
  {
    name: 'a state that is none is told',
    file: 'task-state.ts',
    find: 'if (!states.has(state)) throw',
    replace: 'if (states.size === 0) throw',
    ...guarded,
    title: 'says nothing of a bug',
  },
  {
    name: 'a job that is over is cancelled again',
    file: 'tasks.ts',
    find: "state === 'working' ? await cancelJob(c, task) : undefined",
    replace: 'await cancelJob(c, task)',
    ...through,
    title: 'is cancelled by the route that does it',
  },
  {
    name: 'a task that is over is answered as one that was cancelled',
    file: 'tasks.ts',
    find: "  if (before.state !== 'working') throw invalid(`The task is ${before.state} already.`)\n",
    replace: '',
    ...through,
    title: 'is cancelled when the request is answered, and not again',
  },
  {
    name: 'a server starts with a job whose state no agent can read',
    file: 'permissions.ts',
    find: 'return unfit(tool) ?? unfitTask(tool)',
    replace: 'return unfit(tool)',
    ...guarded,
    title: 'does not start if no agent can read the state',
  },
  {
    name: 'a server starts with a job that its agent may not read',
    file: 'tools/bind-task.ts',
    find: '!isImplied(names, tool)',
    replace: '!names',
    ...bound,
    title: 'does not start if a program could start a job that it may not read',
  },
  {
    name: 'a server starts with a state that is read by a change',
    file: 'tools/bind-task.ts',
    find: "read.method !== 'GET'",
    replace: "read.method === 'PUT'",
    ...bound,
    title: 'does not start if the state is read by a route that may change something',
  },
  {
    name: 'a server starts with a job whose state is read from a replica',
    file: 'tools/bind-task.ts',
    find: 'if (rows.get(readName)?.route.binding.isStale) {',
    replace: 'if (rows.size === 0) {',
    ...bound,
    title: 'does not start if the state is read from a replica',
  },
  {
    name: 'a server starts with a job whose owner would confirm each reading',
    file: 'tools/bind-task.ts',
    find: '  if (words.confirm)\n    refuse(',
    replace: '  if (!words)\n    refuse(',
    ...bound,
    title: 'does not start if the owner confirms each call',
  },
]
