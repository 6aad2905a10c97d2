const inEnglish = {
  google: 'Google',
  apple: 'Apple',
  github: 'GitHub',
  kakao: 'Kakao',
  naver: 'Naver',
}

/** The providers as people know them, by language. */
export const socialNames = {
  en: inEnglish,
  ko: { ...inEnglish, kakao: '카카오', naver: '네이버' },
}

/** One of an application's own has no other name than its id. */
export function socialNameIn(names: Record<string, string>, provider: string) {
  return Object.hasOwn(names, provider) ? names[provider] : provider
}
