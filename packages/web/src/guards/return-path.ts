const longest = 512

/**
 * Where somebody goes after signing in: a path of this site, or `/` for whatever could lead elsewhere. Browsers take
 * `//host` and `/\host` for other sites, and drop control characters from between.
 */
export function returnPath(given: string | readonly string[] | undefined): string {
  if (typeof given !== 'string' || !isOwnPath(given)) return '/'
  // As it can stand in a header: a redirect to `/é` would be an error.
  return given.toWellFormed().replace(/[^!-~]+/g, encodeURIComponent)
}

function isOwnPath(path: string) {
  if (path.length > longest || !path.startsWith('/')) return false
  try {
    return [path, decodeURIComponent(path)].every(
      // oxlint-disable-next-line no-control-regex -- browsers drop them, so that `/\t/host` is `//host`
      (form) => !/\/\/|\\|\.\.|[\u0000-\u001f\u007f]/.test(form),
    )
  } catch {
    return false
  }
}
