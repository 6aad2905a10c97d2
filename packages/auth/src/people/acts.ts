export const peopleActs = [
  'user.signed_out',
  'user.password_required',
  'user.updated',
  'user.created',
  'user.mail_resent',
  'user.factor_removal_asked',
  'user.factor_removal_stopped',
  'user.factor_removed',
] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    people: (typeof peopleActs)[number]
  }
}
