import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { processEnvironment } from '../env/env.ts'
import { type ProcessEnv, readProcessEnv } from './env.ts'
import { supervised } from './messages.ts'

export { processVariables } from './env.ts'
export { metricsOfAll, serveSupervised } from './member.ts'
export { superviseProcesses } from './supervisor.ts'

/** How many processes share the port of this server, including this one. */
export function processCount({ SVC_PROCESSES, SVC_LISTEN }: ProcessEnv) {
  // A process that hands connections over has only one receiver.
  return SVC_LISTEN === 'handed' ? 1 : SVC_PROCESSES
}

/** Whether this process is one of several with our supervisor. */
export const isMember = () => cluster.isWorker && processEnvironment()[supervised] === 'yes'

/** The cores that one process can use, for example for threads: its share of the machine. */
export function coresOfProcess() {
  const sharing = isMember() ? processCount(readProcessEnv()) : 1
  return Math.max(1, Math.floor(availableParallelism() / sharing))
}
