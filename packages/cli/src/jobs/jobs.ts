import type { Command } from '../command.ts'
import type { FlagName } from '../flags.ts'
import { type Move, moves } from './moves.ts'

const group = 'Call the API'
const everywhere = ['output', 'api', 'server'] as const satisfies FlagName[]

/** The jobs of all instances, from a terminal. The console has the same. */
export const jobCommands: Record<string, Command> = {
  'jobs queues': {
    group,
    summary: 'Count the jobs that wait, run and have failed',
    details: `By name, with the next run of those that have a schedule. A job that is due may run now; one that
is later waits for its time, or for another try. You need the permission job:read.`,
    flags: [...everywhere],
    run: async (application, given) =>
      (await import('./run-jobs.ts')).listQueues(application, given),
  },
  'jobs list': {
    group,
    summary: 'List jobs, with the error of those that have failed',
    details: `The newest first, 20 at a time; --after goes on where a list has ended. A table has the first line
of an error; --output json has all of it. You need the permission job:read.`,
    flags: ['job', 'state', 'limit', 'after', ...everywhere],
    run: async (application, given) => (await import('./run-jobs.ts')).listJobs(application, given),
  },
  'jobs show': {
    group,
    summary: 'Show a job: its input, and the stack of its error',
    details: `"svc jobs list" has its id. Secrets are replaced, and addresses shortened. You need the
permission job:read.`,
    flags: [...everywhere],
    argument: '<job id>',
    run: async (application, given, jobId) =>
      (await import('./run-jobs.ts')).showJob(application, given, jobId),
  },
  ...Object.fromEntries(
    Object.entries(moves).map(([name, move]) => [`jobs ${name}`, commandOf(move)]),
  ),
}

function commandOf(move: Move): Command {
  return {
    group,
    summary: move.summary,
    details: `"svc jobs list" has its id and its name. ${move.about} You need the permission
job:write. It asks for a fresh proof of you: your password, or the code of your authenticator app.`,
    flags: ['job', ...everywhere],
    argument: '<job id>',
    run: async (application, given, jobId) =>
      (await import('./run-jobs.ts')).changeJob(application, { flags: given, jobId, move }),
  }
}
