/** Where the pages of the console are in the starter. */
export const consolePaths = {
  people: '/admin/people',
  invitations: '/admin/invitations',
  audit: '/admin/audit',
  streams: '/admin/live',
  jobs: '/admin/jobs',
  programs: '/admin/programs',
  limits: '/admin/limits',
  server: '/admin/server',
  roles: '/admin/roles',
}

export type ConsolePaths = typeof consolePaths
