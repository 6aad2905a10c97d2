import type { Mutation } from './mutation.ts'

const of = 'mcp'
const through = { of, folder: '', test: 'offers.test.ts' } as const

const chosen = { ...through, title: 'shows and gives only what the user has let the agent do' }
const refused = { ...through, title: 'refuses as the route does, and says nothing of a bug' }
const progress = { ...through, title: 'reports how far a call is, to an agent that has asked' }

/** What an endpoint of the Model Context Protocol keeps from agents, and from their clients. */
export const ofEndpoints: Mutation[] = [
  {
    name: 'a prompt is listed for an agent that may not use it',
    file: 'prompts.ts',
    find: '      .filter(([, { permission }]) => granted.includes(permission))\n',
    replace: '',
    ...chosen,
  },
  {
    name: 'a prompt is given to an agent that may not use it',
    file: 'prompts.ts',
    find: '  if (!granted.includes(found.permission)) throw invalid(lacksPermission(name, found.permission))\n',
    replace: '',
    ...chosen,
  },
  {
    name: 'a client is told what a bug says',
    file: 'serving.ts',
    find: 'if (error instanceof ProtocolError) throw error',
    replace: 'throw error',
    ...refused,
  },
  {
    name: 'an answer of any size is read into memory',
    file: 'answers.ts',
    find: '    if (size > maxBytes) throw new Error(`The answer has more than ${maxBytes} bytes.`)\n',
    replace: '',
    ...refused,
  },
  {
    name: 'a part of an address reaches over a slash',
    file: 'uri-pattern.ts',
    find: '([^/?#]+)',
    replace: '(.+)',
    ...refused,
  },
  {
    name: 'an address that is no UTF-8 is a failure of the server',
    file: 'uri-pattern.ts',
    find: '        return null\n      }\n    },',
    replace: "        throw new Error('Not UTF-8')\n      }\n    },",
    ...refused,
  },
  {
    name: 'a route gets the parts of an address as they are encoded',
    file: 'uri-pattern.ts',
    find: 'decodeURIComponent(value)',
    replace: 'value',
    ...through,
    title: 'reads a resource by its route, in the name of the user',
  },
  {
    name: 'an agent that has not asked is told how far its call is',
    file: 'report.ts',
    find: '  if (progressToken === undefined) return\n',
    replace: '',
    ...progress,
  },
  {
    name: 'what is told of a call has the token of another one',
    file: 'report.ts',
    find: 'const params = { progressToken, progress, ...more }',
    replace:
      'const params = { progressToken: (globalThis.kept ??= progressToken), progress, ...more }',
    ...progress,
  },
  {
    name: 'a client is not told which scope its token lacks',
    file: 'permissions.ts',
    find: 'if (choicesOf(missing).some((names) => challengeScopes(c.raw, names))) {',
    replace: 'if (choicesOf(missing).length > 99) {',
    ...through,
    test: 'authorization.test.ts',
    title: 'gets 403 for .* and all scopes',
  },
]
