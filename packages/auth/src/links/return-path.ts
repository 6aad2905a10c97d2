import { ValidationError } from '@svc/core'

/**
 * A path inside the app, so that a mailed link never leads elsewhere. Browsers take `//host` and `/\host` for
 * other sites, decode what is encoded, and drop control characters from between.
 */
export function readReturnPath(given: string | undefined): string | null {
  if (given === undefined) return null
  if (isOwnPath(given)) return given
  const message = 'Give a path inside the app, such as /welcome.'
  throw new ValidationError({ fields: [{ path: 'body.returnPath', message }] })
}

function isOwnPath(path: string) {
  if (!path.startsWith('/')) return false
  try {
    return [path, decodeURIComponent(path)].every((form) => !misleading.test(form))
  } catch {
    return false
  }
}

// Half a surrogate pair fits no column.
const misleading = /\/\/|\\|\.\.|[\p{Cc}\p{Cs}]/u
