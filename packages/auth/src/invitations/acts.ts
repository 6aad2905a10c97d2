export const invitationActs = [
  'invitation.created',
  'invitation.resent',
  'invitation.cancelled',
  'invitation.deleted',
  'invitation.accepted',
] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    invitation: (typeof invitationActs)[number]
  }
}
