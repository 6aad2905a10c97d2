import type { Mutation } from './mutation.ts'

const file = 'approvals/store.ts'
const through = { folder: 'approvals', test: 'approvals.test.ts' } as const

/** Calls that the owner of an account approves: once, by whom, with what, and until when. */
export const ofApprovals: Mutation[] = [
  {
    name: 'a call is let in that its owner has not approved',
    file,
    find: "eq(approvals.state, 'approved'), ",
    replace: '',
    ...through,
    title: 'is refused and listed',
  },
  {
    name: 'an approval is not used up by its call',
    file,
    find: "set({ state: 'spent' })",
    replace: "set({ state: 'approved' })",
    test: 'approvals.test.ts',
    title: 'R55:',
  },
  {
    name: 'an approval lets in a call with other values',
    file,
    find: '    eq(approvals.givenHash, givenHash),\n',
    replace: '',
    ...through,
    title: 'is approved with its values alone',
  },
  {
    name: 'an approval lets in another caller',
    file,
    find: '    eq(approvals.asker, asker),\n',
    replace: '',
    ...through,
    title: 'is approved with its values alone',
  },
  {
    name: 'an approval lets in another operation',
    file,
    find: '    eq(approvals.operation, operation),\n',
    replace: '',
    ...through,
    title: 'is for one operation',
  },
  {
    name: 'an approval stays behind a sign-out everywhere',
    file,
    find: 'and(eq(approvals.generation, generation), gt(approvals.expiresAt, now))',
    replace: 'gt(approvals.expiresAt, now)',
    ...through,
    title: 'is void once the account has signed out everywhere',
  },
  {
    name: 'an approval does not expire',
    file,
    find: 'and(eq(approvals.generation, generation), gt(approvals.expiresAt, now))',
    replace: 'eq(approvals.generation, generation)',
    ...through,
    title: 'has ten minutes from the approval',
  },
  {
    name: 'an approval is decided by another account',
    file,
    find: "        eq(approvals.userId, userId),\n        eq(approvals.state, 'pending'),\n",
    replace: "        eq(approvals.state, 'pending'),\n",
    ...through,
    title: 'is the owner’s alone',
  },
  {
    name: 'an approval is decided again',
    file,
    find: "        eq(approvals.state, 'pending'),\n        stands",
    replace: '        stands',
    test: 'approvals.test.ts',
    title: 'is either approved or refused',
  },
  {
    name: 'what the owner refused is asked again at once',
    file,
    find: '...(over && { setWhere: over }),',
    replace: '',
    test: 'approvals.test.ts',
    title: 'is asked of the owner once',
  },
  {
    name: 'two parts of a request with a value of one name are taken as one',
    file: 'approvals/given.ts',
    find: 'new Set(names).size === names.length',
    replace: 'names.length > 0',
    ...through,
    title: 'tells values of one name',
  },
]
