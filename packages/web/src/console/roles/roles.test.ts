import { createAuthApi, type RoleItem } from '@svc/auth'
import { describe, expect, it } from 'vitest'
import { english as say } from '../../account-pages/account-pages.ts'
import { roleRefusal } from './role-refusal.ts'
import { rolesWith } from './roles-view.tsx'

/** What a call throws when it is answered with this refusal, or not at all. */
function thrownFor(status?: number, type?: string, fields = {}): Promise<unknown> {
  const answer = async () => {
    if (status === undefined) throw new TypeError('fetch failed')
    return Response.json(
      { ...(type && { __type: type }), message: 'Words.', ...fields },
      { status },
    )
  }
  return createAuthApi({ fetch: answer })
    .listRoles.call()
    .catch((error: unknown) => error)
}

async function wordsFor(...refusal: Parameters<typeof thrownFor>) {
  return roleRefusal(say, await thrownFor(...refusal))
}

describe('a refused change of roles', () => {
  it('is told in words', async () => {
    expect(await wordsFor(409, 'RoleAlreadyExistsError', { roleId: 'r' })).toContain('already')
    expect(await wordsFor(403, 'BuiltinRoleError')).toContain('built-in')
    expect(await wordsFor(403, 'ForbiddenError')).toBe('That was refused: Words.')
  })

  it('counts whom a role has to be taken from first', async () => {
    const inUse = (userCount: number) => wordsFor(409, 'RoleInUseError', { userCount })
    expect(await inUse(1)).toContain('have this role: 1.')
    expect(await inUse(2)).toContain('have this role: 2.')
  })

  it('names the rule of the field', async () => {
    const invalid = (path: string) =>
      wordsFor(400, 'ValidationError', { fields: [{ path, message: 'no' }] })
    expect(await invalid('priority')).toContain('whole number')
    expect(await invalid('name')).toContain('starts with a letter')
    expect(await invalid('elsewhere')).toContain('That was wrong')
  })

  it('is none while the API is away', async () => {
    expect(await wordsFor()).toContain('does not answer')
    expect(await wordsFor(503)).toContain('does not answer')
  })
})

describe('the list of roles', () => {
  const role = (name: string, priority: number): RoleItem => ({
    roleId: name,
    name,
    displayName: name,
    priority,
    isBuiltin: false,
    isActive: true,
    permissions: [],
  })
  const names = (roles: RoleItem[]) => roles.map(({ name }) => name)
  const list = [role('top', 90), role('a', 10), role('c', 10)]

  it('takes a new role where the API would have it', () => {
    expect(names(rolesWith(list, role('b', 10)))).toEqual(['top', 'a', 'b', 'c'])
  })

  it('has a changed role once', () => {
    const changed = { ...role('a', 10), displayName: 'Another' }
    expect(rolesWith(list, changed)).toEqual([list[0], changed, list[2]])
  })
})
