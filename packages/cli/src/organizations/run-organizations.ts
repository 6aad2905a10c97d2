import type { ServerDefinition } from '@svc/core'
import type { CallInput } from '@svc/core/client'
import type { Application } from '../application/application.ts'
import { callNamed, operationsOf, queryOf } from '../call/call.ts'
import { CommandFailure, UsageError } from '../failure.ts'
import { findUser } from '../find-user.ts'
import { type Flags, flags as known } from '../flags.ts'
import { printJson, printTable, printText } from '../print-answer.ts'
import type { Act } from './acts.ts'
import {
  type Details,
  describeOrganization,
  type Member,
  type Organization,
} from './describe-organization.ts'

interface Page<Item> {
  items: Item[]
  next?: string
}

/** By its name: this package does not know the one of organizations. */
async function ask<Answer>(
  definition: ServerDefinition,
  { flags, name, input }: { flags: Flags; name: string; input: CallInput },
) {
  if (!Object.hasOwn(operationsOf(definition), name)) {
    throw new CommandFailure(
      'This application has no organizations. Add @svc/organizations to its server definition.',
    )
  }
  return (await callNamed(definition, { flags, name, input })) as Answer
}

export async function listOrganizations({ definition }: Application, flags: Flags) {
  const { 'organization-name': name, slug, member, 'organization-state': state } = flags
  const userId = member?.includes('@') ? (await findUser(definition, flags, member)).userId : member
  const query = queryOf({ name, slug, userId, state, limit: flags.limit, after: flags.after })
  const asked = { flags, name: 'searchOrganizations', input: { query } }
  const page = await ask<Page<Organization>>(definition, asked)
  if (flags.output === 'json') return printJson(page)
  if (page.items.length === 0) {
    return printText('No organization is like that. Give less of the name or slug.')
  }
  printTable(
    ['Organization id', 'Name', 'Slug', 'State', 'Created'],
    page.items.map((each) => [
      each.organizationId,
      each.name,
      each.slug,
      each.isClosedByOperator ? 'closed by an operator' : each.state,
      each.createdAt,
    ]),
  )
  return page.next === undefined ? 0 : printText(`\nThere are more: add --after ${page.next}`)
}

export async function showOrganization({ definition }: Application, flags: Flags, wanted: string) {
  const { organizationId } = await findOrganization(definition, flags, wanted)
  const params = { organizationId }
  const asked = { flags, name: 'readAnyOrganization', input: { params } }
  const organization = await ask<Details>(definition, asked)
  if (flags.output === 'json') return printJson(organization)
  const { items: owners } = await ask<Page<Member>>(definition, {
    flags,
    name: 'listAnyOrganizationMembers',
    input: { params, query: { role: 'owner' } },
  })
  return printText(describeOrganization(organization, owners))
}

export async function actOn(
  { definition }: Application,
  { flags, organization: wanted, act }: { flags: Flags; organization: string; act: Act },
) {
  const missing = act.flags.find((flag) => flags[flag] === undefined)
  if (missing) throw new UsageError(`This needs --${missing} ${known[missing].value}`)
  const { reason, user } = flags
  const { organizationId, name } = await findOrganization(definition, flags, wanted)
  const userId = user?.includes('@') ? (await findUser(definition, flags, user)).userId : user
  const input = { params: { organizationId }, body: { reason, ...(userId && { userId }) } }
  const asked = { flags, name: act.operation, input }
  const told = (await ask<{ purgeAt?: string } | undefined>(definition, asked)) ?? {}
  if (flags.output === 'json') return printJson({ organizationId, ...told })
  return printText(act.done(name, { ...told, ...(user && { user }) }))
}

const isId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The organization of an id, or of a whole slug. */
async function findOrganization(definition: ServerDefinition, flags: Flags, wanted: string) {
  if (isId.test(wanted)) {
    const input = { params: { organizationId: wanted } }
    return ask<Organization>(definition, { flags, name: 'readAnyOrganization', input })
  }
  // Longer slugs begin with it too, and come after it.
  const input = { query: { slug: wanted, limit: 1 } }
  const asked = { flags, name: 'searchOrganizations', input }
  const { items } = await ask<Page<Organization>>(definition, asked)
  const [found] = items.filter(({ slug }) => slug === wanted.toLowerCase())
  if (found) return found
  throw new CommandFailure(
    `There is no organization "${wanted}". "svc organizations list" finds them by a part of their name.`,
  )
}
