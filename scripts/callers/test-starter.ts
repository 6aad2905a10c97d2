import { vi } from 'vitest'
import { orgNotices } from '../../apps/starter/api/schema.ts'
import { startTestAuth, type TestAuth } from '../../packages/auth/src/testing.ts'
import { routeTable } from '../../packages/core/src/index.ts'
import { organizations } from '../../packages/organizations/src/contract.ts'
import { type Input, inputs, type Named } from '../../packages/organizations/src/trials/inputs.ts'
import { organizationsOf } from '../../packages/organizations/src/trials/organizations-of.ts'
import {
  askAt,
  type Caller,
  type NewOrganization,
  type People,
  peopleOf,
} from '../../packages/organizations/src/trials/people.ts'

// Read when the starter is loaded: without it, it has no support sessions.
vi.stubEnv('SUPPORT_SESSIONS', 'code')
const { default: definition } = await import('../../apps/starter/api/server.ts')
const { appRouter } = await import('../../apps/starter/api/router.ts')

/** Every operation of the starter. */
export const operations = routeTable(appRouter)

/** The starter's own operations that take an organization. A new one needs a line here. */
const ofBoards: Record<string, (named: Named) => Input> = {
  listOrgNotices: ({ org }) => ({ params: { org } }),
  createOrgNotice: ({ org }) => ({ params: { org }, body: { text: 'New' } }),
}

export const isOfBoard = (name: string) => name in ofBoards

type Operation = (typeof operations)[number]

export const takesOrganization = ({ name, middlewares }: Operation) =>
  name in organizations.operations ||
  middlewares.some(({ documents }) => documents?.tenant !== undefined)

function inputOf({ name }: Operation, named: Named) {
  const input = ofBoards[name] ?? (name in organizations.operations ? inputs[name] : undefined)
  if (!input) throw new Error(`${name} takes an organization. Add a line for it to ofBoards.`)
  return input(named)
}

/** What is on the board of an organization. */
export const noticeOf = ({ mark }: { readonly mark: string }) => `Posted at ${mark}`

type Answer = ReturnType<typeof askAt>

interface Starter extends People, ReturnType<typeof organizationsOf> {
  readonly auth: TestAuth
  /** The names of the callers. */
  readonly columns: readonly string[]
  readonly callerOf: (as: string) => Caller
  readonly ask: (as: string, operation: Operation, input: Input) => Answer
  readonly askIn: (as: string, operation: Operation, named: Named) => Answer
}

/** The starter with its callers, and organizations that have a notice on their boards. */
export async function startStarter(): Promise<Starter> {
  const auth: TestAuth = await startTestAuth({ definition })
  const insertRows: NewOrganization['insertRows'] = (tx, { id, mark }) =>
    tx
      .insert(orgNotices)
      .values({ id, text: noticeOf({ mark }), author: 'ada', createdAt: auth.clock.now() })
  const people = await peopleOf(auth, { scope: 'notice:read', insertRows, asksForCode: true })
  const { callers } = people
  const columns = Object.keys(callers)
  const callerOf = (as: string): Caller => callers[as] ?? {}

  const ask = (as: string, operation: Operation, input: Input) =>
    askAt(auth, callerOf(as), { ...operation.route.operation, input })
  const askIn = (as: string, operation: Operation, named: Named) =>
    ask(as, operation, inputOf(operation, named))

  return {
    ...people,
    ...organizationsOf(auth, people, { insertRows }),
    auth,
    columns,
    callerOf,
    ask,
    askIn,
  }
}
