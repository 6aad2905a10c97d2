/**
 * Bundlers such as Next put the value in place of this very expression; elsewhere a browser has no `process`, and asking
 * whether there is one would leave the value out where it has been put in.
 */
export function defaultHost(): string {
  try {
    return process.env.NEXT_PUBLIC_SVC_API_URL || 'http://localhost:8790'
  } catch {
    return 'http://localhost:8790'
  }
}
