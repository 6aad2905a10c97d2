export const deletionActs = [
  'deletion.requested',
  'deletion.cancelled',
  'deletion.completed',
] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    deletion: (typeof deletionActs)[number]
  }
}
