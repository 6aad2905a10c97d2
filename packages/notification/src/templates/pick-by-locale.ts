/** The words for the longest matching prefix of the language tag (`ko-KR` → `ko`), else English. */
export function pickByLocale<Words>(
  words: Readonly<Record<string, Words>> & { readonly en: Words },
  locale: string,
) {
  const tags = Object.entries(words)
  const parts = locale.toLowerCase().split('-')
  for (let length = parts.length; length > 0; length -= 1) {
    const prefix = parts.slice(0, length).join('-')
    const found = tags.find(([tag]) => tag.toLowerCase() === prefix)
    if (found) return { lang: found[0], words: found[1] }
  }
  return { lang: 'en', words: words.en }
}
