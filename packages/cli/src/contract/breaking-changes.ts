import { type Bundle, isObject, type Operation, type Pair, type Schema } from './bundle.ts'
import { schemaChanges } from './schema-changes.ts'

/** The changes that break clients of the earlier contract, one line for each. */
export function breakingChanges({ before, now }: Pair<Bundle>): string[] {
  const types = { before: before.types, now: now.types }
  return [
    ...before.operations.flatMap((old) => {
      const same = now.operations.find(({ name }) => name === old.name)
      if (!same) return [`${old.name}: is gone`]
      const changes = operationChanges({ before: old, now: same }, types)
      return changes.map((change) => `${old.name}: ${change}`)
    }),
    ...factChanges('profile', before.profile, now.profile),
    ...errorChanges({ before: before.errors, now: now.errors }),
  ]
}

function operationChanges({ before, now }: Pair<Operation>, types: Pair<Bundle['types']>) {
  const addresses = [before, now].map(({ method, path }) => `${method} ${path}`)
  const [old, fresh] = addresses
  const input = { before: inputSchema(before.input), now: inputSchema(now.input) }
  return [
    ...(old === fresh ? [] : [`is now ${fresh}; it was ${old}`]),
    ...(before.proof === now.proof ? [] : [now.proof ? 'takes a proof now' : 'takes no proof now']),
    ...schemaChanges(input, { side: 'input', path: 'input', types }),
    ...answerChanges({ before: before.answers, now: now.answers }, types),
  ]
}

/** The parts of the input as members of one object. A declared body is required. */
function inputSchema(parts: Operation['input']): Schema {
  const required = Object.entries(parts).filter(([part, schema]) => {
    return part === 'body' || part === 'form' || isMoreThanNone(schema.required)
  })
  return { type: 'object', properties: parts, required: required.map(([part]) => part) }
}

const isMoreThanNone = (names: unknown) => Array.isArray(names) && names.length > 0

/** Removing a status breaks no client. It is unknown what a client does with a new one. */
function answerChanges({ before, now }: Pair<Operation['answers']>, types: Pair<Bundle['types']>) {
  return Object.entries(now).flatMap(([status, fresh]) => {
    const old = before[status]
    const path = `answer ${status}`
    if (old === undefined) return [`${path} is new`]
    if (old && fresh)
      return schemaChanges({ before: old, now: fresh }, { side: 'answer', path, types })
    if (old === fresh) return []
    return [`${path} ${fresh ? 'has a body now' : 'has no body now'}`]
  })
}

/** A removed error is never answered. Of a new one, clients know the status. */
function errorChanges({ before, now }: Pair<Bundle['errors']>) {
  return Object.entries(before).flatMap(([name, { status }]) => {
    const fresh = now[name]?.status ?? status
    return fresh === status ? [] : [`${name}: is now ${fresh}; it was ${status}`]
  })
}

/** How a proof is made: every fact has to stay, and new ones may be added. */
function factChanges(path: string, before: unknown, now: unknown): string[] {
  if (isObject(before) && isObject(now)) {
    return Object.entries(before).flatMap(([name, fact]) =>
      factChanges(`${path}.${name}`, fact, now[name]),
    )
  }
  if (before === undefined || JSON.stringify(before) === JSON.stringify(now)) return []
  return [`${path}: is now ${JSON.stringify(now) ?? 'gone'}; it was ${JSON.stringify(before)}`]
}
