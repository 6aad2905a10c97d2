/**
 * The thousand operations, independent of any peer. Every peer gets the same inputs, answers and
 * calls.
 */
export type Kind = 'string' | 'uuid' | 'email' | 'integer' | 'number' | 'boolean' | 'role' | 'tags'
export type Fields = Record<string, Kind>

export interface Shape {
  index: number
  group: number
  name: string
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Without the parameter, which is `/:id` at the end. */
  path: string
  params?: Fields
  query?: Fields
  body?: Fields
  answers: 'object' | 'success' | 'page'
  refuses: boolean
}

export const groupSize = 25

const person: Fields = { name: 'string', email: 'email', age: 'integer', role: 'role' }
const page: Fields = { page: 'integer', search: 'string' }
const id: Fields = { id: 'uuid' }

type Kinds = Pick<Shape, 'method' | 'params' | 'query' | 'body' | 'answers' | 'refuses'>

const cycle: Kinds[] = [
  { method: 'get', params: id, answers: 'object', refuses: false },
  { method: 'get', query: page, answers: 'page', refuses: false },
  { method: 'post', body: person, answers: 'success', refuses: false },
  { method: 'put', params: id, body: person, answers: 'object', refuses: true },
  { method: 'delete', params: id, answers: 'success', refuses: true },
  { method: 'get', params: id, query: page, answers: 'page', refuses: false },
  {
    method: 'post',
    body: { ...person, score: 'number', tags: 'tags' },
    answers: 'object',
    refuses: true,
  },
  {
    method: 'patch',
    params: id,
    body: { name: 'string', active: 'boolean' },
    answers: 'success',
    refuses: false,
  },
]

export function shapes(count: number): Shape[] {
  return Array.from({ length: count }, (_, index) => {
    const kinds = cycle[index % cycle.length] as Kinds // the index is within the cycle
    const group = Math.floor(index / groupSize)
    // With a field of its own, no schema and no answer shares its type with another route.
    const body = kinds.body && { ...kinds.body, [`field${index}`]: 'string' as const }
    return {
      ...kinds,
      ...(body ? { body } : {}),
      index,
      group,
      name: `operation${index}`,
      path: `/group${group}/operation${index}`,
    }
  })
}

export function grouped(all: Shape[]): Shape[][] {
  return Array.from({ length: Math.ceil(all.length / groupSize) }, (_, group) =>
    all.filter((shape) => shape.group === group),
  )
}

export function parts(shape: Shape) {
  return (['params', 'query', 'body'] as const).filter((part) => shape[part] !== undefined)
}

const samples: Record<Kind, string> = {
  string: "'text'",
  uuid: "'7f3b8f0a-2c1d-4e5f-8a9b-0c1d2e3f4a5b'",
  email: "'grace@example.com'",
  integer: '3',
  number: '4.5',
  boolean: 'true',
  role: "'editor' as const",
  tags: "['a', 'b']",
}

export function sample(fields: Fields): string {
  const entries = Object.entries(fields).map(([name, kind]) => `${name}: ${samples[kind]}`)
  return `{ ${entries.join(', ')} }`
}

/** The value of a handler's answer, made from its `params`, `query` and `body`. */
export function value(shape: Shape): string {
  const from = [
    ...(shape.params ? ['id: params.id'] : []),
    ...(shape.query ? ['searched: query.search'] : []),
    ...(shape.body ? ['name: body.name'] : []),
  ]
  return `{ ${from.join(', ')}, value${shape.index}: ${shape.index}, nested: { names: ['a'], at: 1 } }`
}

/** The same as `c.success` and `c.paginated`, for peers without them. */
export function plainAnswer(shape: Shape): string {
  if (shape.answers === 'object') return value(shape)
  if (shape.answers === 'success') return `{ success: true as const, data: ${value(shape)} }`
  const meta = '{ pagination: { page: 1, limit: 20, total: 100, totalPages: 5 } }'
  return `{ success: true as const, data: [${value(shape)}], meta: ${meta} }`
}

/** Shows that a client knows the type of `answer`. */
export function use(shape: Shape): string {
  const field = `value${shape.index}`
  if (shape.answers === 'object') return `total += answer.${field} + answer.nested.names.length`
  if (shape.answers === 'success') return `total += answer.data.${field} + answer.data.nested.at`
  return `total += (answer.data[0]?.${field} ?? 0) + answer.meta.pagination.total`
}

/**
 * The calls of a client, in a function for each group, as an application has them. In one function
 * of a thousand calls, a fifth of the time would go to control flow analysis: from each name back
 * through all the code before it.
 */
export function clientOf(all: Shape[], callOf: (shape: Shape) => string) {
  return grouped(all)
    .map((group, index) => {
      const calls = group.map(callOf).join('\n')
      return `export async function callGroup${index}() {\nlet total = 0\n${calls}\nreturn total\n}`
    })
    .join('\n')
}

export interface Peer {
  name: string
  label: string
  /** Every file of the application and its client, by name. */
  files(all: Shape[]): Record<string, string>
}
