import { DefinitionError } from '@svc/core'
import { coreActs } from '../caller/caller.ts'
import type { Capability } from '../capability/capability.ts'
import type { Declared } from '../capability/contract.ts'
import type { LimitTable } from '../limits/contract.ts'

/**
 * Refuses a list in which two capabilities use one name for something: one would hide the other.
 */
export function checkCapabilities(list: readonly Capability[]) {
  const problems = [
    ...twice('name', list, ({ contract }) => [contract.name]),
    ...twice('operation', list, ({ contract }) => Object.keys(contract.operations)),
    ...twice('variable', list, ({ parts }) => Object.keys(parts.env ?? {})),
    ...twice('job', list, ({ parts }) => Object.keys(parts.jobs ?? {})),
    ...twice('kind of mailed link', list, ({ parts }) => Object.keys(parts.linkMails ?? {})),
    ...twice('part of the export', list, ({ parts }) => Object.keys(parts.account?.export ?? {})),
    ...twice('act of the audit trail', list, ({ parts }) => parts.audit ?? []),
    ...twice('permission', list, ({ parts }) => (parts.permissions ?? []).map(({ name }) => name)),
    ...twice('reader of a standing', list, ({ parts }) => (parts.standing ? ['standing'] : [])),
    ...unreadTenants(list),
    ...actsOfTheCore(list),
    ...unequalLimits(list),
    ...repeated(list),
  ]
  if (problems.length > 0) throw new DefinitionError(problems)
}

/** Refuses tables without a migration: ours are in the migrations of sign-in. */
export function checkMigrations(further: readonly Capability[]) {
  const problems = further
    .filter(({ parts: { tables, migrations } }) => tables && !migrations)
    .map(
      ({ contract: { name } }) =>
        `createAuthLifecycle: the capability ${name} has tables and no folder for their migrations: write migrations: new URL('./migrations/', import.meta.url).`,
    )
  if (problems.length > 0) throw new DefinitionError(problems)
}

function twice(
  what: string,
  list: readonly Capability[],
  namesOf: (capability: Capability) => readonly string[],
) {
  const owners = new Map<string, string>()
  return list.flatMap((capability) =>
    namesOf(capability).flatMap((name) => {
      const owner = owners.get(name)
      owners.set(name, capability.contract.name)
      if (owner === undefined) return []
      return [
        `createAuthLifecycle: the capabilities ${owner} and ${capability.contract.name} both have the ${what} "${name}"`,
      ]
    }),
  )
}

/**
 * Its handlers write by the capability's own database, instead of the transaction that stores the
 * response.
 */
function repeated(list: readonly Capability[]) {
  return list.flatMap(({ contract }) =>
    Object.entries<Declared>(contract.operations)
      .filter(([, { operation }]) => operation.isIdempotent)
      .map(
        ([name]) =>
          `createAuthLifecycle: the operation ${name} of the capability ${contract.name} is .idempotent(), which is for routes of an application`,
      ),
  )
}

function actsOfTheCore(list: readonly Capability[]) {
  return list.flatMap(({ contract, parts }) =>
    (parts.audit ?? [])
      .filter((act) => coreActs.some((each) => each === act))
      .map(
        (act) =>
          `createAuthLifecycle: the capability ${contract.name} declares "${act}", which sign-in itself writes into the audit trail`,
      ),
  )
}

/** Without the reader, every caller would be refused as if there were no tenant. */
function unreadTenants(list: readonly Capability[]) {
  const isRead = list.some(({ parts }) => parts.standing)
  return list
    .filter(({ contract }) => contract.tenant && !isRead)
    .map(
      ({ contract }) =>
        `createAuthLifecycle: the capability ${contract.name} asks for members of the tenant "${contract.tenant?.name}", and no capability reads a standing: add the capability that the tenant belongs to`,
    )
}

/** Several may count by one limit, if it is the same in all. */
function unequalLimits(list: readonly Capability[]) {
  const known = new Map<string, string>()
  return list.flatMap(({ contract }) =>
    Object.entries(contract.limits).flatMap(([name, limit]) => {
      const text = JSON.stringify(limit)
      const isOther = known.has(name) && known.get(name) !== text
      known.set(name, text)
      return isOther
        ? [
            `createAuthLifecycle: the capability ${contract.name} has another limit "${name}" than one before it`,
          ]
        : []
    }),
  )
}

/** Every limit of the capabilities. */
export function limitsOf(list: readonly Capability[]): LimitTable {
  return Object.assign({}, ...list.map(({ contract }) => contract.limits))
}
