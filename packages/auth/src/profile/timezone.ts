import { ValidationError } from '@svc/core'

/** A zone of the IANA database, in its own spelling. An offset such as +09:00 is none: it knows no summer. */
export function readTimezone(given: string) {
  const known = /^[a-z]/i.test(given) ? knownZone(given) : null
  if (known === null) {
    const message = 'Give a time zone of the IANA database, such as Asia/Seoul.'
    throw new ValidationError({ fields: [{ path: 'body.timezone', message }] })
  }
  // An alias such as Asia/Kolkata stays the name that was chosen.
  return known.toLowerCase() === given.toLowerCase() ? known : given
}

function knownZone(given: string) {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
