import type { Handlers } from '@svc/auth/server'
import { byCaller, type OrganizationHeld } from '../membership/membership.ts'
import type { ofMembers } from './contract.ts'
import {
  handOver,
  leaveOrganization,
  listMembers,
  removeMember,
  setMemberRoles,
} from './members.ts'

export const memberHandlers: Handlers<typeof ofMembers, OrganizationHeld> = {
  listOrganizationMembers: ({ auth, standing, query }) => listMembers(auth, standing, query),
  async setMemberRoles({ auth, standing, caller, params, body, origin, c }) {
    const { userId } = params
    const { roles: given } = body
    await setMemberRoles(auth, { standing, userId, roles: given, by: byCaller(caller, origin) })
    return c.noContent()
  },
  async removeOrganizationMember({ auth, standing, caller, params, origin, c }) {
    await removeMember(auth, { standing, userId: params.userId, by: byCaller(caller, origin) })
    return c.noContent()
  },
  async leaveOrganization({ auth, standing, caller, origin, c }) {
    await leaveOrganization(auth, { standing, by: byCaller(caller, origin) })
    return c.noContent()
  },
  async handOverOrganization({ auth, standing, caller, body, origin, c }) {
    await handOver(auth, { standing, userId: body.userId, by: byCaller(caller, origin) })
    return c.noContent()
  },
}
