import { ValidationError } from '@svc/core/contract'

const iso = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/

/**
 * A date alone begins at midnight in UTC; a time without a zone would be another moment on every
 * machine.
 */
export function readMoment(text: string, path: string) {
  const moment = new Date(text)
  // Its zone may move it out of the years with four digits, which PostgreSQL would misread.
  const year = moment.getUTCFullYear()
  if (iso.test(text) && year >= 1 && year <= 9999) return moment
  const message = 'Give a moment in ISO 8601 with its zone, such as 2030-01-31T12:00:00Z.'
  throw new ValidationError({ fields: [{ path, message }] })
}
