/** The longest prefix of the language tag that there are words for (`ko-KR` → `ko`), else English. */
export function pickByLocale<Words>(words: Record<string, Words> & { en: Words }, locale: string) {
  const parts = locale.toLowerCase().split('-')
  for (let length = parts.length; length > 0; length -= 1) {
    const lang = parts.slice(0, length).join('-')
    const found = Object.hasOwn(words, lang) ? words[lang] : undefined
    if (found !== undefined) return { lang, words: found }
  }
  return { lang: 'en', words: words.en }
}
