import { challengeScopes, getAccessToken, getAuth, readAccessTokenAgain } from '@svc/auth/server'
import { ForbiddenError, type HandlerContext, missingPermissions, type Tool } from '@svc/core'

/** What the user, or the organization, has let this agent do and may do itself now. */
export function permissionsOf(c: HandlerContext): readonly string[] {
  const { tenant } = getAccessToken(c)
  return tenant ? tenant.permissions : getAuth(c).permissions
}

/** The same for a request that has waited. Nothing if its grant has ended meanwhile. */
export async function permissionsNow(c: HandlerContext): Promise<readonly string[]> {
  const access = await readAccessTokenAgain(c)
  return access?.tenant?.permissions ?? access?.permissions ?? []
}

/** Routes that accept agents: the others are for people, or need a proof that an agent can't give. */
const forAgents = /^(?:approved, )?(?:public|any-key|may |fresh for some, may |in )/

/** Why no agent could call a route, or every one: then the server does not start. */
export function unfitForAgents(tool: Tool): string | undefined {
  return unfit(tool) ?? unfitTask(tool)
}

function unfit({ access, confirm, permissions }: Tool): string | undefined {
  if (!forAgents.test(access)) return `lets no agent in: its access is "${access}".`
  if (confirm && access === 'public') {
    return 'wants each call confirmed, and knows no caller whose owner could: say who may call it, with allow.may.'
  }
  if (permissions.length > 0) return undefined
  return 'asks for no permission. Say which one an agent needs: .tool({ …, permission }).'
}

/** The routes of its job are called for an agent as well, as often as it asks. */
function unfitTask({ task, permissions }: Tool) {
  for (const part of [task?.read, task?.cancel]) {
    if (!part) continue
    const { name, access } = part
    const why = access.startsWith('approved, ')
      ? 'has its owner approve each call.'
      : unfit({ ...part, permissions: [...permissions, ...part.permissions] })
    if (why) return `its task names the route "${name}", which ${why}`
  }
  return undefined
}

/** What an agent names in its request, and what it needs for it. */
export type Needing = Pick<Tool, 'name' | 'permissions'>

/**
 * Refuses a token that lacks a scope which its user can still give. The response says which one, so that the client can
 * ask for it and send the request again (RFC 6750, section 3.1). A refusal within the protocol would only reach the model, which can't get a token.
 */
export function refuseMissingScope(c: HandlerContext, needing: Needing) {
  const missing = missingPermissions(needing, permissionsOf(c))
  // Of several that would do, the first that a token can get is asked for.
  if (choicesOf(missing).some((names) => challengeScopes(c.raw, names))) {
    throw new ForbiddenError({ message: lacks(needing) })
  }
}

/** Each way to take one of every list. */
const choicesOf = (lists: readonly (readonly string[])[]) =>
  lists.reduce<string[][]>(
    (choices, names) => choices.flatMap((choice) => names.map((name) => [...choice, name])),
    [[]],
  )

export const lacks = ({ name, permissions }: Needing) =>
  lacksPermission(name, permissions.join(' and '))

export const lacksPermission = (name: string, permissions: string) =>
  `${name} needs ${permissions}: the account doesn't have it, or hasn't allowed it to you.`
