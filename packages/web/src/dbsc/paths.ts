/**
 * Where the app mounts `createBoundSessionHandler`. A browser gets these paths in a header, and in
 * instructions.
 */
export const boundSessionPaths = {
  register: '/api/session/register',
  refresh: '/api/session/refresh',
  resume: '/api/session/resume',
} as const
