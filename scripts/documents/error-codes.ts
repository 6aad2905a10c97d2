import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { authContract } from '../../packages/auth/src/auth-contract.ts'
import type { Declared } from '../../packages/auth/src/capability/contract.ts'
import { authErrors } from '../../packages/auth/src/error-classes.ts'
import { errorMessages as authMessages } from '../../packages/auth/src/error-messages.ts'
import * as coreErrors from '../../packages/core/src/errors/contract.ts'
import type { HttpError } from '../../packages/core/src/errors/errors.ts'
import { errorMessages as coreMessages } from '../../packages/core/src/server/error-messages.ts'
import { factsOf } from './error-facts.ts'
import { cellsOf, code } from './table.ts'

const reference = resolve(import.meta.dirname, '..', '..', 'docs', 'reference')
const operations: [string, Declared][] = Object.entries(authContract)
/** With more of them, the list says less than its length. */
const mostNamed = 8

/** Each error by its name: its status, what it says, when it is thrown, and what people wrote to do about it. */
export function errorCodeParts([of]: string[], written: string) {
  const classes = of === 'core' ? Object.values(coreErrors) : authErrors
  const thrown = new Map(
    cellsOf(readFileSync(join(reference, 'errors.md'), 'utf8')).map((cells) => [
      cells[0],
      cells.at(-1) ?? '',
    ]),
  )
  const advice = adviceIn(written)
  return classes
    .map((Class) => factsOf(Class))
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map((error) =>
      [
        `### ${error.name}`,
        [String(error.status), ...saidBy(error)].join(' · '),
        `**Thrown when** ${onThisPage(thrown.get(code(error.name)) ?? '')}.`,
        `**What you do:** ${advice.get(error.name) ?? ''}`.trimEnd(),
        ...refusedBy(error.name),
      ].join('\n\n'),
    )
    .join('\n\n')
}

/** What people wrote below each name. */
export function adviceIn(written: string) {
  const parts = written.matchAll(/^### (\w+)\n(.*?)(?=^### |(?![^]))/gms)
  return new Map(
    [...parts].map(([, name = '', part = '']) => [
      name,
      /^\*\*What you do:\*\* (.*)$/m.exec(part)?.[1] ?? '',
    ]),
  )
}

/** What a client reads, where the class has words of its own. */
function saidBy({ name, message }: HttpError) {
  const said = message.replace('undefined', '…') || coreMessages[name] || authMessages[name]
  return said ? [`“${said}”`] : []
}

/** A link within errors.md leads there. */
const onThisPage = (text: string) => text.replaceAll('](#', '](errors.md#')

function refusedBy(name: string) {
  const names = operations
    .filter(([, { operation }]) => operation.errors.some((Class) => factsOf(Class).name === name))
    .map(([operation]) => operation)
  if (names.length === 0) return []
  const few = names
    .slice(0, mostNamed)
    .map((each) => `[${code(each)}](auth.md#${each.toLowerCase()})`)
  const more = names.length - few.length
  return [`**Operations:** ${few.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]
}
