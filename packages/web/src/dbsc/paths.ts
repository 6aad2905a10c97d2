/** Where the app mounts `createBoundSessionHandler`: a browser is told these by header, and by instruction. */
export const boundSessionPaths = {
  register: '/api/session/register',
  refresh: '/api/session/refresh',
  resume: '/api/session/resume',
} as const
