import { readdirSync, readFileSync } from 'node:fs'
import { type AnySchema, type HttpError, t } from '@svc/core'
import type { ErrorClass, InputSchemas, Operation } from '@svc/core/contract'
import { describe, expect, it } from 'vitest'
import type { Declared } from './access.ts'
import { AuditItem } from './audit/contract.ts'
import { authContract } from './contract.ts'
import { authErrors } from './error-classes.ts'
import * as events from './events.ts'
import { KeyListItem, keyFields } from './keys/contract.ts'
import { KeyedLoginResult, LoginResult } from './login/contract.ts'
import { PasskeyItem } from './passkeys/contract.ts'
import { builtinGrants, builtinPermissions, builtinRoles } from './roles/builtin-roles.ts'
import { RoleItem } from './roles/contract.ts'
import { SocialAccountItem } from './social/contract.ts'
import {
  AuthenticationResponse,
  CreationOptions,
  RegistrationResponse,
  RequestOptions,
} from './webauthn/response-schemas.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

/** The rows of a page, or of one of its sections. */
function rowsOf(page: string, heading?: string) {
  const text = read(`../../../docs/reference/${page}`)
  const sections = text.split(/^## /m)
  const section = heading ? sections.find((each) => each.startsWith(`${heading}\n`)) : text
  return section?.match(/^\| `.*\|$/gm) ?? []
}

const code = (text: string) => `\`${text}\``
const row = (...cells: string[]) => `| ${cells.join(' | ')} |`

/** As much of JSON schema as the contract has. */
interface Shape {
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  anyOf?: Shape[]
}

// What TypeBox makes is a JSON schema, which its types do not say.
const shape = (schema: AnySchema | undefined) => (schema ?? {}) as Shape
const answerOf = (name: keyof typeof authContract) =>
  shape(authContract[name].operation.answer?.schema)

const Key = shape(t.Object(keyFields))
const shapes: Record<string, Shape | undefined> = {
  Key,
  LoginResult: shape(LoginResult),
  KeyedLoginResult: shape(KeyedLoginResult),
  Session: answerOf('getAuthSession'),
  KeyItem: shape(KeyListItem),
  Profile: answerOf('getUserProfile'),
  ProfileChanges: shape(authContract.updateUserProfile.operation.input.body),
  Role: shape(RoleItem),
  AuditItem: shape(AuditItem),
  WaitingDevice: answerOf('getDeviceAuthInfo'),
  Invitation: answerOf('cancelInvitation'),
  Passkey: shape(PasskeyItem),
  SocialAccount: shape(SocialAccountItem),
  CreationOptions: shape(CreationOptions),
  RequestOptions: shape(RequestOptions),
  RegistrationResponse: shape(RegistrationResponse),
  AuthenticationResponse: shape(AuthenticationResponse),
  MfaStatus: answerOf('mfaStatus'),
  SessionBinding: answerOf('getSessionBinding'),
  Page: answerOf('listAuditEvents').properties?.meta?.properties?.pagination,
}

/** `{ userId, email?, role: Role }`. */
function membersOf({ properties, required = [], anyOf }: Shape): string {
  if (anyOf) return anyOf.map(membersOf).join(' or ')
  if (!properties) return '{ … }'
  const members = Object.entries(properties).map(([name, member]) => {
    const isNested = (member.items ?? member).properties
    return `${name}${required.includes(name) ? '' : '?'}${isNested ? `: ${shortForm(member)}` : ''}`
  })
  return `{ ${members.join(', ')} }`
}

const keyMembers = membersOf(Key).slice(2, -2)

/** The same, with a name in the place of what has one. */
function shortForm(schema: Shape): string {
  if (schema.items) return `${shortForm(schema.items)}[]`
  const text = JSON.stringify(schema)
  const [name] = Object.entries(shapes).find(([, each]) => JSON.stringify(each) === text) ?? []
  return name ?? membersOf(schema).replace(keyMembers, '...Key')
}

function takes({ query, body, form }: InputSchemas) {
  if (form) return `form ${code(shortForm(shape(form)))}`
  if (query) return code(`?${shortForm(shape(query))}`)
  return body ? code(shortForm(shape(body))) : '–'
}

function answers({ schema, status, otherStatuses }: NonNullable<Operation['answer']>) {
  const statuses = [status, ...otherStatuses].join(' or ')
  return status === 204 ? statuses : `${statuses} ${code(shortForm(shape(schema)))}`
}

const factsOf = (Class: ErrorClass) =>
  new (Class as unknown as new (given: object) => HttpError)({})

function operationRow([name, { access, operation }]: [string, Declared]) {
  const { method, path, input, answer, errors } = operation
  const refusals = errors.map((Class) => code(factsOf(Class).name))
  return row(
    code(name),
    code(`${method} ${path}`),
    code(access),
    takes(input),
    answer ? answers(answer) : '',
    refusals.join(', ') || '–',
  )
}

describe('docs/reference/auth.md', () => {
  it('has every operation: who may call it, what it takes, answers and refuses with (A-008)', () => {
    const listed = rowsOf('auth.md').filter((line) => /^\| `\w+` \| `[A-Z]+ \//.test(line))
    const operations = Object.entries<Declared>(authContract).map(operationRow)
    expect(listed.toSorted()).toEqual(operations.toSorted())
  })

  it('has every shape that it names', () => {
    const named = Object.entries(shapes).map(([name, each]) =>
      row(code(name), code(membersOf(each ?? {}))),
    )
    expect(rowsOf('auth.md', 'Shapes')).toEqual(named)
  })

  it('says of every operation that changes something what the same call again answers', () => {
    const readers =
      'getAuthSession listKeys checkUsername getUserProfile listRoles listAuditEvents ' +
      'confirmRevokeAllLink getDeviceAuthInfo listInvitations getInvitation exportUserData ' +
      'confirmContactUndoLink listPasskeys mfaStatus mfaStatusOfDevice getSessionBinding ' +
      'providers listSocialAccounts getOAuth2Authorize listOAuth2Grants'
    const listed = rowsOf('auth.md', 'Sent again').join('\n')
    const named = Object.keys(authContract).filter((name) => listed.includes(code(name)))
    expect([...named, ...readers.split(' ')].toSorted()).toEqual(
      Object.keys(authContract).toSorted(),
    )
  })

  it('has every event with its payload (A-351)', () => {
    const emitted = Object.entries(events).map(([value, { name, schema }]) =>
      [name, value, membersOf(shape(schema))].map(code).join(' | '),
    )
    const listed = rowsOf('auth.md', 'Events').map((line) => line.split(' | ').slice(0, 3))
    expect(listed.map((cells) => cells.join(' | ').slice(2))).toEqual(emitted)
  })

  it('has the built-in roles and permissions, and what is granted (A-059)', () => {
    const grants: Record<string, readonly string[]> = builtinGrants
    const roles = builtinRoles.map(({ name, priority }) => {
      const granted = grants[name]?.map(code).join(', ')
      return row(
        code(name),
        String(priority),
        granted ?? "all there are, an application's too, always",
      )
    })
    const permissions = builtinPermissions.map(({ name, category, displayName }) =>
      row(code(name), code(category), displayName),
    )
    expect(rowsOf('auth.md', 'Roles and permissions')).toEqual([...roles, ...permissions])
  })

  it('has every act of the audit trail, and no other', () => {
    const files = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' })
    const written = files
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .flatMap((path) => [...read(`./${path}`).matchAll(/\bact(?:: | = )(['`])(.+?)\1/g)])
      .map(([, , act = '']) => act)
      // The one that is composed.
      .flatMap((act) => (act.startsWith('key.$') ? ['key.revoked', 'key.logout'] : [act]))
    const listed = rowsOf('auth.md', 'The audit trail').map((line) => line.split('`')[1] ?? '')
    expect(listed.toSorted()).toEqual([...new Set(written)].toSorted())
  })
})

describe('docs/reference/errors.md', () => {
  it('has every error class of sign-in with its status, and no other (A-371)', () => {
    const begin = /^\| `\w+` \| \d+ \|/
    const listed = rowsOf('errors.md', 'Sign-in').map((line) => begin.exec(line)?.[0] ?? line)
    const classes = authErrors.map(factsOf).map(({ name, status }) => row(code(name), `${status}`))
    expect(listed.toSorted()).toEqual(classes.toSorted())
  })
})
