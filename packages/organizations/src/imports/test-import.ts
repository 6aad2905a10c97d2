import { createAuthLifecycle } from '@svc/auth/server'
import type { TestUser } from '@svc/auth/testing'
import type { ImportedLine, UserImport } from '@svc/core'
import { organizations as capability } from '../capability.ts'
import { type Auth, stepsOf } from '../test-organizations.ts'
import type { Line } from './run.ts'

interface Wanted {
  readonly from?: string
  readonly container?: UserImport['container']
  readonly dryRun?: boolean
  readonly roles?: string
}

async function* inPieces(text: string) {
  for (let at = 0; at < text.length; at += 11) yield text.slice(at, at + 11)
}

async function collected(rows: AsyncIterable<ImportedLine>) {
  const all: Line[] = []
  for await (const row of rows) all.push(row as Line)
  return all
}

/** What `svc organizations import` and `svc users import` do, beside a server that runs. */
export function importsBeside(auth: Auth) {
  const { database } = auth.infrastructure
  if (!database) throw new Error('There is no database.')
  const lifecycle = createAuthLifecycle({ capabilities: [capability({ maxMembers: 4 })] })
  const run = (
    what: ((given: UserImport) => AsyncIterable<ImportedLine>) | undefined,
    text: string,
    { from = 'own', container = 'jsonl', dryRun = false, roles }: Wanted,
  ) => {
    if (!what) throw new Error('Nothing imports this.')
    const options = { 'role-names': roles }
    const file = { text: inPieces(text), container, from, dryRun, options }
    return collected(what({ database, clock: auth.clock, ...file }))
  }
  return {
    organizations: (text: string, wanted: Wanted = {}) =>
      run(lifecycle.imports?.['organizations'], text, wanted),
    users: (text: string, wanted: Wanted = {}) => run(lifecycle.importUsers, text, wanted),
  }
}

/** The members of an organization, as one of them sees it. */
export function membersIn(auth: Auth) {
  const { apiOf } = stepsOf(auth)
  return async (user: TestUser, org: string) => {
    const list = apiOf(user).listOrganizationMembers.call({ params: { org }, query: {} })
    return (await list).items.map(({ userId, roles }) => ({ userId, roles }))
  }
}

export const short = () => crypto.randomUUID().slice(0, 8)

export const jsonLines = (...records: object[]) =>
  records.map((record) => JSON.stringify(record)).join('\n')

/** Each result in short: `2 member created`, or `3 member refused user_unknown`. */
export const told = (lines: readonly Line[]) =>
  lines.map(({ line, kind, outcome, reason }) =>
    [line, kind, outcome, reason].filter((each) => each !== undefined).join(' '),
  )
