import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { processEnvironment } from '../env/env.ts'
import { type ProcessEnv, readProcessEnv } from './env.ts'
import { supervised } from './messages.ts'

export { processVariables } from './env.ts'
export { metricsOfAll, serveSupervised } from './member.ts'
export { superviseProcesses } from './supervisor.ts'

/** How many processes share the port of this server, this one among them. */
export function processCount({ SVC_PROCESSES, SVC_LISTEN }: ProcessEnv) {
  // What hands connections over has one process to hand them to.
  return SVC_LISTEN === 'handed' ? 1 : SVC_PROCESSES
}

/** Whether this process is one of several, which another one of ours supervises. */
export const isMember = () => cluster.isWorker && processEnvironment()[supervised] === 'yes'

/** The cores that one process may count on, such as for threads: those of the machine, shared. */
export function coresOfProcess() {
  const sharing = isMember() ? processCount(readProcessEnv()) : 1
  return Math.max(1, Math.floor(availableParallelism() / sharing))
}
