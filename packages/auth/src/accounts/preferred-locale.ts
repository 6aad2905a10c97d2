const languageTag = /^\s*([a-z]{2,3}(?:-[a-z\d]{2,8}){0,3})(?=\s*(?:[,;]|$))/i

/** The first language that a browser asks for; browsers send them in the order of preference. */
export function preferredLocale(acceptLanguage: string | undefined) {
  return languageTag.exec(acceptLanguage ?? '')?.[1] ?? 'en'
}
