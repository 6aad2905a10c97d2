import type { Say } from '@svc/web/account'

/** The day of a moment, in words. Both the server and the browser say it in UTC, so that they agree. */
export function dayOf({ dateLocale }: Pick<Say, 'dateLocale'>, at: string) {
  const format = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'long', timeZone: 'UTC' })
  return format.format(new Date(at))
}

/** The same to the second. */
export function secondOf({ dateLocale }: Pick<Say, 'dateLocale'>, at: string) {
  const format = new Intl.DateTimeFormat(dateLocale, {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: 'UTC',
  })
  return format.format(new Date(at))
}
