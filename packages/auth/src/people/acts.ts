export const peopleActs = ['user.signed_out', 'user.password_required'] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    people: (typeof peopleActs)[number]
  }
}
