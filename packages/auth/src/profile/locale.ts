import { ValidationError } from '@svc/core'

/** The canonical form of a BCP 47 language tag: `en-us` is `en-US`. */
export function readLocale(given: string) {
  try {
    const [locale] = Intl.getCanonicalLocales(given)
    if (locale !== undefined) return locale
  } catch {
    // It is no language tag.
  }
  const message = 'Give a language tag of BCP 47, such as en or ko-KR.'
  throw new ValidationError({ fields: [{ path: 'body.locale', message }] })
}
