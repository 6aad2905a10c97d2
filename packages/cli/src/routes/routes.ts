import { accessTable, documentedRoutes, type RouteAccess } from '@svc/core'
import type { Application } from '../application/application.ts'
import type { Flags } from '../flags.ts'
import { printDocument } from '../print-document.ts'
import { aligned, paint } from '../terminal.ts'

/** Prints every route of the application, its packages and the server, and who may call it. */
export async function printRoutes({ definition }: Application, { json }: Flags) {
  const table = accessTable(documentedRoutes(definition))
  if (json) await printDocument(table, undefined)
  else console.log(drawn(table))
  return 0
}

function drawn(table: readonly RouteAccess[]) {
  const cells = table.map((row) => [
    row.method,
    row.path,
    row.name,
    whoMayCall(row),
    row.counted ?? '',
  ])
  const header = ['Method', 'Path', 'Name', 'Who may call', 'Limit']
  const [first = [], ...lines] = aligned([header, ...cells])
  return [first.map((cell) => paint('bold', cell)), ...lines]
    .map((row) => row.join('   ').trimEnd())
    .join('\n')
}

/** In parentheses if only the middleware says it. */
function whoMayCall({ access, credentials, permissions }: RouteAccess) {
  if (access !== null) return access
  const who = credentials === null ? 'unknown' : named(credentials)
  const needed = permissions.length > 0 ? `, may ${permissions.join(' and ')}` : ''
  return `(${who}${needed})`
}

function named(credentials: readonly (readonly string[])[]) {
  const isPublic = credentials.length === 0
  const ways = credentials.map((schemes) => schemes.join(' + ') || 'public')
  return isPublic ? 'public' : ways.join(' or ')
}
