import type { Mutation } from './mutation.ts'

/** Guards that keep organizations apart. That of a table is in the database: `trials/fuzz` of the package removes it. */
export const ofOrganizations: Mutation[] = [
  {
    of: 'core',
    name: 'the organization of a statement is left on its connection',
    file: 'database/settings.ts',
    find: '$${2 * at + 2}, true)`',
    replace: '$${2 * at + 2}, false)`',
    testedIn: 'organizations',
    folder: 'fence',
    test: 'fence.test.ts',
    title: 'leaves nothing on its connection, also if it fails',
  },
  {
    name: 'a membership is remembered from one request to the next',
    file: 'authenticate/accept-caller.ts',
    find: '  if (row.standing) setStanding(raw, row.standing)\n',
    replace: `  const kept = (globalThis.keptStandings ??= new Map())
  const place = row.userId + raw.req.target
  if (row.standing && !kept.has(place)) kept.set(place, row.standing)
  if (kept.has(place)) setStanding(raw, kept.get(place))
`,
    testedIn: 'organizations',
    folder: 'organizations',
    test: 'organizations.test.ts',
    title: 'count on the next request, on every instance',
  },
  {
    of: 'organizations',
    name: 'a member who has left still follows the channels',
    file: 'capability.ts',
    find: '    memberChanged.subscribe(({ userId }) => streams.reauthorize(userId)),\n',
    replace: '',
    folder: '',
    test: 'streams.test.ts',
    title: 'ends with the membership within a second',
  },
  {
    of: 'organizations',
    name: 'the channels of a closed organization stay open',
    file: 'capability.ts',
    find: '        streams.reauthorize(userId)\n      }',
    replace: '      }',
    folder: '',
    test: 'streams.test.ts',
    title: 'ends with the membership within a second',
  },
  {
    of: 'organizations',
    name: 'a machine follows the channels of its owner’s organizations',
    file: 'allow.ts',
    find: '  if (isMachine && !(await findProgram(db, membership))) return false\n',
    replace: '',
    folder: 'trials',
    test: 'access.test.ts',
    title: 'is open to its members alone',
  },
]
