export const roleActs = [
  'role.created',
  'role.updated',
  'role.deleted',
  'user.role_changed',
] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    role: (typeof roleActs)[number]
  }
}
