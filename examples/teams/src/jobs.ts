import { mailUser } from '@svc/auth/server'
import { defineJob, defineJobRouter, t } from '@svc/core'
import { removedMail } from './mail.ts'
import { nameOf, teamsOf } from './store.ts'

/** Tells a user that the owner has removed them from a team, unless they are a member again. */
export const tellRemoved = defineJob('teams.tell-removed')
  .input(t.Object({ teamId: t.String(), userId: t.String() }))
  .handler(async ({ teamId, userId }, { db }) => {
    const isBack = (await teamsOf(db, userId)).some((team) => team.teamId === teamId)
    const name = isBack ? null : await nameOf(db, teamId)
    if (name !== null) await mailUser(db, removedMail, { userId, data: { name } })
  })

export const teamJobs = defineJobRouter({ tellRemoved })
