import type { builtinPermissions } from './roles/roles.ts'

/**
 * The application's permissions, for the types of `allow.may`:
 * `declare module '@svc/auth/server' { interface AppPermissions { names: 'order:read' | 'order:refund' } }`.
 */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type -- the application adds its names
export interface AppPermissions {}

type Builtin = (typeof builtinPermissions)[number]['name']

/** A permission that a route may ask for. Without `AppPermissions` it is any text, which the start checks. */
export type PermissionName<Application = AppPermissions> = Application extends {
  names: infer Name extends string
}
  ? Name | Builtin
  : string
