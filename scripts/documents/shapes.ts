import { AuditItem } from '../../packages/auth/src/audit/contract.ts'
import { authContract } from '../../packages/auth/src/auth-contract.ts'
import { KeyedLoginResult, LoginResult } from '../../packages/auth/src/capability/contract.ts'
import { KeyListItem, keyFields } from '../../packages/auth/src/capability/fields.ts'
import { PasskeyItem } from '../../packages/auth/src/passkeys/contract.ts'
import { RoleItem } from '../../packages/auth/src/roles/contract.ts'
import { SocialAccountItem } from '../../packages/auth/src/social/contract.ts'
import {
  AuthenticationResponse,
  CreationOptions,
  RegistrationResponse,
  RequestOptions,
} from '../../packages/auth/src/webauthn/fields.ts'
import { type AnySchema, t } from '../../packages/core/src/contract.ts'

/** The part of JSON Schema that the contract uses. */
export interface Shape {
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  anyOf?: Shape[]
}

// TypeBox's values are JSON schemas, but its types do not say so.
export const shapeOf = (schema: AnySchema | undefined) => (schema ?? {}) as Shape

const answerOf = (name: keyof typeof authContract) =>
  shapeOf(authContract[name].operation.answer?.schema)

const Key = shapeOf(t.Object(keyFields))

/** The shapes with a name in the reference, so that each is described once. */
export const shapes: Record<string, Shape | undefined> = {
  Key,
  LoginResult: shapeOf(LoginResult),
  KeyedLoginResult: shapeOf(KeyedLoginResult),
  Session: answerOf('getAuthSession'),
  KeyItem: shapeOf(KeyListItem),
  Profile: answerOf('getUserProfile'),
  ProfileChanges: shapeOf(authContract.updateUserProfile.operation.input.body),
  Role: shapeOf(RoleItem),
  AuditItem: shapeOf(AuditItem),
  WaitingDevice: answerOf('getDeviceAuthInfo'),
  Invitation: answerOf('cancelInvitation'),
  Passkey: shapeOf(PasskeyItem),
  SocialAccount: shapeOf(SocialAccountItem),
  CreationOptions: shapeOf(CreationOptions),
  RequestOptions: shapeOf(RequestOptions),
  RegistrationResponse: shapeOf(RegistrationResponse),
  AuthenticationResponse: shapeOf(AuthenticationResponse),
  MfaStatus: answerOf('mfaStatus'),
  SessionBinding: answerOf('getSessionBinding'),
  Page: answerOf('listAuditEvents').properties?.['meta']?.properties?.['pagination'],
}

/** `{ userId, email?, role: Role }`. */
export function membersOf({ properties, required = [], anyOf }: Shape): string {
  if (anyOf) return anyOf.map(membersOf).join(' or ')
  if (!properties) return '{ … }'
  const members = Object.entries(properties).map(([name, member]) => {
    const isNested = (member.items ?? member).properties
    return `${name}${required.includes(name) ? '' : '?'}${isNested ? `: ${shortForm(member)}` : ''}`
  })
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

const keyMembers = membersOf(Key).slice(2, -2)

/** The same, with names for shapes that have one. */
export function shortForm(schema: Shape): string {
  if (schema.items) return `${shortForm(schema.items)}[]`
  const text = JSON.stringify(schema)
  const [name] = Object.entries(shapes).find(([, each]) => JSON.stringify(each) === text) ?? []
  return name ?? membersOf(schema).replace(keyMembers, '...Key')
}
