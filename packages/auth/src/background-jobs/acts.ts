export const backgroundJobActs = ['job.retried', 'job.cancelled'] as const

declare module '../caller/request-origin.ts' {
  interface DeclaredActs {
    backgroundJob: (typeof backgroundJobActs)[number]
  }
}
