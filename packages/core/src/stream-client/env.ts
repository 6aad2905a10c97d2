/**
 * Bundlers such as Next replace this exact expression with its value. Elsewhere a browser has no
 * `process`. Checking for `process` would lose the value where it was replaced.
 */
export function defaultHost(): string {
  try {
    return process.env.NEXT_PUBLIC_SVC_API_URL || 'http://localhost:8790'
  } catch {
    return 'http://localhost:8790'
  }
}
