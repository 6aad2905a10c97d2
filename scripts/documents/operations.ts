import { authContract } from '../../packages/auth/src/auth-contract.ts'
import type { Declared } from '../../packages/auth/src/capability/contract.ts'
import type { InputSchemas, Operation } from '../../packages/core/src/contract.ts'
import { factsOf } from './error-facts.ts'
import { membersOf, shapeOf, shapes, shortForm } from './shapes.ts'
import { code, table } from './table.ts'

const operations: Record<string, Declared | undefined> = authContract

/** The named operations: how to call each, who may call it, and its answers. */
export function operationParts(names: string[]) {
  return names.map(operationPart).join('\n\n')
}

function operationPart(name: string) {
  const declared = operations[name]
  if (!declared) throw new Error(`There is no operation ${name}.`)
  const { method, path, input, answer, errors } = declared.operation
  const refusals = errors.map((Class) => code(factsOf(Class).name)).join(', ')
  const taken = takes(input)
  return [
    `### ${name}`,
    '',
    `${code(`${method} ${path}`)} · ${code(declared.access)}`,
    '',
    ...(taken ? [`- takes ${taken}`] : []),
    ...(answer ? [`- answers ${answers(answer)}`] : []),
    ...(refusals ? [`- refuses with ${refusals}`] : []),
  ].join('\n')
}

function takes({ query, body, form }: InputSchemas) {
  if (form) return `a form, ${code(shortForm(shapeOf(form)))}`
  if (query) return code(`?${shortForm(shapeOf(query))}`)
  return body ? code(shortForm(shapeOf(body))) : ''
}

function answers({ schema, status, otherStatuses }: NonNullable<Operation['answer']>) {
  const statuses = [status, ...otherStatuses].join(' or ')
  return status === 204 ? statuses : `${statuses} ${code(shortForm(shapeOf(schema)))}`
}

export function shapeRows() {
  const rows = Object.entries(shapes).map(([name, each]) => [name, membersOf(each ?? {})].map(code))
  return table(['Shape', 'Members'], rows)
}
