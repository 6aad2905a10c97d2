const longest = 512

/**
 * Whether a path from outside stays inside the app. Browsers take `//host` and `/\host` for
 * other sites, decode what is encoded, and drop control characters from between.
 */
export function isOwnPath(path: string): boolean {
  if (path.length > longest || !path.startsWith('/')) return false
  try {
    return [path, decodeURIComponent(path)].every((form) => !/\/\/|\\|\.\.|\p{Cc}/u.test(form))
  } catch {
    return false
  }
}
