import { fileURLToPath } from 'node:url'

/** The places that mail and text messages can both go to. */
export type LocalUrl = { to: 'file'; directory: string } | { to: 'console' } | { to: 'none' }

/** `file:<dir>`, `console:` or `none`; null for anything else. */
export function localUrl(given: string): LocalUrl | null {
  if (given === 'none') return { to: 'none' }
  if (given === 'console:') return { to: 'console' }
  if (!given.startsWith('file:')) return null
  const directory = directoryOf(given)
  return directory === '' ? null : { to: 'file', directory }
}

function directoryOf(given: string) {
  if (!given.startsWith('file://')) return given.slice('file:'.length)
  try {
    return fileURLToPath(given)
  } catch {
    return ''
  }
}

/**
 * User and password as they were before they were encoded for the URL. Null if the encoding is
 * broken.
 */
export function credentialsOf(url: URL) {
  try {
    return { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
  } catch {
    return null
  }
}

export function isLoopback(hostname: string) {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(hostname)
}
