import type { Mutation } from './mutation.ts'

const file = 'oauth2/budgets.ts'
const through = { folder: 'oauth2', test: 'budgets.test.ts' } as const

/** How much an agent may do, and who may read it. */
export const ofBudgets: Mutation[] = [
  {
    name: 'the calls of an agent are not counted',
    file,
    find: "kind === 'calls' ? 1 : 0",
    replace: "kind === 'calls' ? 0 : 0",
    ...through,
    title: 'of sixteen at once, lets in what is left and no more',
  },
  {
    name: 'the rows that an agent reads are not counted',
    file,
    find: '() => rowsIn(answer.value)',
    replace: '() => 0',
    ...through,
    title: 'are counted once they are read',
  },
  {
    name: 'the rows of a list further inside an answer are not counted',
    file,
    find: 'Object.values(value ?? {}).flatMap(lengthsIn)',
    replace: '[]',
    ...through,
    title: 'are counted wherever the answer has its list',
  },
  {
    name: 'rows that are used up refuse nothing',
    file,
    find: 'counted.count >= limit',
    replace: 'false',
    ...through,
    title: 'are counted once they are read',
  },
  {
    name: 'what an agent has passed on has a budget of its own',
    file,
    find: 'actors?.at(-1) ?? clientId',
    replace: 'clientId',
    ...through,
    title: 'count what it has passed on to another client as its own',
  },
  {
    name: 'all agents of an account have one budget',
    file,
    find: '  actors?.at(-1) ?? clientId,\n',
    replace: '',
    ...through,
    title: 'count by the agent and the account',
  },
  {
    name: 'all accounts have one budget for an agent',
    file,
    find: '  tenant ?? userId,\n',
    replace: '',
    ...through,
    title: 'count by the agent and the account',
  },
  {
    name: 'connecting an agent again for an organization gives it another budget',
    file,
    find: 'tenant ?? userId',
    replace: 'userId',
    testedIn: 'organizations',
    folder: 'service-accounts',
    test: 'agent-budgets.test.ts',
    title: 'gives it no other budget',
  },
  {
    name: 'the rows in the answers of tools are not counted',
    file: 'authenticate/authenticate.ts',
    find: `    const answered = await admit(raw)
    await next()
    await answered?.(raw)
  },
  { documents: signedRequest },`,
    replace: `    await admit(raw)
    await next()
  },
  { documents: signedRequest },`,
    ...through,
    title: 'are counted in what a tool answers',
  },
  {
    name: 'a grant is described with the acts of the whole account',
    file: 'audit/list-agent-acts.ts',
    find: "sql`${details} -> 'agent' ->> 'grantId' = ${grantId}`",
    replace: 'sql`true`',
    ...through,
    title: 'shows no act of the account itself',
  },
  {
    name: 'a grant is described that has ended',
    file: 'oauth2/grants/store.ts',
    find: `  const isIt = and(eq(oauth2Grants.grantId, grantId), eq(oauth2Grants.state, 'active'))`,
    replace: '  const isIt = eq(oauth2Grants.grantId, grantId)',
    ...through,
    title: 'answers the same 404',
  },
  {
    name: 'a grant of another account is described',
    file: 'oauth2/grants/store.ts',
    find: '.where(and(isIt, stands(account), isBelowStanding))',
    replace: '.where(isIt)',
    ...through,
    title: 'answers the same 404',
  },
]
