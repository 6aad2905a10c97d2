const inEnglish = {
  google: 'Google',
  apple: 'Apple',
  github: 'GitHub',
  kakao: 'Kakao',
  naver: 'Naver',
}

/** The usual names of providers, by language. */
export const socialNames = {
  en: inEnglish,
  ko: { ...inEnglish, kakao: '카카오', naver: '네이버' },
}

/** A provider of the application itself is called by its id. */
export function socialNameIn(names: Record<string, string>, provider: string) {
  return Object.hasOwn(names, provider) ? names[provider] : provider
}
