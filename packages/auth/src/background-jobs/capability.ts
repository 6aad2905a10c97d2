import { defineCapability } from '../capability/capability.ts'
import { backgroundJobActs } from './acts.ts'
import { changeJob, listJobQueues, listJobs, readJob } from './background-jobs.ts'
import { backgroundJobContract } from './contract.ts'

export const backgroundJobCapability = defineCapability(backgroundJobContract, {
  audit: backgroundJobActs,
  handlers: {
    listJobQueues: async ({ auth, caller, c }) => {
      await auth.limits.take('job list by account', caller.userId)
      return listJobQueues(c.raw.server.jobs)
    },
    listJobs: async ({ auth, caller, query, c }) => {
      await auth.limits.take('job list by account', caller.userId)
      return listJobs(c.raw.server.jobs, query)
    },
    readJob: async ({ auth, caller, params, c }) => {
      await auth.limits.take('job list by account', caller.userId)
      return readJob(c.raw.server.jobs, params.jobId)
    },
    retryJob: async ({ auth, c, ...request }) => {
      await auth.limits.take('job change by account', request.caller.userId)
      await changeJob(auth, { of: c.raw.server.jobs, to: 'retry' }, request)
      return c.noContent()
    },
    cancelJob: async ({ auth, c, ...request }) => {
      await auth.limits.take('job change by account', request.caller.userId)
      await changeJob(auth, { of: c.raw.server.jobs, to: 'cancel' }, request)
      return c.noContent()
    },
  },
})
