import { join, resolve } from 'node:path'
import { errorCodeParts } from './error-codes.ts'
import { errorRows, eventRows, limitRows, permissionRows, roleRows } from './lists.ts'
import { operationParts, shapeRows } from './operations.ts'

const root = resolve(import.meta.dirname, '..', '..')

/** The pages that have parts which are read from the code. */
export const generatedPages = ['auth.md', 'errors.md', 'error-codes.md', 'limits.md'].map((name) =>
  join(root, 'docs', 'reference', name),
)

type Part = (names: string[], written: string) => string

const parts: Record<string, Part> = {
  operations: operationParts,
  shapes: shapeRows,
  events: eventRows,
  errors: errorRows,
  codes: errorCodeParts,
  limits: limitRows,
  roles: roleRows,
  permissions: permissionRows,
}

const part = /(<!-- generated: (\w+)(.*?)-->\n)(.*?)(<!-- end of generated -->)/gs

/**
 * The page as the code would have it: replaces what is between the marks, and keeps everything
 * else.
 */
export function generate(page: string) {
  return page.replace(part, (_, begin: string, kind: string, names: string, written, end) => {
    const write = parts[kind]
    if (!write) throw new Error(`There is nothing to generate that is called ${kind}.`)
    return `${begin}\n${write(names.trim().split(/\s+/), written)}\n\n${end}`
  })
}
