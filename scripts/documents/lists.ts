import { authContracts } from '../../packages/auth/src/contracts.ts'
import { authErrors } from '../../packages/auth/src/error-classes.ts'
import * as events from '../../packages/auth/src/events.ts'
import type { LimitName, LimitTable } from '../../packages/auth/src/limits/contract.ts'
import {
  builtinGrants,
  builtinPermissions,
  builtinRoles,
} from '../../packages/auth/src/roles/roles.ts'
import * as coreErrors from '../../packages/core/src/errors/contract.ts'
import { factsOf } from './error-facts.ts'
import { membersOf, shapeOf } from './shapes.ts'
import { code, explainedTable, table } from './table.ts'

export function eventRows(_: string[], written: string) {
  const rows = Object.entries(events).map(([value, { name, schema }]) =>
    [name, value, membersOf(shapeOf(schema))].map(code),
  )
  return explainedTable(['Event', 'Value', 'Payload', 'Emitted when'], { rows, written })
}

export function errorRows([of]: string[], written: string) {
  const classes = of === 'core' ? Object.values(coreErrors) : authErrors
  const rows = classes.map((Class) => {
    const { name, status } = factsOf(Class)
    return [code(name), String(status)]
  })
  return explainedTable(['Class', 'Status', 'Fields', 'Thrown when'], { rows, written })
}

export function limitRows() {
  const limitTable: LimitTable = Object.assign({}, ...authContracts.map(({ limits }) => limits))
  const names = Object.keys(limitTable).map((name) => name.split(' by ')[0] ?? '')
  const limitOf = (name: string) => limitTable[name as LimitName]?.limit
  const rows = [...new Set(names)].map((name) => {
    const of = (...subjects: string[]) =>
      String(subjects.flatMap((subject) => limitOf(`${name} by ${subject}`) ?? [])[0] ?? '–')
    const ofBoth = of('account and address', 'target and address')
    return [name, of('account', 'target'), of('address'), ofBoth, of('known browser'), of('server')]
  })
  const whom = ['By account or target', 'By address', 'By both', 'By known browser', 'For all']
  return table(['What', ...whom], rows)
}

export function roleRows() {
  const grants: Record<string, readonly string[]> = builtinGrants
  const rows = builtinRoles.map(({ name, priority }) => {
    const granted = grants[name]?.map(code).join(', ')
    return [code(name), String(priority), granted ?? 'always all, also those of your app']
  })
  return table(['Role', 'Priority', 'Permissions on the first start'], rows)
}

export function permissionRows() {
  const rows = builtinPermissions.map(({ name, category, displayName }) => [
    code(name),
    code(category),
    displayName,
  ])
  return table(['Permission', 'Category', 'Meaning'], rows)
}
