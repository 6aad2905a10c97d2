import { ValidationError } from '@svc/core'

/**
 * An address that others may be shown as a link: a `javascript:` one would run with whoever opens it, and a user's name
 * before the host passes one site off as another.
 */
export function readWebAddress(given: string, path: string) {
  const url = /^https?:\/\/[^\s\\]+$/i.test(given) ? URL.parse(given) : null
  if (url && url.username === '' && url.password === '') return given
  const message = 'Give an address that begins with https:// or http://.'
  throw new ValidationError({ fields: [{ path, message }] })
}
